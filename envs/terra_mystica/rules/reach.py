"""Who touches whom: adjacency with bridges, and the spaces a seat can reach (§2)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica import components
from theogony.envs.terra_mystica.rules.bits import BIT, ZERO, add, holds, lowest, split, without_lowest
from theogony.envs.terra_mystica.rules.power import gain_power, gain_vp
from theogony.envs.terra_mystica.state import ACTION_SPADES, NONE, PHASE_SPADES, V_FACTION, V_SCORING


@rule
def other_end(t, site, space):
    """The far end of a bridge site."""
    return np.int64(t.ends[site, 1]) if t.ends[site, 0] == space else np.int64(t.ends[site, 0])


@rule
def neighbours(g, t, space):
    """Spaces directly adjacent to a space, bridges of all players included, as two words."""
    low, high = t.beside[space, 0], t.beside[space, 1]
    bridges = np.uint64(g.bridges & t.sites[space])
    while bridges != ZERO:
        end = other_end(t, lowest(bridges), space)
        if end < 64:
            low |= BIT[end]
        else:
            high |= BIT[end - 64]
        bridges = without_lowest(bridges)
    return low, high


@rule
def extend_reach(g, t, seat, space):
    """A new structure of a seat extends what it touches and what it reaches."""
    low, high = neighbours(g, t, space)
    g.near[seat, 0] |= low
    g.near[seat, 1] |= high
    way, level = np.int64(t.skips[g.faction[seat]]), np.int64(g.ship[seat])
    for more in range(2):
        for w in range(2):
            g.far[seat, more, w] |= t.far[way, min(level + more, components.REACHES - 1), space, w]


@rule
def set_ship(g, t, seat, level):
    """A new shipping level (or number of spaces to skip)."""
    g.ship[seat] = level
    g.far[seat, :, :] = ZERO
    low, high = g.own[seat, 0], g.own[seat, 1]
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        extend_reach(g, t, seat, space)


@rule
def lay_bridge(g, t, seat, site):
    """A bridge makes its two ends adjacent for everybody (ruling R3)."""
    g.bridges |= np.uint32(1) << np.uint32(site)
    g.bridge_owner[site] = seat
    g.bridges_left[seat] -= 1
    a, b = np.int64(t.ends[site, 0]), np.int64(t.ends[site, 1])
    for other in range(np.int64(g.players)):
        if holds(g.own[other], a):
            add(g.near[other], b)
        if holds(g.own[other], b):
            add(g.near[other], a)


@rule
def bridge_open(g, t, seat, site):
    """Whether a seat may build a bridge: the site is free and an end carries an own structure."""
    if g.bridges & (np.uint32(1) << np.uint32(site)):
        return False
    return holds(g.own[seat], np.int64(t.ends[site, 0])) or holds(g.own[seat], np.int64(t.ends[site, 1]))


@rule
def any_bridge(g, t, seat):
    """Whether a seat has a bridge left and a site for it."""
    if g.bridges_left[seat] == 0:
        return False
    low, high = g.own[seat, 0], g.own[seat, 1]
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        if t.sites[space] & ~g.bridges:
            return True
    return False


@rule
def reached(g, t, seat):
    """The free spaces in reach without an extra price: adjacent, or by ship (in phase III without card, ruling R14)."""
    low, high = g.near[seat, 0], g.near[seat, 1]
    if t.skips[g.faction[seat]] == 0:
        more = 1 if g.card[seat] == components.BON4 and g.spade_use != PHASE_SPADES else 0
        low, high = low | g.far[seat, more, 0], high | g.far[seat, more, 1]
    return low & ~g.taken[0], high & ~g.taken[1]


@rule
def tunnelled(g, t, seat):
    """The free spaces that Dwarves and Fakirs reach only for an extra price (§12)."""
    if t.skips[g.faction[seat]] == 0:
        return ZERO, ZERO
    near, far = g.near[seat], g.far[seat, 0]
    return far[0] & ~near[0] & ~g.taken[0], far[1] & ~near[1] & ~g.taken[1]


@rule
def tunnel_workers(g, seat):
    """Workers a tunnel costs: 2 for Dwarves, 1 with their stronghold; none for a carpet."""
    if g.faction[seat] == components.DWARVES:
        return 1 if g.built[seat, components.SH] else 2
    return 0


@rule
def tunnel_priests(g, seat):
    """Priests a carpet flight costs."""
    return 0 if g.faction[seat] == components.DWARVES else 1


@rule
def can_tunnel(g, t, seat):
    """Whether a seat can pay for a tunnel or a carpet flight, once an action."""
    if t.skips[g.faction[seat]] == 0 or g.tunnelled:
        return False
    return g.workers[seat] >= tunnel_workers(g, seat) and g.priests[seat] >= tunnel_priests(g, seat)


@rule
def beside_own(g, t, seat):
    """The spaces that share an edge with an own structure: no river, bridge or ship (sandstorm)."""
    low, high = ZERO, ZERO
    own_low, own_high = g.own[seat, 0], g.own[seat, 1]
    while own_low != ZERO or own_high != ZERO:
        space, own_low, own_high = split(own_low, own_high)
        low, high = low | t.beside[space, 0], high | t.beside[space, 1]
    return low, high


# ---- Spades: what they cost and bring, and on how many a seat can count (§7) -------------------------------------

FARTHEST = 3
NOTHING = np.int64(0)


@rule
def gain_spades(g, t, seat, spades):
    """Points and power for spades gained: scoring tile, Halflings, the Alchemists' stronghold (§7)."""
    gain_vp(g, seat, spades * np.int64(t.score_vp[g.scoring[g.round_number - 1], components.SCORE_SPADE]), V_SCORING)
    if g.faction[seat] == components.HALFLINGS:
        gain_vp(g, seat, spades, V_FACTION)
    if g.faction[seat] == components.ALCHEMISTS and g.built[seat, components.SH]:
        gain_power(g, seat, 2 * spades)


@rule
def spades_for_sale(g, t, seat, workers_kept, priests_kept):
    """Spades a seat can buy when it keeps some workers and priests, up to the three that one space can take."""
    cost = t.spade_cost[g.faction[seat], g.dig[seat]]
    held, price = np.int64(g.workers[seat]) - workers_kept, np.int64(cost[components.WORKER])
    if cost[components.PRIEST] > 0:
        held, price = np.int64(g.priests[seat]) - priests_kept, np.int64(cost[components.PRIEST])
    return np.int64(held >= price) + np.int64(held >= 2 * price) + np.int64(held >= FARTHEST * price)


@rule
def buy_spades(g, t, seat, spades):
    """Pay for spades; the Darklings get 2 points for each (§12)."""
    cost = t.spade_cost[g.faction[seat], g.dig[seat]]
    g.workers[seat] -= spades * np.int64(cost[components.WORKER])
    g.priests[seat] -= spades * np.int64(cost[components.PRIEST])
    if g.faction[seat] == components.DARKLINGS:
        gain_vp(g, seat, 2 * spades, V_FACTION)
    gain_spades(g, t, seat, spades)


@rule
def fewest(g, seat):
    """The fewest spades that transform a space: the Giants always take two."""
    return 2 if g.faction[seat] == components.GIANTS else 1


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
