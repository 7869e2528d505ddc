"""Final scoring: cults, largest area, resources (§13)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.components import ALCHEMISTS
from theogony.envs.terra_mystica.rules.bits import BIT, ZERO, lowest, split, without_lowest
from theogony.envs.terra_mystica.rules.power import gain_vp
from theogony.envs.terra_mystica.rules.reach import neighbours
from theogony.envs.terra_mystica.state import V_AREA, V_CULT, V_GOODS

PRIZES = np.array(((8, 4, 2, 0, 0, 0), (18, 12, 6, 0, 0, 0)), np.int64)  # by place: of a cult, of the largest area
CULT, AREA = np.arange(2)


@rule
def prize(g, kind, held, seat):
    """Points of a seat by what each has: tied seats divide those of their places, rounded down; none scores nothing."""
    better, equal, total = 0, 0, 0
    for other in range(np.int64(g.players)):
        better += held[other] > held[seat]
        equal += held[other] == held[seat]
    for place in range(better, better + equal):
        total += PRIZES[kind, place]
    return total // equal if held[seat] > 0 else 0


@rule
def area_of(g, t, seat, space):
    """The own structures connected with a space directly, by ship, or by the spaces a faction may skip."""
    way, level = np.int64(t.skips[g.faction[seat]]), np.int64(g.ship[seat])
    own_low, own_high = g.own[seat, 0], g.own[seat, 1]
    low, high = BIT[space] if space < 64 else ZERO, ZERO if space < 64 else BIT[space - 64]
    front_low, front_high = low, high
    while front_low != ZERO or front_high != ZERO:
        at, front_low, front_high = split(front_low, front_high)
        new_low, new_high = neighbours(g, t, at)
        new_low, new_high = new_low | t.far[way, level, at, 0], new_high | t.far[way, level, at, 1]
        new_low, new_high = new_low & own_low & ~low, new_high & own_high & ~high
        low, high = low | new_low, high | new_high
        front_low, front_high = front_low | new_low, front_high | new_high
    return low, high


@rule
def count_bits(word):
    """Number of bits of a word."""
    count = 0
    while word != ZERO:
        word = without_lowest(word)
        count += 1
    return count


@rule
def largest_area(g, t, seat):
    """Structures in the largest connected group of a seat (§13)."""
    best = 0
    left_low, left_high = g.own[seat, 0], g.own[seat, 1]
    while left_low != ZERO or left_high != ZERO:
        start = lowest(left_low) if left_low != ZERO else 64 + lowest(left_high)
        low, high = area_of(g, t, seat, start)
        best = max(best, count_bits(low) + count_bits(high))
        left_low, left_high = left_low & ~low, left_high & ~high
    return best


@rule
def coins_worth(g, seat):
    """All resources turned into coins; half of bowl II can be burned for coins (ruling R17)."""
    bowls = g.bowls[seat]
    goods = np.int64(g.coins[seat]) + np.int64(g.workers[seat]) + np.int64(g.priests[seat])
    return goods + np.int64(bowls[2]) + np.int64(bowls[1]) // 2


@rule
def goods_vp(g, seat):
    """A point for 3 coins, for the Alchemists 2."""
    return coins_worth(g, seat) // (2 if g.faction[seat] == ALCHEMISTS else 3)


@rule
def final_scoring(g, t):
    """The points after the last pass."""
    for seat in range(np.int64(g.players)):
        g.area[seat] = largest_area(g, t, seat)
    for seat in range(np.int64(g.players)):
        for track in range(4):
            gain_vp(g, seat, prize(g, CULT, g.cult[:, track], seat), V_CULT)
        gain_vp(g, seat, prize(g, AREA, g.area, seat), V_AREA)
        gain_vp(g, seat, goods_vp(g, seat), V_GOODS)
        sell_goods(g, seat)


@rule
def sell_goods(g, seat):
    """The goods that were turned into points are gone; coins keep the remainder."""
    g.coins[seat] = coins_worth(g, seat) % (2 if g.faction[seat] == ALCHEMISTS else 3)
    g.workers[seat] = 0
    g.priests[seat] = 0
    bowls = g.bowls[seat]
    bowls[0] += bowls[2] + bowls[1] // 2
    bowls[1] %= 2
    bowls[2] = 0


@rule
def score(g, t, out):
    """Victory points of each seat."""
    for seat in range(np.int64(g.players)):
        out[seat] = g.vp[seat]


@rule
def standing(g, t, out):
    """Victory points rank the seats; equal totals share a place."""
    for seat in range(np.int64(g.players)):
        out[seat] = g.vp[seat]
