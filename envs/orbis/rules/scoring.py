"""End and scoring (rules §6, §7). Valid at any time, as if the game ended now."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.orbis.components import FEWEST, IF_DONE, MOST, SET, TEMPLE, WAIVED, WHITE
from theogony.envs.orbis.rules.effects import total
from theogony.envs.orbis.rules.pyramid import count_bits, forest_matches
from theogony.envs.orbis.state import CELLS, NONE

FORESTS, TEMPLES, WILDERNESSES = 3, 4, 5  # indices of components.COUNTED; 0 to 2 are columns of `counts`

HIGHEST = np.int64(1000)  # above every mythology value


@rule
def forest_active(g, t, seat, cell):
    """All or nothing: at least the number shown (A10)."""
    return forest_matches(g, t, seat, cell) >= t.number[g.tiles[seat, cell]]


@rule
def forest_points(g, t, seat):
    """Creation points of the active forests."""
    points, cell, forests = 0, 0, np.int64(g.forests[seat])
    while forests:
        if forests & 1 and forest_active(g, t, seat, cell):
            points += np.int64(t.cp[g.tiles[seat, cell]])
        forests >>= 1
        cell += 1
    return points


@rule
def active_forests(g, t, seat):
    """Number of active forests."""
    count, cell, forests = 0, 0, np.int64(g.forests[seat])
    while forests:
        count += forests & 1 and forest_active(g, t, seat, cell)
        forests >>= 1
        cell += 1
    return count


@rule
def count(g, t, seat, what):
    """What gods count, in the order of components.COUNTED."""
    if what < FORESTS:
        return np.int64(g.counts[seat, what])
    if what == FORESTS:
        return active_forests(g, t, seat)
    if what == TEMPLES:
        return np.int64(g.icons[seat])
    return count_bits(g.wild[seat])


@rule
def god_fulfilled(g, t, seat):
    """Whether the condition of the seat's god is met; ties count for the owner (§6)."""
    god = np.int64(g.god[seat])
    end = t.end[god]
    if end == IF_DONE:
        return g.taken[seat] != 0
    if end == SET:
        return set_complete(g, t, seat, god)
    if end == MOST:
        return has_most(g, t, seat, np.int64(t.what[god]))
    if end == FEWEST:  # zero counts, also when tied (A21)
        return has_fewest(g, t, seat, np.int64(t.what[god]))
    return True


@rule
def set_complete(g, t, seat, god):
    """Balance: at least so many of each (A22)."""
    for what in range(t.needs.shape[1]):
        if t.needs[god, what] > 0 and count(g, t, seat, what) < t.needs[god, what]:
            return False
    return True


@rule
def has_most(g, t, seat, what):
    """Nobody has more, and there is at least one (A20)."""
    own = count(g, t, seat, what)
    for other in range(np.int64(g.players)):
        if count(g, t, other, what) > own:
            return False
    return own > 0 or t.most_needs_one == 0


@rule
def has_fewest(g, t, seat, what):
    """Nobody has fewer."""
    own = count(g, t, seat, what)
    for other in range(np.int64(g.players)):
        if count(g, t, other, what) < own:
            return False
    return True


@rule
def god_points(g, t, seat):
    """Creation points of the god; none without a god."""
    if g.god[seat] == NONE or not god_fulfilled(g, t, seat):
        return 0
    return np.int64(t.god_cp[g.god[seat]])


@rule
def wilderness_points(g, t, seat):
    """-1 for each wilderness, but nothing under the idle goddess (A33)."""
    if g.god[seat] != NONE and t.end[g.god[seat]] == WAIVED:
        return 0
    return -count_bits(g.wild[seat])


@rule
def mythology_below(g, t, seat, limit):
    """The highest mythology value below a limit on an own face-up white tile, and how many show it (A24)."""
    best, number = 0, 0
    shown = np.int64(g.colours[seat, WHITE]) & ~np.int64(g.wild[seat])
    for cell in range(CELLS):
        if (shown >> cell) & 1:
            tile = g.tiles[seat, cell]
            value = np.int64(t.mythology[tile])
            if value >= limit or value < best or (t.tie_by_temples_only and t.effect[tile] != TEMPLE):
                continue
            number = number + 1 if value == best else 1
            best = value
    return best, number


@rule
def temples_before(g, t, seat, other):
    """Whether a seat chooses its temple token before another: icons, then mythology values, then seat (A24)."""
    if g.icons[seat] != g.icons[other]:
        return g.icons[seat] > g.icons[other]
    limit = HIGHEST
    while limit > 0:
        mine, times = mythology_below(g, t, seat, limit)
        theirs, others_times = mythology_below(g, t, other, limit)
        if mine != theirs:
            return mine > theirs
        if mine > 0 and times != others_times:
            return times > others_times
        limit = mine
    return seat < other


@rule
def temple_rank(g, t, seat):
    """Place in the temple ranking from 0, or NONE without temples."""
    if g.icons[seat] == 0:
        return NONE
    rank = 0
    for other in range(np.int64(g.players)):
        if other != seat and g.icons[other] > 0 and temples_before(g, t, other, seat):
            rank += 1
    return rank


@rule
def temple_points(g, t, seat):
    """The token of the rank: the best that is left each (A25)."""
    rank = temple_rank(g, t, seat)
    return np.int64(t.tokens[rank]) if rank != NONE else 0


@rule
def points_but_token(g, t, seat):
    """Creation points of tiles and god."""
    tiles = np.int64(g.cp[seat]) + forest_points(g, t, seat) + wilderness_points(g, t, seat)
    return tiles + god_points(g, t, seat)


@rule
def points(g, t, seat):
    """Creation points of a seat (§7.3)."""
    return points_but_token(g, t, seat) + temple_points(g, t, seat)


@rule
def score(g, t, out):
    """Printed score of each seat."""
    for seat in range(np.int64(g.players)):
        out[seat] = points(g, t, seat)


@rule
def standing(g, t, out):
    """Score, then worshippers left; still tied is a shared victory (§7.4, A31)."""
    for seat in range(np.int64(g.players)):
        out[seat] = points(g, t, seat) + total(g.realm[seat]) / 256.0
