"""Worshippers: display, realm, costs, exchange (rules §3.1 and steps 1 to 3, 6 and 7)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.orbis.components import ANY, COLOURS
from theogony.envs.orbis.state import NONE

RATE = 3  # worshippers of one colour for one of any


def _beside(position: int) -> list[int]:
    """Orthogonal neighbours in the display, filled up with NONE."""
    row, column = divmod(position, 3)
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    found = [3 * r + c for r, c in around if 0 <= r < 3 and 0 <= c < 3]
    return found + [NONE] * (4 - len(found))


BESIDE = np.array([_beside(position) for position in range(9)])


@rule
def total(realm):
    """Worshippers of all colours."""
    count = 0
    for colour in range(COLOURS):
        count += np.int64(realm[colour])
    return count


@rule
def generate(g, t):
    """Step 1: one worshipper of the tile's colour flees to each orthogonal neighbour in the display."""
    colour = t.colour[g.hand]
    for k in range(4):
        position = BESIDE[g.source, k]
        if position != NONE:
            g.lying[position, colour] += 1


@rule
def collect(g):
    """Step 2: what lay on the tile goes to the realm, which may exceed the limit during the turn (A15)."""
    for colour in range(COLOURS):
        g.realm[g.actor, colour] += g.lying[g.source, colour]
        g.lying[g.source, colour] = 0


@rule
def named_due(g, t, seat, tile, colour):
    """The named part of a cost that is due with the farms owned (§5, A1)."""
    cost = np.int64(t.cost[tile, colour])
    if (g.farms[seat] >> colour) & 1 == 0:
        return cost
    return max(cost - 1, 0) if t.farm_waives_one else 0


@rule
def payable(g, t, seat, tile):
    """Step 3: whether the realm holds every named part, and enough besides for the "any" parts (A3)."""
    left = total(g.realm[seat])
    for colour in range(COLOURS):
        due = named_due(g, t, seat, tile, colour)
        if due > g.realm[seat, colour]:
            return False
        left -= due
    return left >= t.cost[tile, ANY]


@rule
def pay_named(g, t, seat, tile):
    """Pay the named parts; the "any" parts stay due, and the payer chooses."""
    for colour in range(COLOURS):
        g.realm[seat, colour] -= named_due(g, t, seat, tile, colour)
    g.due[ANY] = t.cost[tile, ANY]


@rule
def can_exchange(g, seat):
    """Whether three of a colour are at hand (§3.1)."""
    for colour in range(COLOURS):
        if g.realm[seat, colour] >= RATE:
            return True
    return False


@rule
def exchange(g, seat, give, get):
    """Return three worshippers of a colour, take one of any (§3.1)."""
    g.realm[seat, give] -= RATE
    g.realm[seat, get] += 1


@rule
def refill(g):
    """Step 7: the next tile, of the lowest level that is left, without worshippers. There always is one (A27)."""
    g.display[g.source] = g.pile[g.drawn]
    g.pile[g.drawn] = NONE
    g.drawn += 1
