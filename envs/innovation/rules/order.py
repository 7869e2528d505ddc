"""Whether it matters in which order several cards leave a board: who moves them is asked only then (ruling R6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.components import EMPIRE, SPECIALS, UNIVERSE, WHOLE, WORLD
from theogony.envs.innovation.rules.achievements import enough_icons
from theogony.envs.innovation.rules.bits import ZERO, first, has
from theogony.envs.innovation.state import NONE, SIDE, SUPPLY


@rule
def order_can_matter(g, t, s):
    """Whether one order of taking these cards away meets a free achievement that another order misses (ruling R6).

    Cards that leave a board uncover others, so only icons and top cards change on the way: Empire, World and Universe
    can be met, but neither Wonder (splays) nor Monument (a count). The cards are top cards, or one whole pile.
    """
    place = np.int64(g.place[first(s)])
    if place >= SUPPLY:
        return False
    seat = place // SIDE
    all_on_top = (s[0] & ~g.tops[seat, 0]) | (s[1] & ~g.tops[seat, 1]) == ZERO
    for special in range(len(SPECIALS)):
        if g.special[special] == NONE and (special == EMPIRE or special == UNIVERSE or special == WORLD):
            if all_on_top and order_of_tops_matters(g, t, seat, special, colours_of(g, s, seat)):
                return True
            if not all_on_top and order_of_pile_matters(g, t, seat, special, place % SIDE):
                return True
    return False


@rule
def colours_of(g, s, seat):
    """The colours of the top cards in a set, as bits."""
    colours = np.int64(0)
    for colour in range(SIDE):
        card = np.int64(g.top[seat * SIDE + colour])
        if card != NONE and has(s, card):
            colours |= 1 << colour
    return colours


@rule
def order_of_tops_matters(g, t, seat, special, leaving):
    """Whether the order matters in which the top cards of some colours leave: one order meets the special achievement
    and another one misses it.

    Bit k of `missed` says whether the colours k can be gone without its having been met.
    """
    missed, is_met = np.int64(1), False
    for gone in range(1, leaving + 1):
        if gone & ~leaving == 0:
            if would_meet(g, t, seat, special, gone, 1):
                is_met = True
            else:
                for colour in range(SIDE):
                    before = gone & ~(1 << colour)
                    if before != gone and (missed >> before) & 1 != 0:
                        missed |= np.int64(1) << gone
    return is_met and (missed >> leaving) & 1 != 0


@rule
def order_of_pile_matters(g, t, seat, special, colour):
    """Whether the order matters in which a whole pile leaves: some part of it gone would meet the special achievement.

    From the top down it shows most on the way, from the bottom up nothing new.
    """
    for gone in range(1, g.height[seat * SIDE + colour]):
        if would_meet(g, t, seat, special, 1 << colour, gone):
            return True
    return False


@rule
def would_meet(g, t, seat, special, colours, gone):
    """Whether the board would meet an achievement without the first `gone` cards of the piles of these colours."""
    icons, lowest = ZERO, np.int64(99)
    for colour in range(SIDE):
        pile = seat * SIDE + colour
        card = np.int64(g.top[pile])
        if (colours >> colour) & 1 != 0:
            for _ in range(gone):
                card = np.int64(g.below[card])
        lowest = min(lowest, np.int64(t.age[card]) if card != NONE else np.int64(0))
        shows = np.int64(WHOLE)
        while card != NONE:
            icons += t.face[card, shows]
            shows = np.int64(g.splay[pile])
            card = np.int64(g.below[card])
    return lowest >= 8 if special == UNIVERSE else enough_icons(special, icons)
