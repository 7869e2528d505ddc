"""Structures: placing, building, upgrading, and what a stronghold brings at once (§6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica import components
from theogony.envs.terra_mystica.actions import BUILD, UPGRADE
from theogony.envs.terra_mystica.rules import reach
from theogony.envs.terra_mystica.rules.bits import ZERO, add, mark, split
from theogony.envs.terra_mystica.rules.power import affordable, could_pay, gain_power, gain_vp, pay
from theogony.envs.terra_mystica.rules.towns import check_group, find_river_sites, free_ship
from theogony.envs.terra_mystica.state import STRONGHOLD_SPADES, V_FACTION, V_FAVOR, V_SCORING

PIECES = np.array(components.LIMITS, np.int64)
BECOMES = np.array(
    (components.TP, components.TE, components.SH, components.SA), np.int64
)  # the upgrades in the order of the codec
ALCHEMISTS_POWER, CULTISTS_VP, HALFLINGS_SPADES = np.array((12, 7, 3), np.int64)  # of their strongholds (§12)
DWELLING = np.int64(components.D)  # as the kinds of `BECOMES` are


@rule
def set_structure(g, t, seat, space, kind):
    """Put a structure on the map; the old one returns to its board."""
    old = np.int64(g.building[space])
    g.building[space] = kind
    g.built[seat, kind] += 1
    if old == components.NO_STRUCTURE:
        add(g.taken, space)
        add(g.own[seat], space)
        reach.extend_reach(g, t, seat, space)
    else:
        g.built[seat, old] -= 1


@rule
def place(g, t, seat, space, kind):
    """Structure, then points of favor and scoring tiles, then towns and power offers (§6)."""
    set_structure(g, t, seat, space, kind)
    for k in range(g.favors.shape[1]):
        if g.favors[seat, k]:
            gain_vp(g, seat, np.int64(t.favor_build[k, kind]), V_FAVOR)
    gain_vp(g, seat, np.int64(t.score_vp[g.scoring[g.round_number - 1], kind]), V_SCORING)
    check_group(g, t, seat, space)
    find_river_sites(g, t, seat)
    offer_power(g, t, seat, space)


@rule
def offer_power(g, t, seat, space):
    """Note what each opponent may gain: the value of its structures next to the space, clockwise (§8)."""
    low, high = reach.neighbours(g, t, space)
    for k in range(1, np.int64(g.players)):
        other = (seat + k) % np.int64(g.players)
        power = value_of(g, low & g.own[other, 0], high & g.own[other, 1])
        if power > 0:
            g.offer_seat[g.offer_count] = other
            g.offer_power[g.offer_count] = power
            g.offer_count += 1


@rule
def value_of(g, low, high):
    """Power value of the structures on a set of spaces."""
    value = 0
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        value += components.POWER_VALUE[g.building[space]]
    return value


# ---------------------------------------------------------------------------------------------------- dwellings


@rule
def can_dwell(g, t, seat):
    """Whether a seat has a dwelling left and can pay for it."""
    return g.built[seat, components.D] < PIECES[components.D] and affordable(
        g, seat, t.cost[g.faction[seat], components.D]
    )


@rule
def may_dwell(g, t, seat):
    """Whether a turn can still bring a dwelling, with what conversions could pay (ruling R7)."""
    if g.sites[0] | g.sites[1] == ZERO or g.built[seat, components.D] >= PIECES[components.D]:
        return False
    return g.free_dwelling != 0 or could_pay(g, seat, t.cost[g.faction[seat], components.D])


@rule
def legal_dwellings(g, t, mask):
    """Action 1 without spades: own-coloured free spaces in reach, over a tunnel or carpet where that can be paid."""
    seat = np.int64(g.actor)
    if not can_dwell(g, t, seat):
        return
    f = np.int64(g.faction[seat])
    home = g.colour[t.home[f]]
    low, high = reach.reached(g, t, seat)
    if reach.can_tunnel(g, t, seat):
        cost = t.cost[f, components.D]
        workers, priests = (
            cost[components.WORKER] + reach.tunnel_workers(g, seat),
            cost[components.PRIEST] + reach.tunnel_priests(g, seat),
        )
        if g.workers[seat] >= workers and g.priests[seat] >= priests:
            more_low, more_high = reach.tunnelled(g, t, seat)
            low, high = low | more_low, high | more_high
    mark(mask, BUILD, low & home[0], high & home[1])


@rule
def build_dwelling(g, t, space):
    """A dwelling on a space of the own colour; free for the Witches' ride."""
    seat = np.int64(g.actor)
    if not g.free_dwelling:
        pay(g, seat, t.cost[g.faction[seat], components.D])
    g.free_dwelling = 0
    g.sites[:] = ZERO
    g.spades = 0
    place(g, t, seat, space, DWELLING)


