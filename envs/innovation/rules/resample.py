"""Redraw what a seat cannot know (rules §7): which card of an age lies in which of the places that it has not seen.

Backs show the age, so cards change places only within their age. What a seat knows of a place is a slot: a position in
the supply, a card in somebody's hand, the card that was just returned. The slots are put in an order that does not
depend on the cards in them, the cards in the order of their numbers, shuffled; then slot k gets card k.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import next_u64, shuffle
from theogony.envs.innovation import opcodes as op
from theogony.envs.innovation.components import CARDS
from theogony.envs.innovation.rules.bits import ONE, ZERO, bit, clear, has, lowest_bit
from theogony.envs.innovation.rules.numbers import number
from theogony.envs.innovation.rules.selecting import ask_for_card, question_is_due
from theogony.envs.innovation.rules.sets import fill
from theogony.envs.innovation.state import ACTION, CARD, HANDS, INITIAL_MELD, NONE, SCORES, SUPPLY

TRIES = 200  # draws for a question that another seat was asked about hidden cards


@rule
def resample(g, t, seat, rng):
    """Draw until the question that is due would have been asked; the dice are new as well."""
    g.rng[0] = next_u64(rng)
    new = np.empty(CARDS, np.int64)  # the card that comes where each card is now
    for attempt in range(TRIES):
        draw_cards(g, t, seat, rng, new)
        swap_cards(g, seat, new)
        if g.decision == CARD and g.actor != seat and g.over == 0:
            if ask_again(g, t, attempt == TRIES - 1):
                return
        else:
            if g.over == 0 and (g.decision == ACTION or g.decision == INITIAL_MELD):
                g.options[0] = g.hand[g.actor, 0]
                g.options[1] = g.hand[g.actor, 1]
            return


# ---------------------------------------------------------------------------------------------------- which card where


@rule
def draw_cards(g, t, seat, rng, new):
    """For every age: the unknown slots in order, and a shuffled list of the unknown cards."""
    slots = np.empty(CARDS, np.int64)  # the cards that lie in the slots now
    keys = np.empty(CARDS, np.int64)
    unknown = np.empty(CARDS, np.int64)
    for card in range(CARDS):
        new[card] = card
    start = 0
    while start < CARDS:
        stop = start
        n = 0
        while stop < CARDS and t.age[stop] == t.age[start]:
            if not has(g.known[seat], stop):
                unknown[n] = stop
                place_in_order(slots, keys, n, stop, slot_key(g, seat, np.int64(stop)))
                n += 1
            stop += 1
        shuffle(rng, unknown, n)
        for k in range(n):
            new[slots[k]] = unknown[k]
        start = stop


@rule
def place_in_order(slots, keys, n, card, key):
    """Insert a card into the first n slots, sorted by key."""
    k = n
    while k > 0 and keys[k - 1] > key:
        slots[k] = slots[k - 1]
        keys[k] = keys[k - 1]
        k -= 1
    slots[k] = card
    keys[k] = key


@rule
def slot_key(g, seat, card):
    """What is public about where a card lies: its place, its depth in the supply, its part in the running effect."""
    place = np.int64(g.place[card])
    key = place
    if SUPPLY <= place < HANDS:
        depth = np.int64(0)
        above = np.int64(g.top[place])
        while above != card:
            depth += 1
            above = np.int64(g.below[above])
        key = key * 128 + depth
    else:
        key = key * 128
    for other in range(g.players):
        key = key * 2 + (1 if has(g.known[other], card) else 0)
    if HANDS <= place < SCORES:
        key = key * 2 + (1 if g.meld_choice[place - HANDS] == card + 1 else 0)
    else:
        key = key * 2
    for f in range(g.depth):
        key = key * 2 + (1 if g.num[f, op.IT] == card else 0)
        key = key * 2 + (1 if has(g.sets[f, op.MOVED], card) else 0)
        key = key * 2 + (1 if has(g.sets[f, op.GROUP_1], card) else 0)
        key = key * 2 + (1 if has(g.sets[f, op.GROUP_2], card) else 0)
    return key


# ---------------------------------------------------------------------------------------------------- put them there


@rule
def swap_cards(g, seat, new):
    """Everything that names a card names the new one."""
    old_place = np.empty(CARDS, np.int64)
    for card in range(CARDS):
        old_place[card] = g.place[card]
    for card in range(CARDS):
        g.place[new[card]] = old_place[card]
    for pile in range(SUPPLY, HANDS):
        swap_pile(g, pile, new)
    for other in range(g.players):
        swap_set(g.hand[other], new)
        swap_set(g.scored[other], new)
        if other != seat:
            swap_set(g.known[other], new)
        if g.meld_choice[other] > 0:
            g.meld_choice[other] = new[g.meld_choice[other] - 1] + 1
    for f in range(g.depth):
        if g.num[f, op.IT] != NONE:
            g.num[f, op.IT] = new[g.num[f, op.IT]]
        for k in range(op.SETS):
            swap_set(g.sets[f, k], new)


@rule
def swap_pile(g, pile, new):
    """The chain of a supply pile, from the top down."""
    card = np.int64(g.top[pile])
    if card == NONE:
        return
    below = np.empty(CARDS, np.int64)
    n = 0
    while card != NONE:
        below[n] = new[card]
        n += 1
        above, card = card, np.int64(g.below[card])
        g.below[above] = NONE
    g.top[pile] = below[0]
    g.bottom[pile] = below[n - 1]
    for k in range(n):
        g.below[below[k]] = below[k + 1] if k + 1 < n else np.int64(NONE)


@rule
def swap_set(s, new):
    """A set of cards, card by card."""
    low, high = ZERO, ZERO
    for word in range(2):
        rest = s[word]
        while rest != ZERO:
            card = new[64 * word + lowest_bit(rest)]
            if card < 64:
                low |= bit(card)
            else:
                high |= bit(card)
            rest &= rest - ONE
    s[0] = low
    s[1] = high


# ---------------------------------------------------------------------------------------------------- ask again


@rule
def ask_again(g, t, give_in):
    """Look for the cards of the question once more, as hands and score piles may differ.

    Returns False when nothing would be asked now. To give in is to offer the whole area, whatever was asked for.
    """
    f = np.int64(g.depth) - 1
    row = t.code[g.pc[f]]
    pool = g.sets[f, op.POOL]
    for k in range(row[7], g.pc[f]):
        code = t.code[k, 0]
        if op.FIRST_SET <= code < op.FIRST_NUMBER and not (give_in and code == op.KEEP):
            fill(g, t, f, t.code[k])
    for k in range(op.SPARE, op.SETS):
        clear(g.sets[f, k])
    pool[0] &= ~g.sets[f, op.MOVED, 0]
    pool[1] &= ~g.sets[f, op.MOVED, 1]
    least, most = number(g, f, row[1]), number(g, f, row[2])
    taken = np.int64(g.num[f, op.DONE])
    if not give_in and not question_is_due(g, t, f, row, taken, least):
        return False
    ask_for_card(g, t, f, row, number(g, f, row[3]), taken, least, most)
    return True
