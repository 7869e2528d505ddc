"""Goods: victory points, coins, workers, priests and the three bowls of power (rules §1, §3)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import BURN, CONVERT
from theogony.envs.terra_mystica.components import ALCHEMISTS, COIN, POWER, PRIEST, PRIESTS, WORKER
from theogony.envs.terra_mystica.state import V_EXCHANGE

# Conversions in the order of the codec: coins, workers, priests, power, victory points given and taken (rules §3).
GIVEN = np.array(((0, 0, 0, 5, 0), (0, 0, 0, 3, 0), (0, 0, 0, 1, 0), (0, 0, 1, 0, 0),
                  (0, 1, 0, 0, 0), (0, 0, 0, 0, 1), (2, 0, 0, 0, 0)), np.int64)  # fmt: skip
TAKEN = np.array(((0, 0, 1, 0, 0), (0, 1, 0, 0, 0), (1, 0, 0, 0, 0), (0, 1, 0, 0, 0),
                  (1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 0, 1)), np.int64)  # fmt: skip
COMMON_CONVERSIONS = 5  # the other two are the Alchemists'
TO_ONE_PRIEST = 0


@rule
def gain_vp(g, seat, points, source):
    """Victory points, noted by where they come from. May be negative."""
    g.vp[seat] += points
    g.vp_from[seat, source] += points


@rule
def power_room(g, seat):
    """Power that the bowls can still take (rules §8)."""
    return 2 * np.int64(g.bowls[seat, 0]) + np.int64(g.bowls[seat, 1])


@rule
def gain_power(g, seat, power):
    """Token by token: from bowl I to II, then from II to III; the rest is lost (rules §3)."""
    bowls = g.bowls[seat]
    first = min(np.int64(power), np.int64(bowls[0]))
    bowls[0] -= first
    bowls[1] += first
    second = min(np.int64(power) - first, np.int64(bowls[1]))
    bowls[1] -= second
    bowls[2] += second


@rule
def spend_power(g, seat, power):
    """Tokens go from bowl III to bowl I."""
    g.bowls[seat, 2] -= power
    g.bowls[seat, 0] += power


@rule
def priest_room(g, seat):
    """Priests that may still be gained (rules §1)."""
    return PRIESTS - np.int64(g.priests_away[seat]) - np.int64(g.priests[seat])


@rule
def gain(g, seat, goods):
    """Coins, workers, priests (up to the limit) and power of an array of goods."""
    g.coins[seat] += goods[COIN]
    g.workers[seat] += goods[WORKER]
    g.priests[seat] += min(np.int64(goods[PRIEST]), priest_room(g, seat))
    gain_power(g, seat, np.int64(goods[POWER]))


@rule
def affordable(g, seat, cost):
    """Whether a seat has the coins, workers and priests of a cost."""
    return g.coins[seat] >= cost[COIN] and g.workers[seat] >= cost[WORKER] and g.priests[seat] >= cost[PRIEST]


@rule
def pay(g, seat, cost):
    """Pay coins, workers and priests."""
    g.coins[seat] -= cost[COIN]
    g.workers[seat] -= cost[WORKER]
    g.priests[seat] -= cost[PRIEST]


@rule
def legal_conversions(g, mask):
    """Free conversions and burning, any number in the own turn (rules §3)."""
    seat = np.int64(g.actor)
    power, room = g.bowls[seat, 2], priest_room(g, seat) > 0
    mask[CONVERT] = power >= 5 and room
    mask[CONVERT + 1] = power >= 3
    mask[CONVERT + 2] = power >= 1
    mask[CONVERT + 3] = g.priests[seat] >= 1
    mask[CONVERT + 4] = g.workers[seat] >= 1
    if g.faction[seat] == ALCHEMISTS:
        mask[CONVERT + 5] = g.vp[seat] >= 1
        mask[CONVERT + 6] = g.coins[seat] >= 2
    mask[BURN] = g.bowls[seat, 1] >= 2


@rule
def convert(g, k):
    """Conversion number k."""
    seat = np.int64(g.actor)
    given, taken = GIVEN[k], TAKEN[k]
    g.coins[seat] += taken[0] - given[0]
    g.workers[seat] += taken[1] - given[1]
    g.priests[seat] += taken[2] - given[2]
    spend_power(g, seat, given[3])
    if k >= COMMON_CONVERSIONS:
        gain_vp(g, seat, taken[4] - given[4], V_EXCHANGE)


@rule
def burn(g):
    """One token of bowl II leaves the game, another moves to bowl III (rules §3)."""
    bowls = g.bowls[np.int64(g.actor)]
    bowls[1] -= 2
    bowls[2] += 1
