"""Towns: groups of own structures, founding, town tiles, and the Mermaids' towns over a river (§9)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica import components
from theogony.envs.terra_mystica.actions import CONNECT, TAKE_TOWN
from theogony.envs.terra_mystica.rules.bits import BIT, ZERO, lowest, mark, split, without_lowest
from theogony.envs.terra_mystica.rules.power import advance_cult, gain, gain_vp, use_keys
from theogony.envs.terra_mystica.rules.reach import neighbours, set_ship
from theogony.envs.terra_mystica.state import V_ADVANCE, V_FACTION, V_SCORING, V_TOWN

WITCHES_VP = np.int64(5)  # for a town
NEEDED, NEEDED_WITH_FAV5, STRUCTURES_NEEDED = 7, 6, 4


@rule
def group_of(g, t, seat, low, high, rivers):
    """The own structures connected with those of the set (low, high), bridges and linking river spaces included."""
    own_low, own_high = g.own[seat, 0], g.own[seat, 1]
    low, high = low & own_low, high & own_high
    front_low, front_high = low, high
    while True:
        while front_low != ZERO or front_high != ZERO:
            space, front_low, front_high = split(front_low, front_high)
            new_low, new_high = neighbours(g, t, space)
            new_low, new_high = new_low & own_low & ~low, new_high & own_high & ~high
            low, high = low | new_low, high | new_high
            front_low, front_high = front_low | new_low, front_high | new_high
        left = rivers
        while left != ZERO:
            river = lowest(left)
            left = without_lowest(left)
            bank_low, bank_high = t.banks[river, 0] & own_low, t.banks[river, 1] & own_high
            if bank_low & low != ZERO or bank_high & high != ZERO:
                front_low, front_high = front_low | bank_low & ~low, front_high | bank_high & ~high
        if front_low == ZERO and front_high == ZERO:
            return low, high
        low, high = low | front_low, high | front_high


@rule
def linking_rivers(g, seat):
    """River spaces that hold a group together: those with the Mermaids' town tiles."""
    return g.river_towns if g.faction[seat] == components.MERMAIDS else ZERO


@rule
def is_town(g, t, seat, low, high):
    """Four structures of a value of 7, or 6 with FAV5 (§9).

    The sanctuary counts as two structures; in the Chinese text it lowers the value to 6 instead (R21).
    """
    value, count, sanctuary = 0, 0, False
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        kind = np.int64(g.building[space])
        value += components.POWER_VALUE[kind]
        count += 2 if kind == components.SA and not t.town_of_six else 1
        sanctuary = sanctuary or kind == components.SA
    needed = NEEDED_WITH_FAV5 if g.favors[seat, components.FAV5] or (t.town_of_six and sanctuary) else NEEDED
    return count >= STRUCTURES_NEEDED and value >= needed


@rule
def tile_left(g):
    """Whether the supply has a town tile for one more town."""
    left = 0
    for k in range(g.town_supply.shape[0]):
        left += np.int64(g.town_supply[k])
    return left > g.towns_due


@rule
def check_group(g, t, seat, space):
    """A structure or bridge at a space may join its group to a town, or found one (compulsory, §9)."""
    start_low = BIT[space] if space < 64 else ZERO
    start_high = ZERO if space < 64 else BIT[space - 64]
    low, high = group_of(g, t, seat, start_low, start_high, linking_rivers(g, seat))
    if g.in_town[seat, 0] & low == ZERO and g.in_town[seat, 1] & high == ZERO:
        if not is_town(g, t, seat, low, high) or not tile_left(g):
            return
        g.towns_due += 1
    g.in_town[seat, 0] |= low
    g.in_town[seat, 1] |= high


@rule
def check_all_groups(g, t, seat):
    """After FAV5 every own group may have become a town (ruling R16)."""
    low, high = g.own[seat, 0], g.own[seat, 1]
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        check_group(g, t, seat, space)


@rule
def find_river_sites(g, t, seat):
    """River spaces where the Mermaids could found a town: no structure around them is in one yet (§12).

    Whether a tile is left is asked when they do it: the others take tiles too.
    """
    if g.faction[seat] != components.MERMAIDS:
        return
    g.river_sites = ZERO
    for river in range(t.banks.shape[0]):
        bank_low, bank_high = t.banks[river, 0] & g.own[seat, 0], t.banks[river, 1] & g.own[seat, 1]
        if bank_low == ZERO and bank_high == ZERO:
            continue
        low, high = group_of(g, t, seat, bank_low, bank_high, g.river_towns | BIT[river])
        if g.in_town[seat, 0] & low == ZERO and g.in_town[seat, 1] & high == ZERO:
            if is_town(g, t, seat, low, high):
                g.river_sites |= BIT[river]


@rule
def legal_connect(g, mask):
    """Rivers over which the Mermaids may found a town in their turn, while a tile is left (ruling R13)."""
    if tile_left(g):
        mark(mask, CONNECT, g.river_sites, ZERO)


@rule
def connect(g, t, river):
    """Found a town over a river space: the tile lies there and goes on linking."""
    seat = np.int64(g.actor)
    g.river_towns |= BIT[river]
    low, high = group_of(g, t, seat, t.banks[river, 0], t.banks[river, 1], g.river_towns)
    g.in_town[seat, 0] |= low
    g.in_town[seat, 1] |= high
    g.towns_due += 1
    find_river_sites(g, t, seat)


# ---------------------------------------------------------------------------------------------------- tiles


@rule
def legal_towns(g, mask):
    """Town tiles in the supply."""
    for k in range(g.town_supply.shape[0]):
        mask[TAKE_TOWN + k] = g.town_supply[k] > 0


@rule
def take_town(g, t, k):
    """A town tile: points, key, goods, cult steps; the key counts before the tile's own steps (§10)."""
    seat = np.int64(g.actor)
    g.towns_due -= 1
    g.town_supply[k] -= 1
    g.towns[seat, k] += 1
    gain_vp(g, seat, np.int64(t.town_vp[k]), V_TOWN)
    gain_vp(g, seat, np.int64(t.score_vp[g.scoring[g.round_number - 1], components.SCORE_TOWN]), V_SCORING)
    gain(g, seat, t.town_gain[k])
    if g.faction[seat] == components.WITCHES:
        gain_vp(g, seat, WITCHES_VP, V_FACTION)
    if g.faction[seat] == components.SWARMLINGS:
        g.workers[seat] += 3
    if k == components.TW7:
        free_ship(g, t, seat)
    raise_all_cults(g, seat, np.int64(t.town_keys[k]), np.int64(t.town_steps[k]))


@rule
def raise_all_cults(g, seat, keys, steps):
    """Keys, then steps on every track: steps to 10 wait until all tracks have moved, so that the player can choose."""
    held = np.int64(g.keys[seat])
    g.keys[seat] = 0
    for track in range(4):
        advance_cult(g, seat, track, steps)
    g.keys[seat] = held + keys
    use_keys(g, seat)


@rule
def free_ship(g, t, seat):
    """One shipping level without cost, with its points; a carpet range more for the Fakirs."""
    f = np.int64(g.faction[seat])
    level = np.int64(g.ship[seat])
    if f == components.FAKIRS:
        set_ship(g, t, seat, level + 1)
    elif level < t.ship_max[f]:
        set_ship(g, t, seat, level + 1)
        gain_vp(g, seat, np.int64(t.ship_vp[f, level + 1]), V_ADVANCE)
