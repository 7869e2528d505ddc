"""From the expression trees of the cards to tables of rows for the interpreter (see `opcodes` for what a row means)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.game import ComponentError
from theogony.envs.innovation.cards import nodes as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.description import describe_all
from theogony.envs.innovation.cards.rows import Rows
from theogony.envs.innovation.cards.rows_of_statements import STATEMENTS
from theogony.envs.innovation.components import bits

MOST_EFFECTS = 3  # of a card
ROWS, MASKS = 916, 56  # what the printed cards take: other cards have as much room, so that kernels fit them too


@dataclass(frozen=True)
class Program:
    """All effects as tables."""

    code: np.ndarray  # (rows, COLUMNS) int16
    first_row: np.ndarray  # (cards, effects) int16, -1 behind a card's last effect
    demand: np.ndarray  # (cards,) int8
    masks: list[tuple[int, int]]
    described: np.ndarray  # (cards, numbers) uint8: what each card is and does, for observations
    described_effects: np.ndarray  # (cards, effects, numbers) uint8: and what each of its effects does


def compile_cards(data: Sequence[dict[str, Any]], definitions: Sequence[st.Definition]) -> Program:
    """The program for a card list. Raises ComponentError when a card has no definition."""
    by_name = {definition.name: definition for definition in definitions}
    rows = Rows(data, STATEMENTS)
    width = MOST_EFFECTS + 1
    first_row = np.full((len(data), width), -1, np.int16)
    demand = np.zeros(len(data), np.int8)
    compiled: dict[st.Effect, int] = {}
    for number, card in enumerate(data):
        if card["name"] not in by_name:
            raise ComponentError(
                f"card {number}: nothing says what {card['name']!r} does: see innovation/cards/effects"
            )
        effects = by_name[card["name"]].effects
        demand[number] = effects[0].demand
        for k, effect in enumerate(effects):
            if effect not in compiled:
                compiled[effect] = rows.effect(effect)
            first_row[number, k] = compiled[effect]
    code = np.zeros((max(len(rows.rows), ROWS), op.COLUMNS), np.int16)
    for number, row in enumerate(rows.rows):
        code[number, : len(row)] = row
    masks = [bits(mask) for mask in rows.masks]
    described = describe_all(data, by_name, MOST_EFFECTS)
    return Program(code, first_row, demand, masks + [(0, 0)] * (MASKS - len(masks)), *described)
