"""The score and who wins (§7). Valid at any time, as if the game ended now."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.push_of_faith.components import TYPES


@rule
def points(g, seat):
    """Largest group times statues, over the five types (§7)."""
    total = 0
    for terrain in range(TYPES):
        total += np.int64(g.largest[seat, terrain]) * np.int64(g.statues[seat, terrain])
    return total


@rule
def tie_break(g, seat):
    """The largest group of any type, whether or not it scored (ruling R22)."""
    largest = 0
    for terrain in range(TYPES):
        largest = max(largest, np.int64(g.largest[seat, terrain]))
    return largest


@rule
def score(g, t, out):
    """Printed score of each seat (§7)."""
    for seat in range(g.players):
        out[seat] = points(g, seat)


@rule
def standing(g, t, out):
    """Score, then the tie-break; the tie-break is below the number of squares, so it never outweighs a point."""
    squares = g.squares.shape[1] + 1.0
    for seat in range(g.players):
        out[seat] = points(g, seat) + tie_break(g, seat) / squares
