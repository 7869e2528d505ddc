"""The instructions that may wait for an answer.

Each is entered again with `g.answer` set (the action plus 1) and goes on from there. They return True when they are
done and False when somebody has to decide; then `actor`, `decision` and `options` say who and what.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import chance
from theogony.envs.innovation import actions as at
from theogony.envs.innovation import opcodes as op
from theogony.envs.innovation.components import AGES, CARDS
from theogony.envs.innovation.rules.achievements import settle
from theogony.envs.innovation.rules.bits import (
    ONE,
    ZERO,
    clear,
    count,
    count_of_age,
    count_of_colour,
    discard,
    first,
    insert,
    is_empty,
    keep_highest,
    keep_lowest,
    lowest_bit,
)
from theogony.envs.innovation.rules.log import note
from theogony.envs.innovation.rules.moves import carry_out, changed
from theogony.envs.innovation.rules.numbers import number
from theogony.envs.innovation.rules.piles import SIDE, can_splay, put_on_top, set_splay, take_out
from theogony.envs.innovation.state import (
    ALTERNATIVE,
    CARD,
    COLOUR,
    LOG_REORDER,
    LOG_SPLAY,
    NONE,
    ORDER,
    PAIR,
    PILE,
    PLAYER,
    SPLAY_COLOUR,
    VALUE,
    YES_NO,
)

FIRST_OPTION = np.array([at.COLOUR_AT, at.PLAYER_AT, at.VALUE_AT, at.ANSWER_AT, at.ALTERNATIVE_AT, at.PAIR_AT])
KIND = np.array([COLOUR, PLAYER, VALUE, YES_NO, ALTERNATIVE, PAIR])
PAIR_BITS = np.array([3, 5, 9, 17, 6, 10, 18, 12, 20, 24])  # the two colours of each pair, as bits


@rule
def offer(g, action):
    """Make an action that is not a card legal."""
    if action < at.BACK_AT:
        g.options[2] |= ONE << np.uint64(action - at.STOP_AT)
    else:
        g.options[3] |= ONE << np.uint64(action - at.BACK_AT)


@rule
def ask(g, seat, decision, optional):
    """Wait for a player: the options are added by the caller."""
    g.actor = seat
    g.decision = decision
    g.options[:] = ZERO
    if optional:
        offer(g, at.STOP_AT)
    for k in range(op.SPARE, op.SETS):  # nothing in them is needed after a question
        clear(g.sets[max(g.depth - 1, 0), k])


@rule
def take_answer(g):
    """The action that was chosen; the question is withdrawn."""
    action = np.int64(g.answer) - 1
    g.answer = 0
    g.options[:] = ZERO
    g.aim = 0
    g.least = 0
    g.most = 0
    return action


# ---------------------------------------------------------------------------------------------------- cards


@rule
def select(g, t, f, row):
    """Cards of the pool, one after another; each moves at once. Done when enough, none left, or stopped."""
    least, most = number(g, f, row[1]), number(g, f, row[2])
    chooser, verb = number(g, f, row[3]), np.int64(row[5])
    if g.answer == 0:
        begin_select(g, f, row, chooser)
    else:
        action = take_answer(g)
        if action == at.STOP_AT:
            clear(g.sets[f, op.POOL])
            return True
        card = action if action < CARDS else card_behind_back(g, t, f, chooser, action)
        take(g, t, f, row, card, g.shown[0])
    pool = g.sets[f, op.POOL]
    while g.over == 0:
        pool[0] &= ~g.sets[f, op.MOVED, 0]
        pool[1] &= ~g.sets[f, op.MOVED, 1]
        taken = np.int64(g.num[f, op.DONE])
        if pool[0] | pool[1] == ZERO or taken >= most:
            break
        if must_go_on(taken, least, row[4]) and take_forced(g, t, f, row, least - taken, verb):
            continue
        ask_for_card(g, t, f, row, chooser, taken, least, most)
        return False
    clear(pool)
    return True


@rule
def begin_select(g, f, row, chooser):
    """Nothing is chosen yet. Who has no card with the icon asked for shows the hand (rules §7)."""
    g.num[f, op.DONE] = 0
    g.num[f, op.IT] = NONE
    clear(g.sets[f, op.MOVED])
    pool = g.sets[f, op.POOL]
    if row[4] & op.SHOW_IF_NONE != 0 and pool[0] | pool[1] == ZERO:
        show_hand(g, chooser)


@rule
def show_hand(g, seat):
    """All have seen the hand now."""
    for other in range(g.players):
        g.known[other, 0] |= g.hand[seat, 0]
        g.known[other, 1] |= g.hand[seat, 1]


@rule
def must_go_on(taken, least, flags):
    """Stopping is allowed when enough is chosen, or before the first card of an optional effect."""
    return taken < least and not (flags & op.MAY != 0 and taken == 0)


@rule
def take(g, t, f, row, card, group):
    """Do to a chosen card what the row says."""
    insert(g.sets[f, op.MOVED], card)
    g.num[f, op.DONE] += 1
    g.num[f, op.IT] = card
    carry_out(g, t, card, np.int64(row[5]), np.int64(g.num[f, op.ME]), number(g, f, row[6]), group)


@rule
def candidates(g, t, f, flags):
    """The cards that can be chosen next, into the last set register: the pool, or its highest (lowest) value."""
    s = g.sets[f, op.SETS - 1]
    s[0] = g.sets[f, op.POOL, 0]
    s[1] = g.sets[f, op.POOL, 1]
    if flags & op.TAKE_HIGHEST != 0:
        keep_highest(t, s)
    elif flags & op.TAKE_LOWEST != 0:
        keep_lowest(t, s)
    return s


@rule
def take_forced(g, t, f, row, needed, verb):
    """Take what must go and where the order does not matter, without a question. Returns whether something was taken.

    When all candidates must go, transfers and scores take them together. A return takes a card that is alone in its
    value, a tuck one that is alone in its colour, a meld only the last card (the order can decide achievements).
    """
    s = candidates(g, t, f, row[4])
    n = count(s)
    if n > needed or (n > 1 and order_matters(verb) and alone(t, s, verb) == NONE):
        return False
    if n > 1 and order_matters(verb):
        take(g, t, f, row, alone(t, s, verb), g.shown[0])
        return True
    while not (s[0] | s[1] == ZERO) and g.over == 0:
        card = first(s)
        take(g, t, f, row, card, s)
        discard(s, card)
    clear(s)
    return True


@rule
def order_matters(verb):
    return verb == op.RETURN or verb == op.TUCK or verb == op.MELD


@rule
def question_is_due(g, t, f, row, taken, least):
    """Whether the chooser is asked for a card of the pool: not when it is empty or all of it goes as it must."""
    if is_empty(g.sets[f, op.POOL]):
        return False
    s = candidates(g, t, f, row[4])
    n, verb = count(s), np.int64(row[5])
    forced = n <= least - taken and (n == 1 or not order_matters(verb) or alone(t, s, verb) != NONE)
    clear(s)
    return not (forced and must_go_on(taken, least, row[4]))


@rule
def alone(t, s, verb):
    """A card that is alone in its value (for a return) or colour (for a tuck), -1 if there is none."""
    if verb == op.RETURN:
        for age in range(1, AGES + 1):
            if count_of_age(t, s, age) == 1:
                mask = t.of_age[age]
                return only(s, mask)
    elif verb == op.TUCK:
        for colour in range(SIDE):
            if count_of_colour(t, s, colour) == 1:
                return only(s, t.of_colour[colour])
    return np.int64(NONE)


@rule
def only(s, mask):
    """The one card in both sets."""
    low = s[0] & mask[0]
    return lowest_bit(low) if low != ZERO else 64 + lowest_bit(s[1] & mask[1])


@rule
def ask_for_card(g, t, f, row, chooser, taken, least, most):
    """Offer the candidates: by face, or by back where the chooser cannot see them."""
    ask(g, chooser, CARD, not must_go_on(taken, least, row[4]))
    s = candidates(g, t, f, row[4])
    g.aim = row[5]
    g.least = min(least - taken, CARDS) if must_go_on(taken, least, row[4]) else 0
    g.most = min(most - taken, CARDS)
    if row[4] & op.BY_BACK != 0:
        offer_backs(g, t, s, chooser)
    g.options[0] |= s[0]
    g.options[1] |= s[1]
    clear(s)


@rule
def offer_backs(g, t, s, chooser):
    """Replace cards in the score piles of others by their backs: whose, and which value."""
    for k in range(1, g.players):
        seat = (chooser + k) % g.players
        low, high = s[0] & g.scored[seat, 0], s[1] & g.scored[seat, 1]
        for age in range(1, AGES + 1):
            if (low & t.of_age[age, 0]) | (high & t.of_age[age, 1]) != ZERO:
                offer(g, at.BACK_AT + (k - 1) * AGES + age - 1)
        s[0] &= ~low
        s[1] &= ~high


@rule
def card_behind_back(g, t, f, chooser, action):
    """A card of that value in that score pile, drawn by chance: the chooser cannot tell them apart (rules §4.11)."""
    k, age = (action - at.BACK_AT) // AGES + 1, (action - at.BACK_AT) % AGES + 1
    seat = (chooser + k) % g.players
    s = g.sets[f, op.SETS - 1]
    for word in range(2):
        s[word] = g.sets[f, op.POOL, word] & g.scored[seat, word] & t.of_age[age, word]
    for _ in range(chance(g, count(s))):
        discard(s, first(s))
    card = first(s)
    clear(s)
    return card


# ---------------------------------------------------------------------------------------------------- other choices


@rule
def splay(g, t, f, row):
    """Splay a colour among those that can be; optional ones are asked, even a single one (rules §4.5)."""
    me, direction = np.int64(g.num[f, op.ME]), np.int64(row[1])
    if g.answer != 0:
        action = take_answer(g)
        if action != at.STOP_AT:
            splay_pile(g, t, f, me * SIDE + action - at.COLOUR_AT, direction)
        return True
    g.num[f, op.DONE] = 0
    possible = 0
    colours = number(g, f, row[2])
    for colour in range(SIDE):
        if (colours >> colour) & 1 != 0 and can_splay(g, me * SIDE + colour, direction):
            possible |= 1 << colour
    if possible == 0:
        return True
    if row[3] & op.MAY == 0:  # a colour that the effect names
        splay_pile(g, t, f, me * SIDE + lowest_bit(np.uint64(possible)), direction)
        return True
    ask(g, me, SPLAY_COLOUR, True)
    g.options[2] |= np.uint64(possible) << np.uint64(at.COLOUR_AT - at.STOP_AT)
    g.aim = direction
    return False


@rule
def splay_pile(g, t, f, pile, direction):
    """A splay that really happens."""
    set_splay(g, t, pile, direction)
    note(g, LOG_SPLAY, pile, direction, 0)
    g.num[f, op.DONE] = 1
    changed(g, t)
    g.dirty |= 1 << (pile // SIDE)
    settle(g, t)


@rule
def choose(g, t, f, row):
    """A colour, player, value, yes or no, alternative or pair of colours. Leaves it in CHOSEN."""
    kind, me = np.int64(row[1]), np.int64(g.num[f, op.ME])
    base = FIRST_OPTION[kind]
    if g.answer != 0:
        action = take_answer(g)
        g.num[f, op.DONE] = 0 if action == at.STOP_AT or (KIND[kind] == YES_NO and action == base) else 1
        if action != at.STOP_AT:
            g.num[f, op.CHOSEN] = meaning(g, KIND[kind], me, action - base)
        return True
    g.num[f, op.DONE] = 0
    options = number(g, f, row[2])
    if KIND[kind] == PLAYER:  # seats become distances to the left
        options = ((options | options << g.players) >> (me + 1)) & ((1 << (g.players - 1)) - 1)
    if options == 0:
        return True
    ask(g, me, KIND[kind], row[3] & op.MAY != 0)
    g.options[2] |= np.uint64(options) << np.uint64(base - at.STOP_AT)
    return False


@rule
def meaning(g, kind, me, k):
    """The number that an option stands for."""
    if kind == PLAYER:
        return np.int64((me + 1 + k) % g.players)
    if kind == VALUE:
        return np.int64(k + 1)
    if kind == PAIR:
        return np.int64(PAIR_BITS[k])
    return np.int64(k)


@rule
def reorder(g, t, f, row):
    """Publications: choose a pile, then its cards one by one from the bottom up; each goes on top of the others.

    The pool holds the cards that are still to come. A new order is a change when some card was not in its place.
    """
    me = np.int64(g.num[f, op.ME])
    pool = g.sets[f, op.POOL]
    if g.answer == 0:
        return not ask_for_pile(g, me, row)
    action = take_answer(g)
    if action == at.STOP_AT:
        return True
    if g.reordered == 0:
        pile = me * SIDE + action - at.COLOUR_AT
        g.reordered = pile + 1
        card = np.int64(g.top[pile])
        while card != NONE:
            insert(pool, card)
            card = np.int64(g.below[card])
    else:
        place_next(g, t, f, action)
    while count(pool) == 1:
        place_next(g, t, f, first(pool))
    if pool[0] | pool[1] == ZERO:
        finish_reorder(g, t, f, np.int64(g.reordered) - 1)
        return True
    ask(g, me, ORDER, False)
    g.options[0] |= pool[0]
    g.options[1] |= pool[1]
    return False


@rule
def ask_for_pile(g, me, row):
    """Offer the piles of two cards or more. Returns whether there is one."""
    g.num[g.depth - 1, op.DONE] = 0
    possible = 0
    for colour in range(SIDE):
        if g.height[me * SIDE + colour] >= 2:
            possible |= 1 << colour
    if possible == 0:
        return False
    ask(g, me, PILE, row[1] & op.MAY != 0)
    g.options[2] |= np.uint64(possible) << np.uint64(at.COLOUR_AT - at.STOP_AT)
    return True


@rule
def place_next(g, t, f, card):
    """Take a card of the pile and put it on top; after all of them the pile has the wanted order."""
    pile = np.int64(g.reordered) - 1
    if g.bottom[pile] != card:
        g.num[f, op.DONE] = 1
    direction = np.int64(g.splay[pile])
    take_out(g, t, pile, card)
    put_on_top(g, t, pile, card)
    if direction != 0:
        set_splay(g, t, pile, direction)
    discard(g.sets[f, op.POOL], card)


@rule
def finish_reorder(g, t, f, pile):
    """The pile is in order: only now are achievements looked at."""
    g.reordered = 0
    if g.num[f, op.DONE] != 0:
        note(g, LOG_REORDER, pile, 0, 0)
        changed(g, t)
        g.dirty |= 1 << (pile // SIDE)
        settle(g, t)