# ---------------------------------------------------------------------------------------------------- upgrades


@rule
def has_neighbour(g, t, seat, space):
    """Whether an opponent's structure is directly adjacent: trading houses are cheaper there."""
    low, high = reach.neighbours(g, t, space)
    low, high = low & g.taken[0] & ~g.own[seat, 0], high & g.taken[1] & ~g.own[seat, 1]
    return low != ZERO or high != ZERO


@rule
def can_upgrade(g, t, seat, kind):
    """Whether a seat has a piece of a kind left and can pay for it beside a neighbour."""
    return g.built[seat, kind] < PIECES[kind] and affordable(g, seat, t.cost[g.faction[seat], kind])


@rule
def can_house_alone(g, t, seat):
    """Whether a seat can pay for a trading house without a neighbour."""
    f = np.int64(g.faction[seat])
    cost = t.cost[f, components.TP]
    goods = (
        g.workers[seat] >= cost[components.WORKER]
        and g.priests[seat] >= cost[components.PRIEST]
        and g.coins[seat] >= t.lone_cost[f]
    )
    return goods and g.built[seat, components.TP] < PIECES[components.TP]


@rule
def legal_upgrades(g, t, mask):
    """Action 4: the structures that can be replaced and paid (§6.4)."""
    seat = np.int64(g.actor)
    beside, alone = can_upgrade(g, t, seat, BECOMES[0]), can_house_alone(g, t, seat)
    temple, stronghold_too = can_upgrade(g, t, seat, BECOMES[1]), can_upgrade(g, t, seat, BECOMES[2])
    sanctuary = can_upgrade(g, t, seat, BECOMES[3])
    if not (beside or alone or temple or stronghold_too or sanctuary):
        return
    low, high = g.own[seat, 0], g.own[seat, 1]
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        first, kind = UPGRADE + 4 * space, g.building[space]
        if kind == components.D:
            mask[first] = beside if beside == alone or has_neighbour(g, t, seat, space) else alone
        elif kind == components.TP:
            mask[first + 1] = temple
            mask[first + 2] = stronghold_too
        elif kind == components.TE:
            mask[first + 3] = sanctuary


@rule
def legal_free_house(g, mask):
    """The Swarmlings' free upgrade of a dwelling to a trading house."""
    seat = np.int64(g.actor)
    low, high = g.own[seat, 0], g.own[seat, 1]
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        mask[UPGRADE + 4 * space] = g.building[space] == components.D


@rule
def upgrade(g, t, space, k):
    """Pay, replace, then the favor tiles or the stronghold's gift (§6)."""
    seat = np.int64(g.actor)
    f, kind = np.int64(g.faction[seat]), BECOMES[k]
    if g.free_house:
        g.free_house = 0
    elif kind == components.TP and not has_neighbour(g, t, seat, space):
        g.workers[seat] -= t.cost[f, kind, components.WORKER]
        g.priests[seat] -= t.cost[f, kind, components.PRIEST]
        g.coins[seat] -= t.lone_cost[f]
    else:
        pay(g, seat, t.cost[f, kind])
    place(g, t, seat, space, kind)
    if kind == components.TE or kind == components.SA:
        g.favors_due = min(2 if f == components.CHAOS_MAGICIANS else 1, favors_left(g, seat))
    elif kind == components.SH:
        stronghold(g, t, seat)


@rule
def favors_left(g, seat):
    """Kinds of favor tiles that a seat could still take."""
    count = 0
    for k in range(g.favors.shape[1]):
        count += g.favor_supply[k] > 0 and g.favors[seat, k] == 0
    return count


@rule
def stronghold(g, t, seat):
    """What a stronghold brings at once (§12)."""
    f = g.faction[seat]
    if f == components.ALCHEMISTS:
        gain_power(g, seat, ALCHEMISTS_POWER)
    elif f == components.AUREN:
        g.favors_due = min(1, favors_left(g, seat))
    elif f == components.CULTISTS:
        gain_vp(g, seat, CULTISTS_VP, V_FACTION)
    elif f == components.DARKLINGS:
        g.priests_due = 3
    elif f == components.FAKIRS:
        reach.set_ship(g, t, seat, np.int64(g.ship[seat]) + 1)
    elif f == components.HALFLINGS:
        g.spades = HALFLINGS_SPADES
        g.spade_use = STRONGHOLD_SPADES
        reach.gain_spades(g, t, seat, HALFLINGS_SPADES)
    elif f == components.MERMAIDS:
        free_ship(g, t, seat)
