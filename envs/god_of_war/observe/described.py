"""Observations with attributes: what cards, scene cards and hindrances are, and behind it the usual fields.

`attributes.py` says what a row holds. Rows are of what lies in the open: of scene cards the visible side, of the ways
to play a card those of the observer's own hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.components.pieces import SLOTS
from theogony.envs.god_of_war.observe.attributes import AMOUNT, CARD, GOAL, HINDRANCE, PLAY, SIDE, UPGRADE
from theogony.envs.god_of_war.observe.layout import layout as usual_layout
from theogony.envs.god_of_war.observe.seen import observe
from theogony.envs.god_of_war.rules.scenes import laid_out

HINDRANCES = len(HINDRANCE)


def layout(players: int, data: dict[str, Any], t: Any) -> FeatureLayout:
    """The features with attributes for a player count, a set of components and the tables made of them."""
    return FeatureLayout(*_cards(t), *_scene(), *usual_layout(players, data, t).features)


def _rows(name: str, group: dict[str, int], meaning: str, *shape: int) -> Feature:
    return Feature(name, (*shape, len(group)), meaning, scale=tuple(group.values()))


def _cards(t: Any) -> tuple[Feature, ...]:
    """Cards, and the ways to play those of the own hand, by what they are played for as actions name them."""
    own = "for each of its actions, what the card in the own hand does: "
    return (
        _rows("card_attributes", CARD, "each design of which somebody holds or has played a card", len(t.pays)),
        _rows("attack_attributes", PLAY, own + "`attack`", len(t.attack_plays)),
        _rows("number_attributes", PLAY, own + "`add`", len(t.number_plays)),
        _rows("block_attributes", PLAY, own + "`block`", len(t.block_plays)),
        _rows("special_attributes", PLAY, own + "`special`", len(t.special_plays)),
        _rows("pending_attributes", PLAY, "the card whose target is asked for, or symbol card of the open set"),
        _rows("upgrade_attributes", UPGRADE, "upgrade cards beside the scene", len(t.upgrade_design)),
    )


def _scene() -> tuple[Feature, ...]:
    """Scene cards, goals, hindrances."""
    return (
        _rows("scene_attributes", SIDE, "visible side of each scene card", SLOTS),
        _rows("goal_attributes", GOAL, "what success and failure ask of each scene card", 2, SLOTS),
        Feature("goal_clear", (2,), "whether success and failure ask for a scene without enemies"),
        Feature("hindrance_attributes", (HINDRANCES,), "what the hindrances in force do together", scale=AMOUNT),
    )


@rule
def observe_attributes(g, t, seat, f):
    """What a seat may know, and what the things are that it sees."""
    observe(g, t, seat, f)
    for design in range(t.card_rows.shape[0]):
        if is_seen(g, f, design):
            copy_array(f.card_attributes[design], t.card_rows[design])
    describe_hand(t, g.hand[seat], t.attack_plays, t.attack_design, f.attack_attributes)
    describe_hand(t, g.hand[seat], t.number_plays, t.number_design, f.number_attributes)
    describe_hand(t, g.hand[seat], t.block_plays, t.block_design, f.block_attributes)
    describe_hand(t, g.hand[seat], t.special_plays, t.special_design, f.special_attributes)
    for play in range(t.play_rows.shape[0]):
        if f.pending_play[play]:
            copy_array(f.pending_attributes, t.play_rows[play])
    for k in range(g.revealed_cards):
        copy_array(f.upgrade_attributes[g.revealed[k]], t.upgrade_rows[g.revealed[k]])
    describe_scene(g, t, f)


@rule
def is_seen(g, f, design):
    """Whether a card of this design is in a hand, a deck, a discard pile or in play: all players know these."""
    for row in range(g.players):
        if f.hand[row, design] or f.deck[row, design] or f.discard[row, design] or f.in_play[row, design]:
            return True
    return False


@rule
def describe_hand(t, hand, plays, designs, rows):
    """The ways to play cards of a hand for one purpose."""
    for k in range(plays.shape[0]):
        if hand[designs[k]] > 0:
            copy_array(rows[k], t.play_rows[plays[k]])


@rule
def describe_scene(g, t, f):
    """The visible sides of scene cards, the goals of the scene, and the hindrances in force."""
    scene = np.int64(g.scenario)
    copy_array(f.goal_attributes, t.goal_rows[scene])
    copy_array(f.goal_clear, t.goal_clear[scene])
    if laid_out(g):
        for slot in range(g.side.shape[0]):
            if t.present[scene, slot]:
                copy_array(f.scene_attributes[slot], t.side_rows[scene, slot, g.side[slot]])
    for k in range(g.hindrances.shape[0]):
        if g.hindrances[k] != NONE:
            for what in range(HINDRANCES):
                more = np.int64(f.hindrance_attributes[what]) + t.hindrance_rows[g.hindrances[k], what]
                f.hindrance_attributes[what] = min(more, AMOUNT)
