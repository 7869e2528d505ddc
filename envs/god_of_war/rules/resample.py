"""What a seat cannot know, drawn anew, so that a player who looks ahead learns nothing hidden."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import shuffle, sort


@rule
def resample(g, t, seat, rng):
    """Redraw what a seat cannot know: the order of the decks below the cards seen, of the upgrade deck, the dice."""
    for other in range(g.players):
        hidden = np.int64(g.deck_cards[other]) - np.int64(g.deck_known[other])
        sort(g.deck[other], hidden)  # the draw must not depend on how the cards really lie
        shuffle(rng, g.deck[other], hidden)
    resample_upgrades(g, t, seat, rng)


@rule
def resample_upgrades(g, t, seat, rng):
    """Redraw the upgrade cards that a seat has not seen. Who knows a place is public, what lies there is not.

    The unseen cards change places with the first of the deck, are shuffled there, and change back the same way.
    """
    deck, hidden = g.upgrade, 0
    for place in range(g.upgrade_cards):
        if not knows(g, seat, place):
            deck[hidden], deck[place] = deck[place], deck[hidden]
            hidden += 1
    sort(deck, hidden)
    shuffle(rng, deck, hidden)
    for place in range(g.upgrade_cards - 1, -1, -1):
        if not knows(g, seat, place):
            hidden -= 1
            deck[hidden], deck[place] = deck[place], deck[hidden]


@rule
def knows(g, seat, place):
    """Whether a seat knows the card at a place of the upgrade deck."""
    return (np.int64(g.upgrade_known[place]) >> seat) & 1 != 0
