"""The instructions that fill set registers: where the effects look for cards."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.rules.bits import clear, insert, keep_highest, keep_lowest
from theogony.envs.innovation.rules.numbers import number
from theogony.envs.innovation.state import NONE, SIDE


@rule
def fill(g, t, f, row):
    """One instruction of the sets' group."""
    code = row[0]
    s = g.sets[f, row[1]]
    if code == op.KEEP or code == op.DROP:
        filter_set(g, t, f, row, s)
    elif code == op.COPY:
        s[0] = g.sets[f, row[2], 0]
        s[1] = g.sets[f, row[2], 1]
    elif code == op.MINUS:
        s[0] &= ~g.sets[f, row[2], 0]
        s[1] &= ~g.sets[f, row[2], 1]
    elif code == op.HIGHEST:
        keep_highest(t, s)
    elif code == op.LOWEST:
        keep_lowest(t, s)
    else:
        clear(s)
        if code == op.AREA:
            add_area(g, s, row[2], number(g, f, row[3]))
        elif code == op.AREA_OF_ALL:
            for seat in range(g.players):
                if row[3] == 0 or seat != g.num[f, op.ME]:
                    add_area(g, s, row[2], seat)
        else:
            add_from_piles(g, f, row, s)


@rule
def filter_set(g, t, f, row, s):
    """Keep or drop the cards of a mask."""
    mask = row[2] + number(g, f, row[3])
    if row[0] == op.KEEP:
        s[0] &= t.masks[mask, 0]
        s[1] &= t.masks[mask, 1]
    else:
        s[0] &= ~t.masks[mask, 0]
        s[1] &= ~t.masks[mask, 1]


@rule
def add_area(g, s, area, seat):
    """Add the cards of an area of a player."""
    for word in range(2):
        if area == op.HAND:
            s[word] |= g.hand[seat, word]
        elif area == op.SCORE:
            s[word] |= g.scored[seat, word]
        elif area == op.TOPS:
            s[word] |= g.tops[seat, word]
        elif area == op.REVEALED:
            s[word] |= g.shown[seat, word]
        else:
            s[word] |= g.hand[seat, word] | g.shown[seat, word]


@rule
def add_from_piles(g, f, row, s):
    """Add a whole pile, its top or bottom card, or the one card of a register."""
    code = row[0]
    if code == op.ONE_CARD:
        card = number(g, f, row[2])
        if card != NONE:
            insert(s, card)
        return
    pile = number(g, f, row[2]) * SIDE + number(g, f, row[3])
    card = np.int64(g.bottom[pile]) if code == op.BOTTOM else np.int64(g.top[pile])
    while card != NONE:
        insert(s, card)
        card = np.int64(g.below[card]) if code == op.PILE else np.int64(NONE)
