"""What the cards are and do, and what follows from it: the last fields of the observation.

A card is described as `cards/description.py` does it, so that what is learnt of a kind of card holds for every card of
that kind, in any pack. Only those are which can come into play and which the observer knows: cards that are covered,
that lie in the supply, or in somebody's hand unseen are zeros.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, row_of
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.innovation.cards.description import EFFECT, SCALES
from theogony.envs.innovation.components import AGES, CARDS, LEFT, RIGHT, UP
from theogony.envs.innovation.rules.bits import ONE, ZERO, lowest_bit
from theogony.envs.innovation.rules.moves import highest_top
from theogony.envs.innovation.rules.piles import icon_count
from theogony.envs.innovation.state import NONE, SIDE, SUPPLY

ICON, COVERED = 20, 20  # scales
ICONS_MOST, COVERED_MOST = 4 * ICON, 3 * COVERED
BYTES, SHORTS, WORDS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFF)


def described_fields(players: int) -> tuple[Feature, ...]:
    """What the cards are and do."""
    card = (len(SCALES),)
    return (
        Feature(
            "cards",
            (CARDS, *card),
            "every known card in a hand, a score pile, the open, on top of a board, in a pile that is put in order",
            scale=SCALES,
        ),
        Feature("tops", (players, SIDE, *card), "the top card of each pile of each board", scale=SCALES),
        Feature("performed", (len(EFFECT),), "the effect that is being performed", scale=tuple(EFFECT.values())),
        Feature(
            "dogma_icons",
            (SIDE, players),
            "visible icons of each player of the kind that the own top card of a pile counts",
            0,
            4,
            ICON,
        ),
        Feature(
            "covered",
            (SIDE, UP),
            "icons that covered cards of each own pile show splayed left, right, up",
            0,
            3,
            COVERED,
        ),
        Feature(
            "draws", (players,), "the value that a draw action would bring; above 1 it ends the game", 0, 1.1, AGES
        ),
    )


@rule
def observe_described(g, t, seat, f):
    """What the cards are and do, as far as a seat knows them, and what follows for the own piles."""
    for other in range(g.players):
        low = g.hand[other, 0] | g.scored[other, 0] | g.shown[other, 0] | g.tops[other, 0]
        high = g.hand[other, 1] | g.scored[other, 1] | g.shown[other, 1] | g.tops[other, 1]
        describe(t, low & g.known[seat, 0], high & g.known[seat, 1], f)
        row = row_of(g, seat, other)
        f.draws[row] = value_drawn(g, t, other)
        for colour in range(SIDE):
            top = np.int64(g.top[other * SIDE + colour])
            if top != NONE:
                copy_array(f.tops[row, colour], t.described[top])
    for colour in range(SIDE):
        top = np.int64(g.top[seat * SIDE + colour])
        if top != NONE:
            observe_pile(g, t, seat, colour, top, f)
    if g.reordered > 0:
        card = np.int64(g.top[g.reordered - 1])
        while card != NONE:
            copy_array(f.cards[card], t.described[card])
            card = np.int64(g.below[card])
    if g.depth > 0:
        frame = g.depth - 1
        copy_array(f.performed, t.described_effects[np.int64(g.frame_card[frame]), np.int64(g.frame_effect[frame])])


@rule
def describe(t, low, high, f):
    """The cards of a set of two words."""
    while low != ZERO:
        card = lowest_bit(low)
        copy_array(f.cards[card], t.described[card])
        low &= low - ONE
    while high != ZERO:
        card = 64 + lowest_bit(high)
        copy_array(f.cards[card], t.described[card])
        high &= high - ONE


@rule
def value_drawn(g, t, seat):
    """The value of the card that a draw action brings a seat (rules §3), `AGES` + 1 when no supply is left for it."""
    value = max(highest_top(g, t, seat), 1)
    while value <= AGES and g.height[SUPPLY + value - 1] == 0:
        value += 1
    return value


@rule
def observe_pile(g, t, seat, colour, top, f):
    """An own pile: who has how many of the icons that its top card counts, and what a splay would show."""
    icon = np.int64(t.dogma_icon[top])
    for other in range(g.players):
        f.dogma_icons[colour, row_of(g, seat, other)] = min(icon_count(g, other, icon), ICONS_MOST)
    left, right, up = ZERO, ZERO, ZERO
    card = np.int64(g.below[top])
    while card != NONE:
        left += t.face[card, LEFT]
        right += t.face[card, RIGHT]
        up += t.face[card, UP]
        card = np.int64(g.below[card])
    f.covered[colour, 0] = min(all_icons(left), COVERED_MOST)
    f.covered[colour, 1] = min(all_icons(right), COVERED_MOST)
    f.covered[colour, 2] = min(all_icons(up), COVERED_MOST)


@rule
def all_icons(counts):
    """The sum of packed counts of eight bits."""
    pairs = (counts & BYTES) + ((counts >> np.uint64(8)) & BYTES)
    fours = (pairs & SHORTS) + ((pairs >> np.uint64(16)) & SHORTS)
    return np.int64((fours + (fours >> np.uint64(32))) & WORDS)
