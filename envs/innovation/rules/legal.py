"""Questions: who decides what, and which actions are legal then."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation import actions as at
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.rules.bits import ONE, ZERO, clear, lowest_bit


@rule
def offer(g, action):
    """Make an action that is not a card legal."""
    if action < at.BACK_AT:
        g.options[2] |= ONE << np.uint64(action - at.STOP_AT)
    else:
        g.options[3] |= ONE << np.uint64(action - at.BACK_AT)


@rule
def withdraw(g):
    """Nothing is legal."""
    for word in range(4):
        g.options[word] = ZERO


@rule
def ask(g, seat, decision, optional):
    """Wait for a player: the options are added by the caller."""
    g.actor = seat
    g.decision = decision
    withdraw(g)
    if optional:
        offer(g, at.STOP_AT)
    for k in range(op.SPARE, op.SETS):  # nothing in them is needed after a question
        clear(g.sets[max(g.depth - 1, 0), k])


@rule
def take_answer(g):
    """The action that was chosen; the question is withdrawn."""
    action = np.int64(g.answer) - 1
    g.answer = 0
    withdraw(g)
    g.aim = 0
    g.least = 0
    g.most = 0
    return action


@rule
def legal(g, t, mask):
    """The legal actions, from the bits of `options`."""
    base = np.int64(0)
    for word in range(4):
        rest = g.options[word]
        while rest != ZERO:
            mask[base + lowest_bit(rest)] = 1
            rest &= rest - ONE
        base = np.int64(64) if word == 0 else np.int64(at.STOP_AT) if word == 1 else np.int64(at.BACK_AT)
