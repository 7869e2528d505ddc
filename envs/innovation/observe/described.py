"""Observations with attributes: what the cards are and do, and behind it the usual fields.

A card is described as `cards/attributes.py` does it, in rows that the tables carry, so that what is learnt of a kind of
card holds for every card of that kind, in any pack. Only cards whose place the observer knows have a row: a card that
lies where it has not seen it, or in somebody's hand unseen, is zeros.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout, row_of
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.core.record import with_fields
from theogony.envs.innovation.cards.attributes import EFFECT, FACE, SCALES
from theogony.envs.innovation.components import CARDS
from theogony.envs.innovation.observe.seen import layout as usual_layout
from theogony.envs.innovation.observe.seen import observe
from theogony.envs.innovation.rules.bits import ONE, ZERO, lowest_bit
from theogony.envs.innovation.state import NONE, SIDE

FACES, EFFECTS = len(FACE), len(EFFECT)  # numbers of a face, and of an effect


def layout(players: int, needed: int) -> FeatureLayout:
    """The features with attributes for a player count and the number of achievements that win."""
    row = (len(SCALES),)
    return FeatureLayout(
        Feature("card_attributes", (CARDS, *row), "every card whose place the observer knows", scale=SCALES),
        Feature("top_attributes", (players, SIDE, *row), "the top card of each pile of each board", scale=SCALES),
        Feature("performing_attributes", row, "the card whose effect is being performed", scale=SCALES),
        Feature("effect_attributes", (EFFECTS,), "that effect of it", scale=tuple(EFFECT.values())),
        *usual_layout(players, needed).features,
    )


def with_attributes(tables: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Tables that carry the rows of all cards too."""
    return with_fields(tables, {"attributes": rows})


@rule
def observe_attributes(g, t, seat, f):
    """What a perfectly attentive player knows, and what the cards are of which it knows the place."""
    observe(g, t, seat, f)
    low, high = g.known[seat, 0], g.known[seat, 1]
    while low != ZERO:
        copy_array(f.card_attributes[lowest_bit(low)], t.attributes[lowest_bit(low)])
        low &= low - ONE
    while high != ZERO:
        copy_array(f.card_attributes[64 + lowest_bit(high)], t.attributes[64 + lowest_bit(high)])
        high &= high - ONE
    for other in range(g.players):
        for colour in range(SIDE):
            top = np.int64(g.top[other * SIDE + colour])
            if top != NONE:
                copy_array(f.top_attributes[row_of(g, seat, other), colour], t.attributes[top])
    if g.depth > 0:
        observe_performance(g, t, f)


@rule
def observe_performance(g, t, f):
    """The card whose effect is being performed, and that effect: both are public."""
    card = np.int64(g.frame_card[g.depth - 1])
    copy_array(f.performing_attributes, t.attributes[card])
    first = FACES + EFFECTS * np.int64(g.frame_effect[g.depth - 1])
    for k in range(EFFECTS):
        f.effect_attributes[k] = t.attributes[card, first + k]
