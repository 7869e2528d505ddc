"""Build a position from lists of cards, for positions that come from a file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import clear_record
from theogony.envs.innovation.components import CARDS, NO_SPLAY
from theogony.envs.innovation.rules.bits import insert
from theogony.envs.innovation.rules.moves import is_open, lay, owner
from theogony.envs.innovation.rules.piles import set_splay
from theogony.envs.innovation.rules.setup import ask_first_meld, empty_table
from theogony.envs.innovation.rules.turn import ask_action
from theogony.envs.innovation.state import HANDS, SUPPLY, UNCLAIMED


class Arrangement(NamedTuple):
    """What lies where in a position between two actions, or before the first melds."""

    order: np.ndarray  # int64 (CARDS,): the cards in the order in which they are laid down
    places: np.ndarray  # int64 (CARDS,): the place of each card
    splays: np.ndarray  # int64 (SUPPLY,): the splay of each pile
    period: np.ndarray  # int8 (AGES,): the seat that claimed each age
    special: np.ndarray  # int8: the seat that claimed each special achievement
    counters: np.ndarray  # int64 (2, seats): cards tucked and cards scored
    fission: int  # the card Fission where it has removed cards (ruling R10), else NONE
    turn: int
    actions_left: int  # 0 stands for the first melds


@rule
def arrange(states, i, tables, given):
    """Lay every card on its place, one after another. Every seat knows what it owns and what lies in the open."""
    clear_record(states, i)
    g, t = states[i], tables[0]
    empty_table(g, t)
    for k in range(CARDS):
        card = given.order[k]
        place = given.places[card]
        if place < UNCLAIMED:
            lay(g, t, card, place, False)
        g.place[card] = place
        for seat in range(g.players):
            if is_open(place) or card == given.fission or (HANDS <= place < UNCLAIMED and owner(place) == seat):
                insert(g.known[seat], card)
    for pile in range(SUPPLY):
        if given.splays[pile] != NO_SPLAY:
            set_splay(g, t, pile, given.splays[pile])
    g.period[:] = given.period
    g.special[:] = given.special
    for seat in range(g.players):
        g.tucks[seat] = given.counters[0, seat]
        g.scores[seat] = given.counters[1, seat]
        g.achievements[seat] = np.sum(given.period == seat) + np.sum(given.special == seat)
    g.turn = given.turn
    g.short_turns = 0
    g.actions_left = given.actions_left
    if given.actions_left > 0:
        ask_action(g, t)
    else:
        g.short_turns = 2 if t.players == 4 else 1
        ask_first_meld(g, 0)
