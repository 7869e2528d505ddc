"""Choices that are not of cards: splays, colours, players, values, yes or no, the order of a pile.

Each is entered again with `g.answer` set (the action plus 1) and goes on from there. They return True when they are
done and False when somebody has to decide.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation import actions as at
from theogony.envs.innovation import state
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.components import EMPIRE, NO_SPLAY, SPECIALS, UNIVERSE, WHOLE, WORLD
from theogony.envs.innovation.rules.achievements import enough_icons, settle
from theogony.envs.innovation.rules.bits import ZERO, count, discard, first, has, insert, is_empty, lowest_bit
from theogony.envs.innovation.rules.legal import ask, take_answer
from theogony.envs.innovation.rules.moves import changed, see_order
from theogony.envs.innovation.rules.numbers import number
from theogony.envs.innovation.rules.piles import can_splay, note, put_on_top, put_under, set_splay, take_out

FIRST_OPTION = np.array([at.COLOUR_AT, at.PLAYER_AT, at.VALUE_AT, at.ANSWER_AT, at.ALTERNATIVE_AT, at.PAIR_AT])
KIND = np.array([state.COLOUR, state.PLAYER, state.VALUE, state.YES_NO, state.ALTERNATIVE, state.PAIR])
PAIR_BITS = np.array([3, 5, 9, 17, 6, 10, 18, 12, 20, 24])  # the two colours of each pair, as bits


@rule
def splay(g, t, f, row):
    """Splay a colour among those that can be; optional ones are asked, even a single one (rules §4.5)."""
    me, direction = np.int64(g.num[f, op.ME]), np.int64(row[1])
    if g.answer != 0:
        action = take_answer(g)
        if action != at.STOP_AT:
            splay_pile(g, t, f, me * state.SIDE + action - at.COLOUR_AT, direction)
        return True
    g.num[f, op.DONE] = 0
    possible = 0
    colours = number(g, f, row[2])
    for colour in range(state.SIDE):
        if (colours >> colour) & 1 != 0 and can_splay(g, me * state.SIDE + colour, direction):
            possible |= 1 << colour
    if possible == 0:
        return True
    if row[3] & op.MAY == 0:  # a colour that the effect names
        splay_pile(g, t, f, me * state.SIDE + lowest_bit(np.uint64(possible)), direction)
        return True
    ask(g, me, state.SPLAY_COLOUR, True)
    g.options[2] |= np.uint64(possible) << np.uint64(at.COLOUR_AT - at.STOP_AT)
    g.aim = direction
    return False


@rule
def splay_pile(g, t, f, pile, direction):
    """A splay that really happens."""
    set_splay(g, t, pile, direction)
    note(g, state.LOG_SPLAY, pile, direction)
    g.num[f, op.DONE] = 1
    changed(g)
    g.dirty |= 1 << (pile // state.SIDE)
    settle(g, t)


@rule
def choose(g, f, row):
    """A colour, player, value, yes or no, alternative or pair of colours. Leaves it in CHOSEN."""
    kind, me = np.int64(row[1]), np.int64(g.num[f, op.ME])
    base = FIRST_OPTION[kind]
    if g.answer != 0:
        action = take_answer(g)
        g.num[f, op.DONE] = 0 if action == at.STOP_AT or (KIND[kind] == state.YES_NO and action == base) else 1
        if action != at.STOP_AT:
            g.num[f, op.CHOSEN] = meaning(g, KIND[kind], me, action - base)
        return True
    g.num[f, op.DONE] = 0
    options = number(g, f, row[2])
    if KIND[kind] == state.PLAYER:  # seats become distances to the left
        options = ((options | options << g.players) >> (me + 1)) & ((1 << (g.players - 1)) - 1)
    if options == 0:
        return True
    if row[3] & op.MAY == 0 and options & (options - 1) == 0:  # one answer is no question (ruling R14)
        g.num[f, op.DONE] = 1
        g.num[f, op.CHOSEN] = meaning(g, KIND[kind], me, lowest_bit(np.uint64(options)))
        return True
    ask(g, me, KIND[kind], row[3] & op.MAY != 0)
    g.options[2] |= np.uint64(options) << np.uint64(base - at.STOP_AT)
    return False


@rule
def meaning(g, kind, me, k):
    """The number that an option stands for."""
    if kind == state.PLAYER:
        return np.int64((me + 1 + k) % g.players)
    if kind == state.VALUE:
        return np.int64(k + 1)
    if kind == state.PAIR:
        return np.int64(PAIR_BITS[k])
    return np.int64(k)


@rule
def reorder(g, t, f, row):
    """Publications: choose a pile, then its cards one by one from the top down; each goes under those before it.

    The pool holds the cards that are still to come. Others see the top card only (ruling R11).
    """
    me = np.int64(g.num[f, op.ME])
    pool = g.sets[f, op.POOL]
    if g.answer == 0:
        return not ask_for_pile(g, me, row)
    action = take_answer(g)
    if action == at.STOP_AT:
        return True
    if g.reordered == 0:
        g.reordered = me * state.SIDE + action - at.COLOUR_AT + 1
        hide_order(g, np.int64(g.reordered) - 1, pool)
    else:
        place_next(g, t, f, action)
    while count(pool) == 1:
        place_next(g, t, f, first(pool))
    if is_empty(pool):
        finish_reorder(g, t, f, np.int64(g.reordered) - 1)
        return True
    ask(g, me, state.ORDER, False)
    g.options[0] |= pool[0]
    g.options[1] |= pool[1]
    return False


@rule
def ask_for_pile(g, me, row):
    """Offer the piles of two cards or more. Returns whether there is one."""
    g.num[g.depth - 1, op.DONE] = 0
    possible = 0
    for colour in range(state.SIDE):
        if g.height[me * state.SIDE + colour] >= 2:
            possible |= 1 << colour
    if possible == 0:
        return False
    ask(g, me, state.PILE, row[1] & op.MAY != 0)
    g.options[2] |= np.uint64(possible) << np.uint64(at.COLOUR_AT - at.STOP_AT)
    return True


@rule
def hide_order(g, pile, pool):
    """All cards of a pile are to be placed; which of the covered ones goes where, its owner alone will know."""
    card = np.int64(g.top[pile])
    while card != state.NONE:
        insert(pool, card)
        insert(g.mixed, card)
        card = np.int64(g.below[card])
    discard(g.mixed, g.top[pile])


@rule
def place_next(g, t, f, card):
    """Take a card of the pile and put it under those that were placed before."""
    pile, direction = np.int64(g.reordered) - 1, np.int64(g.splay[g.reordered - 1])
    pool = g.sets[f, op.POOL]
    above, here = np.int64(state.NONE), np.int64(g.top[pile])
    for _ in range(g.height[pile] - count(pool)):
        above, here = here, np.int64(g.below[here])
    discard(pool, card)
    if card == here:
        return
    g.num[f, op.REORDERED] = 1
    take_out(g, t, pile, card)
    if above != state.NONE:
        put_under(g, t, pile, above, card)
    else:
        put_on_top(g, t, pile, card)
        insert(g.mixed, here)
        discard(g.mixed, card)
    if direction != NO_SPLAY:
        set_splay(g, t, pile, direction)


@rule
def finish_reorder(g, t, f, pile):
    """The pile is in order: only now are achievements looked at. A new order is a change of the game (rules §5.1)."""
    g.num[f, op.DONE] = g.num[f, op.REORDERED]
    g.num[f, op.REORDERED] = 0
    g.reordered = 0
    see_order(g, pile)
    if g.num[f, op.DONE] != 0:
        note(g, state.LOG_REORDER, pile, 0)
        changed(g)
        g.dirty |= 1 << (pile // state.SIDE)
        settle(g, t)


# ---- Whether it matters in which order several cards leave a board: who moves them is asked only then (ruling R6) --


@rule
def order_can_matter(g, t, s):
    """Whether one order of taking these cards away meets a free achievement that another order misses (ruling R6).

    Cards that leave a board uncover others, so only icons and top cards change on the way: Empire, World and Universe
    can be met, but neither Wonder (splays) nor Monument (a count). The cards are top cards, or one whole pile.
    """
    place = np.int64(g.place[first(s)])
    if place >= state.SUPPLY:
        return False
    seat = place // state.SIDE
    all_on_top = (s[0] & ~g.tops[seat, 0]) | (s[1] & ~g.tops[seat, 1]) == ZERO
    for special in range(len(SPECIALS)):
        if g.special[special] == state.NONE and (special == EMPIRE or special == UNIVERSE or special == WORLD):
            if all_on_top and order_of_tops_matters(g, t, seat, special, colours_of(g, s, seat)):
                return True
            if not all_on_top and order_of_pile_matters(g, t, seat, special, place % state.SIDE):
                return True
    return False


@rule
def colours_of(g, s, seat):
    """The colours of the top cards in a set, as bits."""
    colours = np.int64(0)
    for colour in range(state.SIDE):
        card = np.int64(g.top[seat * state.SIDE + colour])
        if card != state.NONE and has(s, card):
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
                for colour in range(state.SIDE):
                    before = gone & ~(1 << colour)
                    if before != gone and (missed >> before) & 1 != 0:
                        missed |= np.int64(1) << gone
    return is_met and (missed >> leaving) & 1 != 0


@rule
def order_of_pile_matters(g, t, seat, special, colour):
    """Whether the order matters in which a whole pile leaves: some part of it gone would meet the special achievement.

    From the top down it shows most on the way, from the bottom up nothing new.
    """
    for gone in range(1, g.height[seat * state.SIDE + colour]):
        if would_meet(g, t, seat, special, 1 << colour, gone):
            return True
    return False


@rule
def would_meet(g, t, seat, special, colours, gone):
    """Whether the board would meet an achievement without the first `gone` cards of the piles of these colours."""
    icons, lowest = ZERO, np.int64(99)
    for colour in range(state.SIDE):
        pile = seat * state.SIDE + colour
        card = np.int64(g.top[pile])
        if (colours >> colour) & 1 != 0:
            for _ in range(gone):
                card = np.int64(g.below[card])
        lowest = min(lowest, np.int64(t.age[card]) if card != state.NONE else np.int64(0))
        shows = np.int64(WHOLE)
        while card != state.NONE:
            icons += t.face[card, shows]
            shows = np.int64(g.splay[pile])
            card = np.int64(g.below[card])
    return lowest >= 8 if special == UNIVERSE else enough_icons(special, icons)
