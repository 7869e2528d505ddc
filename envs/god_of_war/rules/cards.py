"""Decks, hands and discard piles, the supplies and the upgrade deck (§3, §4.1, §6.3)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import chance, sort
from theogony.envs.god_of_war.codes import COUNT, F_CHECK, F_POISON, F_SUFFER, NONE, POISON_CARD, STUN_CARD
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.figures import seat_stands, standing_of_pair
from theogony.envs.god_of_war.state import POISON, SCRY, UPGRADE

# The names of places and stages of its frames, see `codes.py`.
DRAW_SEAT, DRAW_LEFT = 1, 2
SCRY_SEAT, SCRY_LEFT, SCRY_TOP = range(1, 4)

ALL_SEATS = 15  # bits: every seat knows a card


@rule
def hand_size(g, seat):
    """Cards in a hand."""
    total = 0
    for design in range(g.hand.shape[1]):
        total += g.hand[seat, design]
    return total


@rule
def put_on_deck(g, seat, design):
    """A card goes face up on top of a deck: everybody knows it is there."""
    g.deck[seat, g.deck_cards[seat]] = design
    g.deck_cards[seat] += 1
    g.deck_known[seat] += 1


@rule
def take_from_deck(g, seat):
    """The top card of a deck."""
    g.deck_cards[seat] -= 1
    top = np.int64(g.deck_cards[seat])
    design = np.int64(g.deck[seat, top])
    g.deck[seat, top] = 0
    if g.deck_known[seat] > 0:
        g.deck_known[seat] -= 1
    return design


@rule
def shuffle_deck(g, t, seat):
    """Shuffle a deck. The cards are sorted first, so that recorded results lead to the recorded order."""
    count = np.int64(g.deck_cards[seat])
    deck = g.deck[seat]
    sort(deck, count)
    for i in range(count - 1, 0, -1):
        j = chance(g, t, i + 1)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card
    g.deck_known[seat] = 0


@rule
def lay(cards, count, copies):
    """Lay copies of each card into a list behind its first `count` cards. Returns how many lie there then."""
    for card in range(copies.shape[0]):
        for _ in range(copies[card]):
            cards[count] = card
            count += 1
    return count


@rule
def add_pile(g, seat, pile):
    """Put a pile (copies of each design) into the deck and empty it."""
    g.deck_cards[seat] = lay(g.deck[seat], np.int64(g.deck_cards[seat]), pile)
    pile[:] = 0


@rule
def add_status(g, t, seat, kind):
    """One stun, poison or crystal card on top of a deck; nothing when its supply is empty (R29)."""
    if g.supply[kind] > 0:
        g.supply[kind] -= 1
        put_on_deck(g, seat, t.status + kind)


@rule
def discard_all(g, seat, pile):
    """A hand at the end of a round (§4.4), or the cards of a set that was resolved (R49), go to the discard pile."""
    for design in range(pile.shape[0]):
        g.discard[seat, design] += pile[design]
        pile[design] = 0


@rule
def play_card(g, seat, design):
    """A card leaves the hand and lies in play."""
    g.hand[seat, design] -= 1
    g.in_play[seat, design] += 1


# ---------------------------------------------------------------------------------------------------- drawing


@rule
def something_to_draw(g, t, seat):
    """Whether deck and discard pile hold anything but poison (R28)."""
    poison = t.status + POISON_CARD
    for k in range(g.deck_cards[seat] - 1, -1, -1):
        if g.deck[seat, k] != poison:
            return True
    for design in range(g.discard.shape[1]):
        if g.discard[seat, design] > 0 and design != poison:
            return True
    return False


@rule
def draw_cards(g, t, frame):
    """Draw (§4.1, §6.3): poison is suffered and replaced, stun stays until the whole draw is done (F_DRAW).

    A knocked-out player draws as well (ruling R13).
    """
    seat = np.int64(frame[DRAW_SEAT])
    while frame[DRAW_LEFT] > 0 and something_to_draw(g, t, seat):
        if g.deck_cards[seat] == 0:
            add_pile(g, seat, g.discard[seat])
            shuffle_deck(g, t, seat)
        design = take_from_deck(g, seat)
        if design == t.status + POISON_CARD:
            g.discard[seat, design] += 1
            push(g, F_POISON, seat)
            return False
        g.hand[seat, design] += 1
        frame[DRAW_LEFT] -= 1
        if g.attacked != NONE and g.seat_of[g.attacked] == seat:
            g.drew = 1
    stun = t.status + STUN_CARD
    g.discard[seat, stun] += g.hand[seat, stun]
    g.hand[seat, stun] = 0
    pop(g)
    return False


@rule
def suffer_poison(g, t, frame):
    """A poison card was drawn: 1 damage, for Brok & Sindri to one of them (§6.3) (F_POISON)."""
    seat = np.int64(frame[DRAW_SEAT])
    if not seat_stands(g, t, seat):
        pop(g)
        return False
    figure = standing_of_pair(g, t, seat)
    if figure == NONE:
        return ask(g, seat, POISON)
    poison_figure(g, figure)
    return False


@rule
def poison_figure(g, figure):
    """The figure that would suffer from a poison card is known."""
    pop(g)
    push(g, F_CHECK, 0, 0, NONE)
    push(g, F_SUFFER, figure, 1, NONE)


# ---------------------------------------------------------------------------------------------------- upgrade deck


@rule
def reveal_upgrade(g):
    """Turn up the top upgrade card and lay it beside the scene (§6). Returns the card."""
    g.upgrade_cards -= 1
    top = np.int64(g.upgrade_cards)
    card = np.int64(g.upgrade[top])
    g.upgrade[top] = 0
    g.upgrade_known[top] = 0
    if g.revealed_cards < g.revealed.shape[0]:
        g.revealed[g.revealed_cards] = card
        g.revealed_cards += 1
    return card


@rule
def upgrade_to_bottom(g, card, known):
    """Put a card at the bottom of the upgrade deck; `known` are the seats that know it, as bits."""
    for k in range(g.upgrade_cards, 0, -1):
        g.upgrade[k] = g.upgrade[k - 1]
        g.upgrade_known[k] = g.upgrade_known[k - 1]
    g.upgrade[0] = card
    g.upgrade_known[0] = known
    g.upgrade_cards += 1


@rule
def return_revealed(g):
    """Revealed cards go to the bottom in the order in which they were revealed (R52)."""
    for k in range(g.revealed_cards):
        upgrade_to_bottom(g, g.revealed[k], ALL_SEATS)
        g.revealed[k] = 0
    g.revealed_cards = 0


# ---- The upgrade phase: take a revealed card or remove a discarded one (§4.4) ------------------------------------


@rule
def upgrade_phase(g, frame):
    """Every player takes an upgrade card or removes a card; who can do neither is skipped (R31) (F_UPGRADE)."""
    while frame[COUNT] < g.players:
        seat = (np.int64(g.starting_player) + np.int64(frame[COUNT])) % g.players
        frame[COUNT] += 1
        g.active = seat
        if can_take(g) or can_remove(g, seat):
            return ask(g, seat, UPGRADE)
    pop(g)
    return False


@rule
def can_take(g):
    """Whether upgrade cards may be taken: enough must remain to be revealed (R30)."""
    return g.revealed_cards > 0 and np.int64(g.upgrade_cards) + np.int64(g.revealed_cards) > 2 * (g.players + 1)


@rule
def can_remove(g, seat):
    """Whether a discard pile has a card."""
    for design in range(g.discard.shape[1]):
        if g.discard[seat, design] > 0:
            return True
    return False


@rule
def take_upgrade(g, t, seat, card):
    """A revealed card goes on top of the own deck; its rune has no further meaning (§4.4)."""
    place = 0
    while g.revealed[place] != card:
        place += 1
    for k in range(place, g.revealed_cards - 1):
        g.revealed[k] = g.revealed[k + 1]
    g.revealed_cards -= 1
    g.revealed[g.revealed_cards] = 0
    put_on_deck(g, seat, t.upgrade_design[card])


@rule
def remove_card(g, t, seat, design):
    """A discarded card leaves the game, a status card returns to its supply (§4.4)."""
    g.discard[seat, design] -= 1
    if design >= t.status:
        g.supply[design - t.status] += 1
    else:
        g.box[design] += 1


# ---- Looking at upgrade cards (§12): each goes on top or to the bottom, in any order -----------------------------
#
# The cards for the bottom are named first, each going below the last; then the cards for the top, from the new top
# downwards. So every outcome has one way to it.


@rule
def look(g, frame):
    """Look at the top cards; the player learns them (F_SCRY: seat, cards left, cards put on top)."""
    seat, left, above = np.int64(frame[SCRY_SEAT]), np.int64(frame[SCRY_LEFT]), np.int64(frame[SCRY_TOP])
    for k in range(left):
        g.upgrade_known[g.upgrade_cards - 1 - above - k] |= 1 << seat
    if left == 0 or (left == 1 and above > 0):  # the last card has one place left
        pop(g)
        return False
    return ask(g, seat, SCRY)


@rule
def take_looked_at(g, frame, k, last):
    """Take out the k-th card that is still looked at; those above it, up to a place, move down.

    Returns the card and the seats that know it, as bits.
    """
    place = np.int64(g.upgrade_cards) - 1 - np.int64(frame[SCRY_TOP]) - k
    card, known = np.int64(g.upgrade[place]), np.int64(g.upgrade_known[place])
    for i in range(place, last):
        g.upgrade[i] = g.upgrade[i + 1]
        g.upgrade_known[i] = g.upgrade_known[i + 1]
    frame[SCRY_LEFT] -= 1
    return card, known


@rule
def scry_top(g, frame, k):
    """The k-th card becomes the next one from the top."""
    top = np.int64(g.upgrade_cards) - 1 - np.int64(frame[SCRY_TOP])
    card, known = take_looked_at(g, frame, k, top)
    g.upgrade[top] = card
    g.upgrade_known[top] = known
    frame[SCRY_TOP] += 1


@rule
def scry_bottom(g, frame, k):
    """The k-th card goes to the bottom."""
    last = np.int64(g.upgrade_cards) - 1
    card, known = take_looked_at(g, frame, k, last)
    g.upgrade_cards = last
    upgrade_to_bottom(g, card, known)
