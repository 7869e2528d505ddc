"""Set-up (rules §2): the ages are shuffled, achievements laid out, two cards dealt to each seat."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import shuffle
from theogony.envs.innovation.cards.opcodes import TO_HAND
from theogony.envs.innovation.components import AGES, CARDS
from theogony.envs.innovation.rules.legal import ask
from theogony.envs.innovation.rules.moves import draw
from theogony.envs.innovation.rules.piles import put_beneath
from theogony.envs.innovation.state import INITIAL_MELD, NONE, SUPPLY, UNCLAIMED


@rule
def empty_table(g, t):
    """No card anywhere, nothing claimed."""
    g.players = t.players
    g.place[:] = NONE
    g.below[:] = NONE
    g.top[:] = NONE
    g.bottom[:] = NONE
    g.period[:] = NONE
    g.period[AGES - 1] = -2  # there is none for age 10
    g.special[:] = NONE
    g.dogma = NONE
    g.short_turns = 2 if t.players == 4 else 1


@rule
def setup(g, t):
    """Shuffle the ages, lay out the achievements, deal two cards each; the first melds are due (rules §2)."""
    empty_table(g, t)
    order = g.place  # a place to shuffle in
    for card in range(CARDS):
        order[card] = card
    start = 0
    while start < CARDS:
        stop = start
        while stop < CARDS and t.age[stop] == t.age[start]:
            stop += 1
        shuffle(g.rng, order[start:stop], stop - start)
        start = stop
    for k in range(CARDS):
        put_beneath(g, t, SUPPLY + np.int64(t.age[k]) - 1, np.int64(order[k]))
    for card in range(CARDS):
        g.place[card] = SUPPLY + np.int64(t.age[card]) - 1
    for pile in range(SUPPLY, SUPPLY + AGES - 1):  # the top card of 1 to 9, unseen
        card = np.int64(g.top[pile])
        g.top[pile] = g.below[card]
        g.below[card] = NONE
        g.height[pile] -= 1
        g.place[card] = UNCLAIMED
    for seat in range(g.players):
        draw(g, t, seat, 1, TO_HAND)
        draw(g, t, seat, 1, TO_HAND)
    ask_first_meld(g, 0)


@rule
def ask_first_meld(g, seat):
    """Secretly and simultaneously: no seat sees what the others chose (rules §2, 5)."""
    ask(g, seat, INITIAL_MELD, False)
    g.options[0] = g.hand[seat, 0]
    g.options[1] = g.hand[seat, 1]
