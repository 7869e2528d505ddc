"""Build a position from lists of cards, for positions that come from a file."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import clear_record
from theogony.envs.innovation.components import CARDS, NO_SPLAY
from theogony.envs.innovation.rules.bits import insert
from theogony.envs.innovation.rules.moves import is_open, lay, owner
from theogony.envs.innovation.rules.piles import set_splay
from theogony.envs.innovation.rules.turns import ask_action, ask_first_meld, empty_table
from theogony.envs.innovation.state import HANDS, SUPPLY, UNCLAIMED


@rule
def arrange(states, i, tables, order, places, splays, period, special, counters, fission, turn, actions_left):
    """Lay every card of `order` on its place, one after another; `actions_left` 0 stands for the first melds.

    `counters` has rows of tucked and scored cards. Every seat knows what it owns and what lies in the open; of the
    cards that were removed, `fission` (ruling R10).
    """
    clear_record(states, i)
    g, t = states[i], tables[0]
    empty_table(g, t)
    for k in range(CARDS):
        card = order[k]
        place = places[card]
        if place < UNCLAIMED:
            lay(g, t, card, place, False)
        g.place[card] = place
        for seat in range(g.players):
            if is_open(place) or card == fission or (HANDS <= place < UNCLAIMED and owner(place) == seat):
                insert(g.known[seat], card)
    for pile in range(SUPPLY):
        if splays[pile] != NO_SPLAY:
            set_splay(g, t, pile, splays[pile])
    g.period[:] = period
    g.special[:] = special
    for seat in range(g.players):
        g.tucks[seat] = counters[0, seat]
        g.scores[seat] = counters[1, seat]
        g.achievements[seat] = np.sum(period == seat) + np.sum(special == seat)
    g.turn = turn
    g.short_turns = 0
    g.actions_left = actions_left
    if actions_left > 0:
        ask_action(g, t)
    else:
        g.short_turns = 2 if t.players == 4 else 1
        ask_first_meld(g, 0)
