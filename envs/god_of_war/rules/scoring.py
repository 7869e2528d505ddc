"""The score of the team, and whether it has won (§8)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.god_of_war.state import BOSS_DEFEATED, SCENE_COMPLETED


@rule
def won(g):
    """Whether the team has won."""
    return g.over == ENDED and (g.reason == BOSS_DEFEATED or g.reason == SCENE_COMPLETED)


@rule
def score(g, t, out):
    """Scenes completed, the same for every seat: 0 to 3, or to 1 in a single scene."""
    done = np.int64(g.stage) - 1 + (1 if won(g) else 0)
    for seat in range(g.players):
        out[seat] = done


@rule
def standing(g, t, out):
    """1 for a victory and 0 for a defeat, the same for every seat."""
    for seat in range(g.players):
        out[seat] = 1.0 if won(g) else 0.0
