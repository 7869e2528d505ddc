"""Redraw what a seat cannot know (rules §7): which card of an age lies in which of the places that it has not seen.

Backs show the age, so cards change places only within their age. What a seat knows of a place is a slot: a position in
the supply, a card in somebody's hand, a card that was removed unseen. The slots are put in an order that does not
depend on the cards in them, the cards in the order of their numbers, shuffled; then slot k gets card k.

Meanwhile `exchange` of the record holds the card that comes where each is, and `lists` two lists of cards.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import shuffle, sort
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.components import CARDS
from theogony.envs.innovation.rules.bits import ONE, ZERO, bit, clear, count, first, has, insert, is_empty, lowest_bit
from theogony.envs.innovation.rules.numbers import fill, number
from theogony.envs.innovation.rules.selecting import ask_for_card, question_is_due
from theogony.envs.innovation.state import ACTION, CARD, HANDS, INITIAL_MELD, NONE, ORDER, PILES, SCORES, SIDE, SUPPLY

TRIES = 200  # draws for a question that another seat was asked about hidden cards


@rule
def resample(g, t, seat, rng):
    """Draw until the question that is due would have been asked; the dice are new as well."""
    asked = g.decision == CARD and g.actor != seat and g.over == 0
    is_hidden = asked and not lies_on_a_board(g)
    for attempt in range(TRIES):
        draw_cards(g, t, seat, rng)
        swap_cards(g, t, seat)
        mix_piles(g, seat, rng)
        if not asked or ask_again(g, t, is_hidden, attempt == TRIES - 1):
            break
    if g.over == 0 and (g.decision == ACTION or g.decision == INITIAL_MELD):
        g.options[0] = g.hand[g.actor, 0]
        g.options[1] = g.hand[g.actor, 1]
    if g.over == 0 and g.decision == ORDER and g.actor != seat:
        order_again(g)
    g.exchange[:] = 0
    g.lists[:, :] = 0


# ---------------------------------------------------------------------------------------------------- which card where


@rule
def draw_cards(g, t, seat, rng):
    """For every age: the unknown slots in order, and a shuffled list of the unknown cards. Writes `exchange`."""
    new, slots, unknown = g.exchange, g.lists[0], g.lists[1]
    for card in range(CARDS):
        new[card] = card
    start = 0
    while start < CARDS:
        in_supply = supply_slots(g, seat, SUPPLY + np.int64(t.age[start]) - 1, slots)
        others = n = 0
        stop = start
        while stop < CARDS and t.age[stop] == t.age[start]:
            if not has(g.known[seat], stop):
                unknown[n] = stop
                n += 1
                if not SUPPLY <= g.place[stop] < PILES:
                    place_in_order(g, slots[in_supply:], others, stop)
                    others += 1
            stop += 1
        shuffle(rng, unknown, n)
        for k in range(n):
            new[slots[k]] = unknown[k]
        start = stop


@rule
def supply_slots(g, seat, pile, slots):
    """The unknown cards of a supply pile from the top down; returns how many."""
    n = 0
    card = np.int64(g.top[pile])
    while card != NONE:
        if not has(g.known[seat], card):
            slots[n] = card
            n += 1
        card = np.int64(g.below[card])
    return n


@rule
def place_in_order(g, slots, n, card):
    """Insert a card into the first n slots, which are in order."""
    k = n
    while k > 0 and lies_before(g, card, np.int64(slots[k - 1])):
        slots[k] = slots[k - 1]
        k -= 1
    slots[k] = card


@rule
def lies_before(g, card, other):
    """An order by what is public: where a card lies, then its part in what happens."""
    if g.place[card] != g.place[other]:
        return g.place[card] < g.place[other]
    return marks(g, card) < marks(g, other)


@rule
def marks(g, card):
    """Who knows a card, whether it is a first melded one, and its part in the running effect: as bits."""
    place = np.int64(g.place[card])
    bits = 1 if HANDS <= place < SCORES and g.meld_choice[place - HANDS] == card + 1 else 0
    for other in range(g.players):
        bits = bits * 2 + (1 if has(g.known[other], card) else 0)
    for f in range(g.depth):
        bits = bits * 2 + (1 if g.num[f, op.IT] == card else 0)
        bits = bits * 2 + (1 if has(g.sets[f, op.MOVED], card) else 0)
        bits = bits * 2 + (1 if has(g.sets[f, op.GROUP_1], card) else 0)
        bits = bits * 2 + (1 if has(g.sets[f, op.GROUP_2], card) else 0)
    return bits


# ---------------------------------------------------------------------------------------------------- put them there


@rule
def swap_cards(g, t, seat):
    """Everything that names a card names the new one."""
    new = g.exchange
    swap_places(g, t, new)
    for pile in range(SUPPLY, PILES):
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
def swap_places(g, t, new):
    """Where the cards of each age are."""
    places, start = g.lists[0], 0
    while start < CARDS:
        stop = start
        while stop < CARDS and t.age[stop] == t.age[start]:
            places[stop - start] = g.place[stop]
            stop += 1
        for card in range(start, stop):
            g.place[new[card]] = places[card - start]
        start = stop


@rule
def swap_pile(g, pile, new):
    """The chain of a supply pile, from the top down."""
    cards = g.lists[1]
    n = 0
    card = np.int64(g.top[pile])
    while card != NONE:
        cards[n] = new[card]
        n += 1
        above, card = card, np.int64(g.below[card])
        g.below[above] = NONE
    g.bottom[pile] = cards[n - 1] if n > 0 else NONE
    above = np.int64(NONE)
    for k in range(n - 1, -1, -1):  # from the bottom up
        g.below[cards[k]] = above
        above = np.int64(cards[k])
    g.top[pile] = above


@rule
def swap_set(s, new):
    """A set of cards, card by card."""
    low, high = ZERO, ZERO
    for word in range(2):
        rest = s[word]
        while rest != ZERO:
            card = np.int64(new[64 * word + lowest_bit(rest)])
            if card < 64:
                low |= bit(card)
            else:
                high |= bit(card)
            rest &= rest - ONE
    s[0] = low
    s[1] = high


# ---------------------------------------------------------------------------------------------------- order of piles


@rule
def mix_piles(g, seat, rng):
    """Shuffle the covered cards of the others' piles of which this seat does not know where they lie (ruling R11)."""
    if is_empty(g.mixed):
        return
    for pile in range(SUPPLY):
        if pile // SIDE != seat and pile // SIDE < g.players:
            mix_pile(g, pile, rng)


