"""The smaller actions: advancing, power actions, special actions, bridges and favor tiles (§6, §11)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import ACT, ADVANCE, BRIDGE, SPECIAL, TAKE_FAVOR
from theogony.envs.terra_mystica.components import (
    AUREN,
    BON1,
    BON2,
    CHAOS_MAGICIANS,
    ENGINEERS,
    FACTIONS,
    FAV5,
    FAV6,
    GIANTS,
    NOMADS,
    POWER_COST,
    POWER_GOODS,
    PRIEST,
    SH,
    SPADE,
    SWARMLINGS,
    TP,
    WITCHES,
    D,
    goods,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.bits import ZERO, holds
from theogony.envs.terra_mystica.rules.building import PIECES
from theogony.envs.terra_mystica.rules.power import (
    advance_cult,
    affordable,
    burn,
    gain,
    gain_vp,
    pay,
    power_within_reach,
    priest_room,
    spend_power,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.reach import any_bridge, bridge_open, gain_spades, lay_bridge, set_ship
from theogony.envs.terra_mystica.rules.targets import any_target, sandstorm_targets
from theogony.envs.terra_mystica.rules.towns import check_all_groups, check_group, find_river_sites
from theogony.envs.terra_mystica.state import ACTION_SPADES, NONE, SANDSTORM, V_ADVANCE

PRICES = np.array(POWER_COST, np.int64)  # of the power actions
BRINGS = np.array([goods(text) for text in POWER_GOODS], np.int64)  # coins, workers, priests, power, spades
BRIDGE_ACTION = 0
SPECIAL_SPADES = np.array((1, 0, 0, 0, 0, 2, 0, 0, 0, 0), np.int64)  # of BON1 and ACTG
DIG_VP = np.int64(6)
BRIDGE_WORKERS = 2  # the Engineers' own action
S_BON1, S_BON2, S_FAV6, S_ACTA, S_ACTC, S_ACTG, S_ACTN, S_ACTS, S_ACTW, S_ACTE = range(
    10
)  # of SPECIALS in `actions.py`
OF_FACTIONS = S_FAV6 + 1  # octagons of cards and tiles come first
OCTAGONS = np.full(len(FACTIONS), NONE, np.int64)  # special action of each faction
for _f, _k in ((AUREN, S_ACTA), (CHAOS_MAGICIANS, S_ACTC), (GIANTS, S_ACTG), (NOMADS, S_ACTN), (SWARMLINGS, S_ACTS),
               (WITCHES, S_ACTW), (ENGINEERS, S_ACTE)):  # fmt: skip
    OCTAGONS[_f] = _k

# ---------------------------------------------------------------------------------------------------- advancing


@rule
def legal_advances(g, t, mask):
    """Shipping and digging, up to the faction's limits (§6.2, §6.3)."""
    seat = np.int64(g.actor)
    f = np.int64(g.faction[seat])
    if not t.skips[f] and g.ship[seat] < t.ship_max[f]:
        mask[ADVANCE] = affordable(g, seat, t.ship_cost)
    if g.dig[seat] < t.dig_max[f]:
        mask[ADVANCE + 1] = affordable(g, seat, t.dig_cost[f])


@rule
def advance(g, t, what):
    """One level of shipping (0) or digging (1), with its points."""
    seat = np.int64(g.actor)
    f = np.int64(g.faction[seat])
    if what == 0:
        pay(g, seat, t.ship_cost)
        level = np.int64(g.ship[seat]) + 1
        set_ship(g, t, seat, level)
        gain_vp(g, seat, np.int64(t.ship_vp[f, level]), V_ADVANCE)
    else:
        pay(g, seat, t.dig_cost[f])
        g.dig[seat] += 1
        gain_vp(g, seat, DIG_VP, V_ADVANCE)


# ---------------------------------------------------------------------------------------------------- power actions


@rule
def legal_power_actions(g, t, mask):
    """Each once a round over all players, tokens that lack being burned (ruling R6). Barred where it does nothing."""
    seat = np.int64(g.actor)
    power = power_within_reach(g, seat)
    if power < PRICES[0]:
        return
    for k in range(PRICES.shape[0]):
        if not g.power_used[k] and power >= PRICES[k]:
            mask[ACT + k] = useful(g, t, seat, k)


@rule
def useful(g, t, seat, k):
    """Whether a power action would do something: a site, room for a priest, a space for its spades (ruling R1)."""
    if k == BRIDGE_ACTION:
        return any_bridge(g, t, seat)
    if BRINGS[k, PRIEST] > 0:
        return priest_room(g, seat) > 0
    return BRINGS[k, SPADE] == 0 or any_target(g, t, seat, BRINGS[k, SPADE])


@rule
def power_action(g, t, k):
    """ACT1 a bridge, ACT2 a priest, ACT3 workers, ACT4 coins, ACT5 and ACT6 spades (§6.6)."""
    seat = np.int64(g.actor)
    burn(g, seat, max(PRICES[k] - np.int64(g.bowls[seat, 2]), 0))
    spend_power(g, seat, PRICES[k])
    g.power_used[k] = 1
    gain(g, seat, BRINGS[k])
    if k == BRIDGE_ACTION:
        g.bridge_due = 1
    elif BRINGS[k, SPADE] > 0:
        bring_spades(g, t, seat, BRINGS[k, SPADE])


