"""The rules: every function is pure, compiled, and works on one state record `g` with the read-only tables `t`."""

import numpy as np

from bluff.actions import DOUBT
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.core.record import ENDED
from theogony.envs.core.rng import below

NONE = -1  # no seat


@rule
def setup(g, t):
    """Everybody rolls a die in secret."""
    g.bidder = NONE
    roll(g, t, g.rng, NONE)


@rule
def roll(g, t, rng, keep):
    """Roll the dice of all seats but one."""
    for seat in range(g.players):
        if seat != keep:
            g.dice[seat] = t.faces[below(rng, t.faces.shape[0])]


@rule
def legal(g, t, mask):
    """A bid must be higher than the last, and at most what the dice can show; the first cannot be doubted."""
    for bid in range(g.bid + 1, t.highest + 1):
        mask[bid - 1] = 1
    if g.bid > 0:
        mask[DOUBT] = 1


@rule
def apply(g, t, action):
    """One decision."""
    if action == DOUBT:
        end_round(g, t)
    else:
        g.bid, g.bidder = action + 1, g.actor
        g.actor = (g.actor + 1) % g.players
    g.turn = g.actor


@rule
def end_round(g, t):
    """Show the dice: the bidder loses when they show less than the bid, else who doubted. The loser begins anew."""
    total = 0
    for seat in range(g.players):
        total += np.int64(g.dice[seat])
    loser = np.int64(g.bidder if total < g.bid else g.actor)
    g.strikes[loser] += 1
    copy_array(g.shown, g.dice)
    g.rounds_over += 1
    g.bid, g.bidder, g.actor = 0, NONE, loser
    if g.rounds_over == t.rounds:
        g.dice[:] = 0
        g.over = ENDED
    else:
        roll(g, t, g.rng, NONE)


@rule
def score(g, t, out):
    """Rounds that a seat has not lost."""
    for seat in range(g.players):
        out[seat] = np.int64(t.rounds) - np.int64(g.strikes[seat])


@rule
def resample(g, t, seat, rng):
    """Roll the dice of the others again: the bids tell nothing for certain."""
    if g.over == 0:
        roll(g, t, rng, seat)
