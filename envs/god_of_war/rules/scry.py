"""Looking at upgrade cards (§12): each goes on top or to the bottom, in any order.

The cards for the bottom are named first, each going below the last; then the cards for the top, from the new top
downwards. So every outcome has one way to it.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.frames import SCRY_LEFT, SCRY_SEAT, SCRY_TOP
from theogony.envs.god_of_war.rules.agenda import ask, pop
from theogony.envs.god_of_war.rules.cards import upgrade_to_bottom
from theogony.envs.god_of_war.state import SCRY


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
def take_looked_at(g, frame, k):
    """Take out the k-th card that is still looked at. Returns it."""
    place = np.int64(g.upgrade_cards) - 1 - np.int64(frame[SCRY_TOP]) - k
    card = np.int64(g.upgrade[place])
    return card, place


@rule
def scry_top(g, frame, k):
    """The k-th card becomes the next one from the top."""
    card, place = take_looked_at(g, frame, k)
    known = g.upgrade_known[place]
    top = np.int64(g.upgrade_cards) - 1 - np.int64(frame[SCRY_TOP])
    for i in range(place, top):
        g.upgrade[i] = g.upgrade[i + 1]
        g.upgrade_known[i] = g.upgrade_known[i + 1]
    g.upgrade[top] = card
    g.upgrade_known[top] = known
    frame[SCRY_LEFT] -= 1
    frame[SCRY_TOP] += 1


@rule
def scry_bottom(g, frame, k):
    """The k-th card goes to the bottom."""
    card, place = take_looked_at(g, frame, k)
    known = g.upgrade_known[place]
    last = np.int64(g.upgrade_cards) - 1
    for i in range(place, last):
        g.upgrade[i] = g.upgrade[i + 1]
        g.upgrade_known[i] = g.upgrade_known[i + 1]
    g.upgrade_cards = last
    upgrade_to_bottom(g, card, known)
    frame[SCRY_LEFT] -= 1
