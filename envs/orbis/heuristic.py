"""A value of a position, for the greedy and the searching player."""

from __future__ import annotations

from theogony.envs.core.jit import rule
from theogony.envs.orbis.rules.scoring import points


@rule
def value(g, t, seat):
    """The score margin to the best other."""
    best = -1000
    for other in range(g.players):
        if other != seat:
            best = max(best, points(g, t, other))
    return (points(g, t, seat) - best) / t.scale
