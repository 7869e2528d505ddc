"""A value of a position, for the greedy and the searching player."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.components import AGES, ICONS
from theogony.envs.innovation.rules.bits import count
from theogony.envs.innovation.rules.moves import highest_top
from theogony.envs.innovation.rules.piles import icon_count
from theogony.envs.innovation.state import NONE, SIDE

ACHIEVEMENT = 12.0  # worth of an achievement, in points
PROGRESS = 8.0  # of being all the way to the next age achievement
SECOND = 0.7  # of the way to the one after it, as a share of that
ICON = 0.35  # of a visible icon; more of one kind is worth less
TOP_VALUE = 0.5  # of a value step of the top cards
SPLAY = 1.0  # of a splayed pile: once for left, twice for right, three times for up
HAND_CARD = 0.4
HALF = 60.0  # a lead that is worth half of a won game


@rule
def value(g, t, seat):
    """Lead over the best other, squeezed between -1 and 1; the result when the game is over."""
    best = -1000.0
    for other in range(g.players):
        if other != seat:
            best = max(best, prospect(g, t, other))
    if g.over != 0 and g.winners != 0:
        won = (g.winners >> seat) & 1
        return 1.0 if won and g.winners == 1 << seat else 0.5 if won else -1.0
    lead = prospect(g, t, seat) - best
    return lead / (abs(lead) + HALF)


@rule
def prospect(g, t, seat):
    """What a seat has, in points."""
    points = np.float64(g.points[seat])
    worth = ACHIEVEMENT * g.achievements[seat] + min(points, 60.0) * 0.6
    worth += PROGRESS * progress(g, t, seat)
    for icon in range(len(ICONS)):
        worth += ICON * min(icon_count(g, seat, icon), 10)
    for colour in range(SIDE):
        card = g.top[seat * SIDE + colour]
        if card != NONE:
            worth += 0.8 + TOP_VALUE * t.age[card]
        worth += SPLAY * g.splay[seat * SIDE + colour]
    return worth + HAND_CARD * min(count(g.hand[seat]), 8)


@rule
def progress(g, t, seat):
    """How near the two lowest free age achievements are, by points and by the highest top card: each 0 to 1."""
    top = highest_top(g, t, seat)
    worth, weight = 0.0, 1.0
    for age in range(1, AGES):
        if g.period[age - 1] == NONE:
            worth += weight * (0.7 * min(g.points[seat] / (5.0 * age), 1.0) + 0.3 * min(top / age, 1.0))
            if weight < 1.0:
                break
            weight = SECOND
    return worth
