"""The choice of cards: one after another out of a pool, each moving at once.

`select` is entered again with `g.answer` set (the action plus 1) and goes on from there. It returns True when
it is done and False when somebody has to decide.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import chance
from theogony.envs.innovation import actions as at
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.rows import ANY_CARD
from theogony.envs.innovation.components import AGES, CARDS
from theogony.envs.innovation.rules import bits
from theogony.envs.innovation.rules.choices import order_can_matter
from theogony.envs.innovation.rules.legal import ask, offer, take_answer
from theogony.envs.innovation.rules.moves import carry_out, owner
from theogony.envs.innovation.rules.numbers import number
from theogony.envs.innovation.state import CARD, NONE, SCORES, SIDE

ASK, TOGETHER, ALONE, BY_CHANCE = range(4)  # ways for candidates to go


@rule
def select(g, t, f, row):
    """Cards of the pool, one after another; each moves at once. Done when enough, none left, or stopped."""
    least, most = number(g, f, row[1]), number(g, f, row[2])
    chooser = number(g, f, row[3])
    if g.answer == 0:
        begin_select(g, f, row, chooser)
    else:
        action = take_answer(g)
        if action == at.STOP_AT:
            bits.clear(g.sets[f, op.POOL])
            return True
        card = action if action < CARDS else card_behind_back(g, t, f, chooser, action)
        take(g, t, f, row, card, g.shown[0])
    pool = g.sets[f, op.POOL]
    while g.over == 0:
        pool[0] &= ~g.sets[f, op.MOVED, 0]
        pool[1] &= ~g.sets[f, op.MOVED, 1]
        taken = np.int64(g.num[f, op.DONE])
        if pool[0] | pool[1] == bits.ZERO or taken >= most:
            break
        if must_go_on(taken, least, row[4]) and take_forced(g, t, f, row, least - taken, chooser):
            continue
        ask_for_card(g, t, f, row, chooser, taken, least, most)
        return False
    bits.clear(pool)
    return True


@rule
def begin_select(g, f, row, chooser):
    """Nothing is chosen yet. Who has no card with the icon that a demand asks for shows the hand (rules §7)."""
    g.num[f, op.DONE] = 0
    g.num[f, op.IT] = NONE
    bits.clear(g.sets[f, op.MOVED])
    pool = g.sets[f, op.POOL]
    if row[4] & op.SHOW_IF_NONE != 0 and pool[0] | pool[1] == bits.ZERO:
        show_hand(g, chooser)


@rule
def show_hand(g, seat):
    """All have seen the hand now (rules §7; Classification: ruling R9)."""
    for other in range(g.players):
        g.known[other, 0] |= g.hand[seat, 0]
        g.known[other, 1] |= g.hand[seat, 1]


@rule
def must_go_on(taken, least, flags):
    """Stopping is allowed when enough is chosen, or before the first card of an optional effect (rules §4.10)."""
    return taken < least and not (flags & op.MAY != 0 and taken == 0)


@rule
def take(g, t, f, row, card, group):
    """Do to a chosen card what the row says."""
    bits.insert(g.sets[f, op.MOVED], card)
    g.num[f, op.DONE] += 1
    g.num[f, op.IT] = card
    taker, asked = number(g, f, row[6]), asked_for(g, t, f, row)
    carry_out(g, t, card, np.int64(row[5]), np.int64(g.num[f, op.ME]), taker, group, asked)


@rule
def asked_for(g, t, f, row):
    """The row of the masks with the cards that a choice is about: what the effect asks for is no secret."""
    for k in range(row[7], g.pc[f]):
        if t.code[k, 0] == op.KEEP:
            return t.code[k, 2] + number(g, f, t.code[k, 3])
    return np.int64(ANY_CARD)


@rule
def candidates(g, t, f, flags):
    """The cards that can be chosen next, into the last set register: the pool, or its highest (lowest) value."""
    s = g.sets[f, op.SETS - 1]
    s[0] = g.sets[f, op.POOL, 0]
    s[1] = g.sets[f, op.POOL, 1]
    if flags & op.TAKE_HIGHEST != 0:
        bits.keep_highest(t, s)
    elif flags & op.TAKE_LOWEST != 0:
        bits.keep_lowest(t, s)
    return s


@rule
def way_to_go(g, t, s, needed, verb, flags, chooser):
    """How candidates go of which so many are needed: ASK, or without a question TOGETHER, the one ALONE or BY_CHANCE.

    No question has a single answer (ruling R14). One back alone leaves it to chance (rules §4.11). When all must go,
    the order matters for returns of one value, for tucks of one colour and for melds; from a board see ruling R6.
    """
    n = bits.count(s)
    if n > 1 and flags & op.BY_BACK != 0 and is_one_back(g, t, s, chooser):
        return BY_CHANCE
    if n > needed:
        return ASK
    if n == 1:
        return TOGETHER
    if order_can_matter(g, t, s):
        return ASK
    if verb != op.RETURN and verb != op.TUCK and verb != op.MELD:
        return TOGETHER
    return ASK if alone(t, s, verb) == NONE else ALONE


@rule
def take_forced(g, t, f, row, needed, chooser):
    """Take what goes without a question. Returns whether something was taken."""
    s = candidates(g, t, f, row[4])
    verb = np.int64(row[5])
    way = way_to_go(g, t, s, needed, verb, row[4], chooser)
    if way == ASK:
        return False
    if way == BY_CHANCE:
        take(g, t, f, row, by_chance(g, t, s), g.shown[0])
        return True
    if way == ALONE:
        take(g, t, f, row, alone(t, s, verb), g.shown[0])
        return True
    while not bits.is_empty(s) and g.over == 0:
        card = bits.first(s)
        take(g, t, f, row, card, s)
        bits.discard(s, card)
    bits.clear(s)
    return True


@rule
def question_is_due(g, t, f, row, taken, least, chooser):
    """Whether the chooser is asked for a card of the pool: not when it is empty or the next one goes as it must."""
    if bits.is_empty(g.sets[f, op.POOL]):
        return False
    if not must_go_on(taken, least, row[4]):
        return True
    s = candidates(g, t, f, row[4])
    way = way_to_go(g, t, s, least - taken, np.int64(row[5]), row[4], chooser)
    bits.clear(s)
    return way == ASK


@rule
def alone(t, s, verb):
    """A card that is alone in its value (for a return) or colour (for a tuck), -1 if there is none."""
    if verb == op.RETURN:
        for age in range(1, AGES + 1):
            if bits.count_of_age(t, s, age) == 1:
                return only(s, t.of_age[age])
    elif verb == op.TUCK:
        for colour in range(SIDE):
            if bits.count_of_colour(t, s, colour) == 1:
                return only(s, t.of_colour[colour])
    return np.int64(NONE)


@rule
def only(s, mask):
    """The one card in both sets."""
    low = s[0] & mask[0]
    return bits.lowest_bit(low) if low != bits.ZERO else 64 + bits.lowest_bit(s[1] & mask[1])


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
    bits.clear(s)


@rule
def offer_backs(g, t, s, chooser):
    """Replace cards in the score piles of others by their backs: whose, and which value."""
    for k in range(1, g.players):
        seat = (chooser + k) % g.players
        low, high = s[0] & g.scored[seat, 0], s[1] & g.scored[seat, 1]
        for age in range(1, AGES + 1):
            if (low & t.of_age[age, 0]) | (high & t.of_age[age, 1]) != bits.ZERO:
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
    return by_chance(g, t, s)


@rule
def is_one_back(g, t, s, chooser):
    """Whether all the chooser sees is one back: cards of one value in one hand or score pile of somebody else."""
    place = np.int64(g.place[bits.first(s)])
    seat = owner(place)
    if seat == chooser or t.age[bits.first(s)] != t.age[bits.last(s)]:
        return False
    area = g.hand[seat] if place < SCORES else g.scored[seat]
    return (s[0] & ~area[0]) | (s[1] & ~area[1]) == bits.ZERO


@rule
def by_chance(g, t, s):
    """A card of a set, drawn by chance; the set is cleared."""
    if bits.count(s) > 1:
        for _ in range(chance(g, t, bits.count(s))):
            bits.discard(s, bits.first(s))
    card = bits.first(s)
    bits.clear(s)
    return card