@rule
def bring_spades(g, t, seat, spades):
    """Free spades for one transform-and-build."""
    g.spades = spades
    g.spade_use = ACTION_SPADES
    gain_spades(g, t, seat, spades)


# ---------------------------------------------------------------------------------------------------- bridges


@rule
def legal_bridges(g, t, mask):
    """Free sites with an own structure at an end (ruling R3)."""
    seat = np.int64(g.actor)
    for site in range(t.ends.shape[0]):
        mask[BRIDGE + site] = bridge_open(g, t, seat, site)


@rule
def build_bridge(g, t, site):
    """A bridge may found a town."""
    seat = np.int64(g.actor)
    g.bridge_due = 0
    lay_bridge(g, t, seat, site)
    for end in range(2):
        if holds(g.own[seat], np.int64(t.ends[site, end])):  # an opponent's structure founds nothing
            check_group(g, t, seat, np.int64(t.ends[site, end]))
    find_river_sites(g, t, seat)


# ---------------------------------------------------------------------------------------------------- special actions


@rule
def has_special(g, seat, k):
    """Whether a seat has an orange octagon (§6.7)."""
    if k == S_BON1:
        return g.card[seat] == BON1
    if k == S_BON2:
        return g.card[seat] == BON2
    if k == S_FAV6:
        return g.favors[seat, FAV6] > 0
    return OCTAGONS[g.faction[seat]] == k and (k == S_ACTE or g.built[seat, SH] > 0)


@rule
def any_used(g, seat):
    """Whether a seat used a special action this round."""
    for k in range(g.specials_used.shape[1]):
        if g.specials_used[seat, k]:
            return True
    return False


@rule
def legal_specials(g, t, mask):
    """Each octagon once a round, or one of them (R22); the Engineers' bridge as often as bridges last."""
    seat = np.int64(g.actor)
    barred = t.one_special != 0 and any_used(g, seat)
    for k in range(OF_FACTIONS):
        if has_special(g, seat, k) and not g.specials_used[seat, k] and not barred:
            mask[SPECIAL + k] = special_useful(g, t, seat, k)
    k = OCTAGONS[g.faction[seat]]
    if k != NONE and has_special(g, seat, k) and not g.specials_used[seat, k] and not (barred and k != S_ACTE):
        mask[SPECIAL + k] = special_useful(g, t, seat, k)


@rule
def special_useful(g, t, seat, k):
    """Whether a special action would do something."""
    if SPECIAL_SPADES[k] > 0:
        return any_target(g, t, seat, SPECIAL_SPADES[k])
    if k == S_ACTN:
        low, high = sandstorm_targets(g, t, seat)
        return low | high != ZERO
    if k == S_ACTS:
        return g.built[seat, D] > 0 and g.built[seat, TP] < PIECES[TP]
    if k == S_ACTW:
        home = g.colour[t.home[g.faction[seat]]]
        free = home[0] & ~g.taken[0] | home[1] & ~g.taken[1]
        return g.built[seat, D] < PIECES[D] and free != ZERO
    if k == S_ACTE:
        return g.workers[seat] >= BRIDGE_WORKERS and any_bridge(g, t, seat)
    return True


@rule
def special_action(g, t, k):
    """Use an octagon."""
    seat = np.int64(g.actor)
    if k != S_ACTE:
        g.specials_used[seat, k] = 1
    if SPECIAL_SPADES[k] > 0:
        bring_spades(g, t, seat, SPECIAL_SPADES[k])
    elif k == S_BON2 or k == S_FAV6:
        g.steps_due = 1
    elif k == S_ACTA:
        g.steps_due = 2
    elif k == S_ACTC:
        g.turns_left = 2
    elif k == S_ACTN:
        g.spade_use = SANDSTORM
    elif k == S_ACTS:
        g.free_house = 1
    elif k == S_ACTW:
        ride(g, t, seat)
    else:
        g.workers[seat] -= BRIDGE_WORKERS
        g.bridge_due = 1


@rule
def ride(g, t, seat):
    """The Witches' free dwelling on any free space of their colour."""
    home = g.colour[t.home[g.faction[seat]]]
    for w in range(2):
        g.sites[w] = home[w] & ~g.taken[w]
    g.free_dwelling = 1


# ---------------------------------------------------------------------------------------------------- favor tiles


@rule
def legal_favors(g, mask):
    """Tiles in the supply; at most one of a kind per player (§11)."""
    seat = np.int64(g.actor)
    for k in range(g.favors.shape[1]):
        mask[TAKE_FAVOR + k] = g.favor_supply[k] > 0 and not g.favors[seat, k]


@rule
def take_favor(g, t, k):
    """A favor tile: its cult steps at once; FAV5 lowers what a town needs."""
    seat = np.int64(g.actor)
    g.favors_due -= 1
    g.favor_supply[k] -= 1
    g.favors[seat, k] = 1
    advance_cult(g, seat, np.int64(t.favor_cult[k]), np.int64(t.favor_steps[k]))
    if k == FAV5:
        check_all_groups(g, t, seat)
        find_river_sites(g, t, seat)
