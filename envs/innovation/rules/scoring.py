"""The score and who wins (rules §8). Valid at any time, as if the game ended now."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.state import BY_POINTS


@rule
def score(g, t, out):
    """Points: the values in the score pile."""
    for seat in range(g.players):
        out[seat] = g.points[seat]


@rule
def standing(g, t, out):
    """Winners first, then by achievements and points; by points first when these ended the game (ruling R13)."""
    for seat in range(g.players):
        achievements, points = np.float64(g.achievements[seat]), np.float64(g.points[seat])
        if (g.winners >> seat) & 1 != 0:
            out[seat] = 1e6
        elif g.ended_by == BY_POINTS:
            out[seat] = 1000.0 * points + achievements
        else:
            out[seat] = 1000.0 * achievements + points