@rule
def mix_pile(g, pile, rng):
    """Draw which of the mixed cards of one pile lies in which of their places."""
    cards, mixed = g.lists[0], g.lists[1]
    n, height = 0, np.int64(g.height[pile])
    card = np.int64(g.top[pile])
    for k in range(height):
        cards[k] = card
        if has(g.mixed, card):
            mixed[n] = card
            n += 1
        card = np.int64(g.below[card])
    if n == 0:
        return
    sort(mixed, n)
    shuffle(rng, mixed, n)
    below = np.int64(NONE)
    for k in range(height - 1, -1, -1):  # from the bottom up
        card = np.int64(cards[k])
        if has(g.mixed, card):
            n -= 1
            card = np.int64(mixed[n])
        if below == NONE:
            g.bottom[pile] = card
        g.below[card] = below
        below = card


# ---------------------------------------------------------------------------------------------------- ask again


@rule
def lies_on_a_board(g):
    """Whether the question that is due is about the cards of a board. These are known, and stay the same."""
    return g.place[first(g.sets[g.depth - 1, op.POOL])] < SUPPLY


@rule
def ask_again(g, t, is_hidden, give_in):
    """Look for the cards of the question once more, as hands, score piles and the order of piles may differ.

    `is_hidden`: the cards do not lie on a board. Returns False when nothing would be asked now. To give in is to offer
    the whole area, whatever was asked for.
    """
    f = np.int64(g.depth) - 1
    row = t.code[g.pc[f]]
    if is_hidden:
        look_again(g, t, f, row, give_in)
    least, most, chooser = number(g, f, row[1]), number(g, f, row[2]), number(g, f, row[3])
    taken = np.int64(g.num[f, op.DONE])
    if not give_in and not question_is_due(g, t, f, row, taken, least, chooser):
        return False
    ask_for_card(g, t, f, row, chooser, taken, least, most)
    return True


@rule
def look_again(g, t, f, row, give_in):
    """Fill the pool of a question anew."""
    pool = g.sets[f, op.POOL]
    for k in range(row[7], g.pc[f]):
        code = t.code[k, 0]
        if op.FIRST_SET <= code < op.FIRST_NUMBER and not (give_in and code == op.KEEP):
            fill(g, t, f, t.code[k])
    for k in range(op.SPARE, op.SETS):
        clear(g.sets[f, k])
    pool[0] &= ~g.sets[f, op.MOVED, 0]
    pool[1] &= ~g.sets[f, op.MOVED, 1]


@rule
def order_again(g):
    """The cards that are still to come in a pile which another seat puts in order: those at its lower end."""
    f, pile = np.int64(g.depth) - 1, np.int64(g.reordered) - 1
    pool = g.sets[f, op.POOL]
    placed = np.int64(g.height[pile]) - count(pool)
    clear(pool)
    card = np.int64(g.top[pile])
    for k in range(g.height[pile]):
        if k >= placed:
            insert(pool, card)
        card = np.int64(g.below[card])
    g.options[0], g.options[1] = pool[0], pool[1]
    g.num[f, op.REORDERED] = 1  # the order before is forgotten: let it be another
