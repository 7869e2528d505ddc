"""A value of a position, for the greedy and the searching player."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.push_of_faith.components import TYPES, WORLD_TILES
from theogony.envs.push_of_faith.rules.scoring import points

GROUP_WEIGHT = 0.5  # what a square more in a largest group is worth at the start, in points
STATUE_WEIGHT = 0.5  # the same for a statue


@rule
def value(g, t, seat):
    """The score margin to the best other, with a bonus for groups and statues that fades as the world fills."""
    best = -1.0
    for other in range(g.players):
        if other != seat:
            best = max(best, prospect(g, other))
    return (prospect(g, seat) - best) / t.scale


@rule
def prospect(g, seat):
    """Points and what groups and statues may still become."""
    largest, statues = 0, 0
    for terrain in range(TYPES):
        largest += np.int64(g.largest[seat, terrain])
        statues += np.int64(g.statues[seat, terrain])
    to_come = (WORLD_TILES - np.int64(g.placed[seat])) / WORLD_TILES
    return points(g, seat) + to_come * (GROUP_WEIGHT * largest + STATUE_WEIGHT * statues)
