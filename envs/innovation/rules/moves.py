"""One movement of a card: from its place to another, who knows it then, what it counts for."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.cards.opcodes import MELD, NOTHING, RETURN, REVEAL, SCORE_IT, TO_BOARD, TO_HAND, TUCK
from theogony.envs.innovation.cards.rows import ANY_CARD
from theogony.envs.innovation.components import NO_SPLAY
from theogony.envs.innovation.rules.achievements import end_by_points, settle
from theogony.envs.innovation.rules.bits import ZERO, bit, clear, discard, has, insert, is_empty
from theogony.envs.innovation.rules.piles import note, put_beneath, put_on_top, take_out
from theogony.envs.innovation.state import (
    HANDS,
    LOG_SPLAY,
    NONE,
    PILES,
    REMOVED,
    SCORES,
    SHOWN,
    SIDE,
    SUPPLY,
    UNCLAIMED,
)


@rule
def owner(place):
    """The seat a place belongs to, -1 for none."""
    if place < SUPPLY:
        return place // SIDE
    if HANDS <= place < UNCLAIMED:
        return (place - PILES) % 4
    return NONE


@rule
def is_open(place):
    """Boards and shown cards are seen by all (rules §7)."""
    return place < SUPPLY or SHOWN <= place < UNCLAIMED


@rule
def lift(g, t, card, source):
    """Take a card from where it is."""
    seat = (source - PILES) % 4
    if source < PILES:
        take_out(g, t, source, card)
    elif source < SCORES:
        discard(g.hand[seat], card)
    elif source < SHOWN:
        discard(g.scored[seat], card)
        g.points[seat] -= t.age[card]
    else:
        discard(g.shown[seat], card)


@rule
def lay(g, t, card, target, beneath):
    """Put a card where it belongs now."""
    seat = (target - PILES) % 4
    if target < PILES:
        if beneath:
            put_beneath(g, t, target, card)
        else:
            put_on_top(g, t, target, card)
    elif target < SCORES:
        insert(g.hand[seat], card)
    elif target < SHOWN:
        insert(g.scored[seat], card)
        g.points[seat] += t.age[card]
    else:
        insert(g.shown[seat], card)
    g.place[card] = target


@rule
def learn(g, t, card, source, target, group, asked):
    """Who knows the place of a card that was just lifted (rules §7).

    All see what comes from or to the open; else only its owners before and after know it, and the others see a back.
    `group` is what leaves together, `asked` the row of the masks that holds all cards which an effect asks for.
    """
    mask = bit(card)
    word = card >> 6
    if is_open(source) or is_open(target):
        for seat in range(g.players):
            g.known[seat, word] |= mask
        return
    giver, taker = owner(source), owner(target)
    for seat in range(g.players):
        if seat == giver or seat == taker:
            g.known[seat, word] |= mask
        elif HANDS <= source < SHOWN:
            see_back(g, t, seat, card, source, group, asked)


@rule
def see_back(g, t, seat, card, source, group, asked):
    """What a seat still knows of the cards of a value when one of them has left a hand or score pile unseen.

    It loses track of those that may have been the one, unless all of them leave together. A card that the effect cannot
    have asked for is still there, and the only one that it can have taken is known.
    """
    known, age = g.known[seat], np.int64(t.age[card])
    area = g.hand[owner(source)] if source < SCORES else g.scored[owner(source)]
    elsewhere = ZERO  # cards unknown to the seat that may have been the one
    for word in range(2):
        unknown = t.of_age[age, word] & t.masks[asked, word] & ~known[word]
        elsewhere |= unknown & ~bit(card) if word == card >> 6 else unknown
    in_doubt = ZERO  # cards that stayed and may have left instead
    for word in range(2):
        stay = area[word] & t.of_age[age, word] & ~group[word]
        in_doubt |= stay & known[word] & t.masks[asked, word]
        if elsewhere != ZERO:
            in_doubt |= stay & ~known[word]
    if in_doubt != ZERO:
        for word in range(2):
            known[word] &= ~(area[word] & t.of_age[age, word] & t.masks[asked, word])
        discard(known, card)
    elif elsewhere == ZERO:
        insert(known, card)


@rule
def see_order(g, pile):
    """All see a top card, and where the last card lies whose place in the pile was not known (ruling R11)."""
    covered, last = 0, np.int64(NONE)
    card = np.int64(g.top[pile])
    while card != NONE:
        if card == g.top[pile]:
            discard(g.mixed, card)
        elif has(g.mixed, card):
            covered, last = covered + 1, card
        card = np.int64(g.below[card])
    if covered == 1:
        discard(g.mixed, last)


@rule
def changed(g):
    """Something changed the game: it counts for the sharing bonus when a sharer did it (rules §5.1)."""
    if g.dogma != NONE and g.demanding == 0 and g.performer != g.turn:
        g.bonus = 1


@rule
def carry(g, t, card, target, beneath, group, asked):
    """Move a card, note who knows it, and count it. `group` and `asked` as in `learn`."""
    source = np.int64(g.place[card])
    beneath = beneath and target < SUPPLY and g.height[target] > 0
    was_splayed = source < SUPPLY and g.splay[source] != NO_SPLAY
    lift(g, t, card, source)
    learn(g, t, card, source, target, group, asked)
    lay(g, t, card, target, beneath or SUPPLY <= target < PILES)
    if source < SUPPLY and not is_empty(g.mixed):
        discard(g.mixed, card)
        see_order(g, source)
    note(g, card, source, -1 - target if beneath else target)
    if was_splayed and g.splay[source] == NO_SPLAY:
        note(g, LOG_SPLAY, source, NO_SPLAY)
    changed(g)
    if g.demanding:
        g.hit = 1
    if source < SUPPLY:
        g.dirty |= 1 << owner(source)
    if target < SUPPLY:
        g.dirty |= 1 << owner(target)


@rule
def move(g, t, card, target, beneath, group, asked):
    """Move a card and claim what is now met."""
    carry(g, t, card, target, beneath, group, asked)
    if g.dirty != 0:
        settle(g, t)


@rule
def destination(t, card, verb, taker):
    """The place that a transfer to somebody brings a card to."""
    if verb == TO_BOARD:
        return taker * SIDE + np.int64(t.colour[card])
    return (HANDS if verb == TO_HAND else SCORES) + taker


@rule
def carry_out(g, t, card, verb, performer, taker, group, asked):
    """Do to a card what a verb says. `taker` owns the destination of a transfer; `group` and `asked` as in `learn`."""
    colour = np.int64(t.colour[card])
    none = g.shown[performer]  # no group
    if verb == NOTHING:
        return
    if verb == MELD:
        move(g, t, card, performer * SIDE + colour, False, none, asked)
    elif verb == TUCK:
        g.tucks[performer] += 1
        g.dirty |= 1 << performer
        move(g, t, card, performer * SIDE + colour, True, none, asked)
    elif verb == SCORE_IT:
        g.scores[performer] += 1
        g.dirty |= 1 << performer
        move(g, t, card, SCORES + performer, False, group, asked)
    elif verb == RETURN:
        move(g, t, card, SUPPLY + np.int64(t.age[card]) - 1, False, none, asked)
    elif verb == REVEAL:
        move(g, t, card, SHOWN + performer, False, none, asked)
    else:
        move(g, t, card, destination(t, card, verb, taker), False, group, asked)


@rule
def draw(g, t, seat, value, verb):
    """Draw a card of a value, or of the next higher one there is, and do something with it (rules §4.1).

    Returns the card, or -1 when the game ended because a card above 10 was to be drawn.
    """
    pile = SUPPLY + max(value, 1) - 1
    while pile < PILES and g.height[pile] == 0:
        pile += 1
    if pile >= PILES:
        end_by_points(g)
        return np.int64(NONE)
    card = np.int64(g.top[pile])
    carry_out(g, t, card, verb, seat, seat, g.shown[seat], ANY_CARD)
    return card


@rule
def highest_top(g, t, seat):
    """The highest value among top cards, 0 on an empty board."""
    best = np.int64(0)
    for colour in range(SIDE):
        card = g.top[seat * SIDE + colour]
        if card != NONE:
            best = max(best, np.int64(t.age[card]))
    return best


@rule
def remove_everything(g, t):
    """Fission: all cards of hands, boards and score piles leave the game, the hidden ones face down (ruling R10)."""
    for card in range(g.place.shape[0]):
        place = np.int64(g.place[card])
        if place < SUPPLY or HANDS <= place < UNCLAIMED:
            lift(g, t, card, place)
            g.place[card] = REMOVED
    clear(g.mixed)
