"""The special achievements, winning, and the endings of the game (rules §6 and §8)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.innovation import state
from theogony.envs.innovation.cards.opcodes import ACHIEVEMENTS, COLOUR_COUNT, POINTS, TALLIED
from theogony.envs.innovation.components import CLOCK, EMPIRE, LEFT, MONUMENT, NO_SPLAY, SPECIALS, WONDER, WORLD
from theogony.envs.innovation.rules.piles import count_of_icon, icon_count, note

AT_LEAST_THREE = np.uint64(0x7D7D7D7D7D7D)  # added to the six counts, it carries into the high bit of each from 3 on
HIGH_BITS = np.uint64(0x808080808080)


@rule
def settle(g, t):
    """Claim what players meet whose boards or counters changed: the active player first, then clockwise (ruling R1)."""
    dirty = np.int64(g.dirty)
    g.dirty = 0
    for k in range(g.players):
        seat = (g.turn + k) % g.players
        if (dirty >> seat) & 1 != 0:
            for special in range(len(SPECIALS)):
                if g.special[special] == state.NONE and g.over == 0 and meets(g, t, seat, special):
                    claim_special(g, t, seat, special)


@rule
def meets(g, t, seat, special):
    """Whether a player meets the printed condition of a special achievement (rules §6)."""
    if special == MONUMENT:
        return g.tucks[seat] >= 6 or g.scores[seat] >= 6
    if special == EMPIRE or special == WORLD:
        return enough_icons(special, g.icons[seat])
    if special == WONDER:
        for pile in range(seat * state.SIDE, seat * state.SIDE + state.SIDE):
            if g.splay[pile] == NO_SPLAY or g.splay[pile] == LEFT:
                return False
        return True
    for pile in range(seat * state.SIDE, seat * state.SIDE + state.SIDE):  # Universe
        if g.top[pile] == state.NONE or t.age[g.top[pile]] < 8:
            return False
    return True


@rule
def enough_icons(special, icons):
    """Empire: three of each icon; World: twelve clocks (rules §6)."""
    if special == EMPIRE:
        return ((icons + AT_LEAST_THREE) & HIGH_BITS) == HIGH_BITS
    return count_of_icon(icons, CLOCK) >= 12


@rule
def claim_special(g, t, seat, special):
    """Take a special achievement that is still there."""
    if g.special[special] != state.NONE:
        return
    g.special[special] = seat
    if g.dogma != state.NONE and g.demanding == 0 and g.performer != g.turn:  # a change of the game (rules §5.1)
        g.bonus = 1
    note(g, state.LOG_SPECIAL + special, state.UNCLAIMED, state.CLAIMED + seat)
    gain(g, t, seat)


@rule
def gain(g, t, seat):
    """One more achievement; enough of them win at once (rules §8.1)."""
    g.achievements[seat] += 1
    if g.achievements[seat] >= t.needed:
        end(g, state.BY_ACHIEVEMENTS, 1 << seat)


@rule
def end(g, how, winners):
    """The game is over at once (rules §8)."""
    g.over = ENDED
    g.ended_by = how
    g.winners = winners


@rule
def end_by_points(g):
    """A card above 10 was to be drawn: most points win, then most achievements; else they share it (rules §8.2)."""
    best = np.int64(-1)
    winners = 0
    for seat in range(g.players):
        rank = np.int64(g.points[seat]) * 100 + np.int64(g.achievements[seat])
        if rank > best:
            best, winners = rank, 0
        if rank == best:
            winners |= 1 << seat
    end(g, state.BY_POINTS, winners)


@rule
def metric(g, which, seat):
    """How much a player has of something: visible icons, points, achievements, its tally, its colours."""
    if which == POINTS:
        return np.int64(g.points[seat])
    if which == ACHIEVEMENTS:
        return np.int64(g.achievements[seat])
    if which == TALLIED:
        return np.int64(g.tally[seat])
    if which == COLOUR_COUNT:
        colours = np.int64(0)
        for pile in range(seat * state.SIDE, seat * state.SIDE + state.SIDE):
            colours += 1 if g.height[pile] > 0 else 0
        return colours
    return icon_count(g, seat, which)


@rule
def single_winner(g, which, most):
    """The single player with the most (or the least) of something wins; a tie changes nothing (rules §8.3)."""
    sign = 1 if most != 0 else -1
    best = sign * metric(g, which, 0)
    winners = 0
    for seat in range(g.players):
        here = sign * metric(g, which, seat)
        if here > best:
            best, winners = here, 0
        if here == best:
            winners |= 1 << seat
    if winners & (winners - 1) == 0:
        end(g, state.BY_CARD, winners)
