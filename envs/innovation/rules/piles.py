"""Piles: chains of cards from the top down, for boards and supply; top cards and visible icons kept up to date."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import log_of
from theogony.envs.innovation.components import NO_SPLAY, WHOLE
from theogony.envs.innovation.rules.bits import discard, insert
from theogony.envs.innovation.state import NONE, SIDE, SUPPLY

BYTE = np.uint64(255)
EIGHT = np.uint64(8)


@rule
def count_of_icon(icons, icon):
    """One of the six packed counts."""
    return np.int64((icons >> (EIGHT * np.uint64(icon))) & BYTE)


@rule
def icon_count(g, seat, icon):
    """Visible icons of a kind on a board."""
    return count_of_icon(g.icons[seat], icon)


@rule
def put_on_top(g, t, pile, card):
    """Lay a card on a pile. A splayed pile stays splayed: the covered card shows what the splay leaves (rules §4.4)."""
    covered = np.int64(g.top[pile])
    g.below[card] = covered
    g.top[pile] = card
    g.height[pile] += 1
    if covered == NONE:
        g.bottom[pile] = card
    if pile < SUPPLY:
        seat = pile // SIDE
        insert(g.tops[seat], card)
        g.icons[seat] += t.face[card, WHOLE]
        if covered != NONE:
            discard(g.tops[seat], covered)
            g.icons[seat] = g.icons[seat] + t.face[covered, g.splay[pile]] - t.face[covered, WHOLE]


@rule
def put_beneath(g, t, pile, card):
    """Put a card under a pile; into an empty one it is the top card too (rules §4.4)."""
    if g.top[pile] == NONE:
        put_on_top(g, t, pile, card)
        return
    g.below[g.bottom[pile]] = card
    g.below[card] = NONE
    g.bottom[pile] = card
    g.height[pile] += 1
    if pile < SUPPLY:
        g.icons[pile // SIDE] += t.face[card, g.splay[pile]]


@rule
def put_under(g, t, pile, above, card):
    """Put a card right under one that does not lie at the bottom."""
    g.below[card] = g.below[above]
    g.below[above] = card
    g.height[pile] += 1
    g.icons[pile // SIDE] += t.face[card, g.splay[pile]]


@rule
def take_out(g, t, pile, card):
    """Take a card out of a pile, wherever it lies in it. A pile of one card or none loses its splay (rules §4.5)."""
    if g.top[pile] == card:
        take_top(g, t, pile, card)
    else:
        above = np.int64(g.top[pile])
        while g.below[above] != card:
            above = np.int64(g.below[above])
        g.below[above] = g.below[card]
        if g.bottom[pile] == card:
            g.bottom[pile] = above
        if pile < SUPPLY:
            g.icons[pile // SIDE] -= t.face[card, g.splay[pile]]
    g.below[card] = NONE
    g.height[pile] -= 1
    if pile < SUPPLY and g.height[pile] < 2:
        g.splay[pile] = NO_SPLAY


@rule
def take_top(g, t, pile, card):
    """The part of `take_out` for a top card."""
    uncovered = np.int64(g.below[card])
    g.top[pile] = uncovered
    if uncovered == NONE:
        g.bottom[pile] = NONE
    if pile < SUPPLY:
        seat = pile // SIDE
        discard(g.tops[seat], card)
        g.icons[seat] -= t.face[card, WHOLE]
        if uncovered != NONE:
            insert(g.tops[seat], uncovered)
            g.icons[seat] = g.icons[seat] + t.face[uncovered, WHOLE] - t.face[uncovered, g.splay[pile]]


@rule
def set_splay(g, t, pile, direction):
    """Splay a board pile, whatever its splay was (rules §4.5); `can_splay` says whether that is a change."""
    seat = pile // SIDE
    card = np.int64(g.below[g.top[pile]])
    while card != NONE:
        g.icons[seat] = g.icons[seat] + t.face[card, direction] - t.face[card, g.splay[pile]]
        card = np.int64(g.below[card])
    g.splay[pile] = direction


@rule
def can_splay(g, pile, direction):
    """Only a pile of two cards or more, and only another direction than it has (rules §4.5)."""
    return g.height[pile] >= 2 and g.splay[pile] != direction


@rule
def board_colours(g, seat):
    """The colours on a board, as bits."""
    found = 0
    for colour in range(SIDE):
        if g.height[seat * SIDE + colour] > 0:
            found |= 1 << colour
    return found


# ---- The log of what moved since the last decision, for those who follow a game from outside (see `state`) -------
#
# Positions of play have none; there these rules do nothing, and are left out when the rules that call them are
# compiled.


@rule
def note(g, what, source, target):
    """Append a movement. When the log is full only the count goes on."""
    log = log_of(g)
    if log.shape[0] > 0:
        k = 1 + 3 * log[0]
        if k < log.shape[0]:
            log[k] = what
            log[k + 1] = source
            log[k + 2] = target
        log[0] += 1


@rule
def clear_log(g):
    """Forget the movements before a new decision."""
    log = log_of(g)
    if log.shape[0] > 0:
        log[0] = 0
