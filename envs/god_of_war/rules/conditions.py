"""Conditions of boxes, interactions, success and failure (§12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import NONE, P_CLEAR, P_HP_LE, P_TOKENS_GE
from theogony.envs.god_of_war.rules.enemies import carrier, hp_left, lives


@rule
def holds(g, t, kind, slot, n):
    """A condition of an `if` list, of success or of failure."""
    if kind == P_CLEAR:
        return scene_clear(g, t)
    if kind == P_TOKENS_GE:
        return g.tokens[slot] >= n
    owner = carrier(g, t, slot)
    if kind == P_HP_LE:
        return owner != NONE and hp_left(g, t, owner) <= n
    return owner == NONE  # dead


@rule
def all_hold(g, t, kinds, slots, numbers, first, end):
    """Whether every condition of a list holds."""
    for k in range(first, end):
        if not holds(g, t, kinds[k], np.int64(slots[k]), numbers[k]):
            return False
    return True


@rule
def scene_clear(g, t):
    """Whether no visible side shows a living enemy of its own."""
    for slot in range(g.side.shape[0]):
        if lives(g, t, slot):
            return False
    return True
