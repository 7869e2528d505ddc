"""Setup (rules §2): piles, display, gods and who begins."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import below, shuffle
from theogony.envs.orbis.components import DISPLAY, GODS, LEVELS
from theogony.envs.orbis.state import NONE


@rule
def setup(g, t):
    """A game before its first turn: nobody has worshippers (§2)."""
    g.source = NONE
    g.hand = NONE
    g.cell = NONE
    g.god[:] = NONE
    g.tiles[:] = NONE
    g.pile[:] = NONE
    deal(g, t)
    left = np.int64(t.offer)
    for god in range(GODS):  # a random choice of that many, in one pass
        if below(g.rng, GODS - god) < left:
            g.offer |= 1 << god
            left -= 1
    if t.random_first:
        g.first = below(g.rng, np.int64(g.players))
    g.actor = g.first
    g.turn = g.first


@rule
def deal(g, t):
    """Nine tiles of level 1 at random as the display, the rest as piles by level."""
    place = np.int64(0)
    for level in range(1, LEVELS + 1):
        first = place
        left = np.int64(0)
        for k in range(np.int64(t.deck)):
            tile = t.in_use[k]
            if t.level[tile] != level:
                continue
            left += 1
            if level > 1:
                g.pile[place] = tile
                place += 1
        if level == 1:
            place = deal_first(g, t, left)
        shuffle(g.rng, g.pile[first:place], place - first)


@rule
def deal_first(g, t, left):
    """Draw the display from the level-1 tiles; the others begin the pile. Returns how many those are."""
    place, to_draw = np.int64(0), DISPLAY
    for k in range(left):  # each subset is equally likely; then the display is shuffled
        tile = t.in_use[k]
        if below(g.rng, left - k) < to_draw:
            g.display[DISPLAY - to_draw] = tile
            to_draw -= 1
        else:
            g.pile[place] = tile
            place += 1
    shuffle(g.rng, g.display, DISPLAY)
    return place
