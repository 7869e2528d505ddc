"""Spades: what they cost and bring, and on how many a seat can count (§7)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.components import (
    ALCHEMISTS,
    DARKLINGS,
    GIANTS,
    HALFLINGS,
    PRIEST,
    SCORE_SPADE,
    SH,
    WORKER,
)
from theogony.envs.terra_mystica.rules.power import gain_power, gain_vp
from theogony.envs.terra_mystica.rules.reach import can_tunnel, tunnel_priests, tunnel_workers
from theogony.envs.terra_mystica.state import ACTION_SPADES, NONE, V_FACTION, V_SCORING

COLOURS = 7
FARTHEST = 3
NOTHING = np.int64(0)


@rule
def gain_spades(g, t, seat, spades):
    """Points and power for spades gained: scoring tile, Halflings, the Alchemists' stronghold (§7)."""
    gain_vp(g, seat, spades * np.int64(t.score_vp[g.scoring[g.round_number - 1], SCORE_SPADE]), V_SCORING)
    if g.faction[seat] == HALFLINGS:
        gain_vp(g, seat, spades, V_FACTION)
    if g.faction[seat] == ALCHEMISTS and g.built[seat, SH]:
        gain_power(g, seat, 2 * spades)


@rule
def spades_for_sale(g, t, seat, workers_kept, priests_kept):
    """Spades a seat can buy when it keeps some workers and priests, up to the three that one space can take."""
    cost = t.spade_cost[g.faction[seat], g.dig[seat]]
    held, price = np.int64(g.workers[seat]) - workers_kept, np.int64(cost[WORKER])
    if cost[PRIEST] > 0:
        held, price = np.int64(g.priests[seat]) - priests_kept, np.int64(cost[PRIEST])
    return np.int64(held >= price) + np.int64(held >= 2 * price) + np.int64(held >= FARTHEST * price)


@rule
def buy_spades(g, t, seat, spades):
    """Pay for spades; the Darklings get 2 points for each (§12)."""
    cost = t.spade_cost[g.faction[seat], g.dig[seat]]
    g.workers[seat] -= spades * np.int64(cost[WORKER])
    g.priests[seat] -= spades * np.int64(cost[PRIEST])
    if g.faction[seat] == DARKLINGS:
        gain_vp(g, seat, 2 * spades, V_FACTION)
    gain_spades(g, t, seat, spades)


@rule
def fewest(g, seat):
    """The fewest spades that transform a space: the Giants always take two."""
    return 2 if g.faction[seat] == GIANTS else 1


@rule
def may_top_up(g, t, space):
    """Spades may be bought for the first space of an action only (§7); the Chinese text allows it for the second."""
    return g.spade_use <= ACTION_SPADES and (
        g.first == NONE or space == g.first or (t.free_spades != 0 and g.spades > 0)
    )


@rule
def spades_within_reach(g, t, seat, free, top_up):
    """Most spades that a seat can use on one space: the free ones, and those it can buy."""
    return free + spades_for_sale(g, t, seat, NOTHING, NOTHING) if top_up else free


@rule
def spades_beyond(g, t, seat, free, top_up):
    """Most spades that a seat can use on a space over a tunnel or by carpet, whose price is paid first.

    -1 when it cannot be paid.
    """
    if not can_tunnel(g, t, seat):
        return -1
    kept, priests = tunnel_workers(g, seat), tunnel_priests(g, seat)
    return free + spades_for_sale(g, t, seat, kept, priests) if top_up else free


@rule
def can_turn_on(g, t, seat):
    """Whether more spades may be bought for a first space that has not yet the own colour (ruling R5)."""
    if g.turned == 0 or abs(np.int64(g.turned)) == FARTHEST:
        return False
    return spades_within_reach(g, t, seat, np.int64(g.spades), True) > 0
