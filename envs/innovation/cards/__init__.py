"""What the cards do: their language, the 105 cards written in it, and what the interpreter performs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.innovation.cards.effects import DEFINITIONS
from theogony.envs.innovation.cards.expressions import Definition, Effect
from theogony.envs.innovation.cards.recipes import definition_of, fault_in
from theogony.envs.innovation.cards.rows import compile_cards

__all__ = ["DEFINITIONS", "compile_cards", "definitions_of", "effects_of", "fault_in"]

BY_NAME = {definition.name: definition for definition in DEFINITIONS}


def definitions_of(data: Sequence[dict[str, Any]]) -> list[Definition]:
    """What each card of a list does: its own effects, or those that are known by its name; without either, none."""
    return [
        definition_of(card["name"], card["effects"]) if "effects" in card else BY_NAME[card["name"]]
        for card in data
        if "effects" in card or card["name"] in BY_NAME
    ]


def effects_of(game: Game, card: int) -> tuple[Effect, ...]:
    """The effects of a card of a game."""
    return definitions_of([game.components["cards"][card]])[0].effects
