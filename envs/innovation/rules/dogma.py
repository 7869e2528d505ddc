"""Dogma actions: who shares and who must obey, one performance after another, and the sharing bonus (rules §5)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.cards.opcodes import TO_HAND
from theogony.envs.innovation.rules.interpreter import open_frame, run_frame
from theogony.envs.innovation.rules.moves import draw, highest_top
from theogony.envs.innovation.rules.piles import icon_count
from theogony.envs.innovation.state import NONE


@rule
def start_dogma(g, t, card):
    """The icons are counted once; the two groups hold for the whole action (rules §5, 2)."""
    icon = np.int64(t.dogma_icon[card])
    mine = icon_count(g, g.turn, icon)
    victims, sharers = 0, 0
    for seat in range(g.players):
        if seat != g.turn:
            if icon_count(g, seat, icon) < mine:
                victims |= 1 << seat
            else:
                sharers |= 1 << seat
    g.dogma = card
    g.victims = victims
    g.sharers = sharers
    g.effect = 0
    g.offset = 0
    g.demanding = t.demand[card]
    g.hit = 0
    g.bonus = 0
    g.had_bonus = 0
    g.tally[:] = 0


@rule
def next_performance(g, t):
    """Open the frame of the next performer: clockwise from the active player's left, who comes last in a share effect.

    Returns False when all effects are done.
    """
    card = np.int64(g.dogma)
    while t.first_row[card, g.effect] != NONE:
        while g.offset < g.players:
            g.offset += 1
            seat = (np.int64(g.turn) + g.offset) % g.players
            group = g.victims if g.demanding else g.sharers | (1 << g.turn)
            if (group >> seat) & 1 != 0:
                g.performer = seat
                open_frame(g, t, 0, card, np.int64(g.effect), seat, 0)
                return True
        g.effect += 1
        g.offset = 0
        g.demanding = 0
    return False


@rule
def end_dogma(g, t):
    """The action is over; it may earn one free draw (rules §5, 5). Nothing of it is left in the state."""
    had_bonus = np.int64(g.bonus) if g.dogma != NONE else np.int64(0)
    seat = np.int64(g.turn)
    g.dogma = NONE
    g.effect = 0
    g.offset = 0
    g.performer = 0
    g.victims = 0
    g.sharers = 0
    g.demanding = 0
    g.hit = 0
    g.bonus = 0
    g.tally[:] = 0
    g.had_bonus = had_bonus
    if had_bonus:
        draw(g, t, seat, highest_top(g, t, seat), TO_HAND)


@rule
def run_dogma(g, t):
    """Go on with the running action (rules §5). Returns False when somebody has to decide, True when it is over."""
    while g.over == 0:
        if g.depth > 0:
            if not run_frame(g, t):
                return False
        elif g.dogma == NONE or not next_performance(g, t):
            end_dogma(g, t)
            return True
    return True
