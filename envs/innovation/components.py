"""The printed cards: read from a JSON file, checked, and turned with their compiled effects into read-only tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.checked import checked
from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.record import record_dtype, tables_header

DEFAULT_CARDS = Path(__file__).with_name("data") / "cards.json"
CARDS = 105
AGES = 10
MAX_PLAYERS = 4
COLOURS = ("blue", "red", "green", "yellow", "purple")
ICONS = ("castle", "crown", "leaf", "bulb", "factory", "clock")
SPLAYS = ("none", "left", "right", "up")
SPECIALS = ("Empire", "Monument", "Universe", "Wonder", "World")  # achievements by conditions (rules §6)
EMPIRE, MONUMENT, UNIVERSE, WONDER, WORLD = range(5)
CASTLE, CROWN, LEAF, BULB, FACTORY, CLOCK = range(6)
NO_SPLAY, LEFT, RIGHT, UP = range(4)
WHOLE = 4  # the column of `face` for a top card, which shows everything
SHOWN_BY_SPLAY = ((), (3,), (0, 1), (1, 2, 3), (0, 1, 2, 3))  # icon places that a splay leaves in view (rules §4.5)

Icon = Literal["castle", "crown", "leaf", "bulb", "factory", "clock"]


class Card(BaseModel):
    """One card: icons by place (top left, bottom left, bottom centre, bottom right), null for the picture."""

    model_config = ConfigDict(extra="ignore")
    name: str
    age: Annotated[int, Field(ge=1, le=AGES)]
    colour: Literal["blue", "red", "green", "yellow", "purple"]
    icons: Annotated[list[Icon | None], Field(min_length=4, max_length=4)]
    dogma: Icon


class CardFile(BaseModel):
    """A card file. Other keys are allowed and ignored."""

    model_config = ConfigDict(extra="ignore")
    cards: Annotated[list[Card], Field(min_length=CARDS, max_length=CARDS)]


def load_cards(path: str | Path) -> dict[str, Any]:
    """A checked card file as plain data. Raises ComponentError naming the file, the card and what was expected."""
    return check_cards(read_components(path), str(path))


def check_cards(raw: Any, path: str) -> dict[str, Any]:
    """Card data, checked; `path` says in messages where it comes from. Raises ComponentError."""
    cards = checked(CardFile, raw, path, ComponentError).cards
    names = [card.name for card in cards]
    for number, card in enumerate(cards):
        if names.index(card.name) != number:
            raise ComponentError(f"{path}: card {number}: {card.name!r} is listed twice")
        if number and card.age < cards[number - 1].age:
            raise ComponentError(f"{path}: card {number} ({card.name!r}): cards must be sorted by age")
        if card.dogma not in card.icons:
            raise ComponentError(f"{path}: card {number} ({card.name!r}): its dogma icon {card.dogma} is not on it")
    for age in range(1, AGES + 1):
        if not any(card.age == age for card in cards):
            raise ComponentError(f"{path}: no card of age {age}")
    return {"cards": [card.model_dump() for card in cards]}


def tables_dtype(rows: int, columns: int, effects: int, masks: int) -> np.dtype:
    """The read-only record `t` that every rule gets."""
    return record_dtype(
        *tables_header(),
        ("needed", "i2"),  # achievements that win (rules §8.1)
        ("age", "i1", (CARDS,)),
        ("colour", "i1", (CARDS,)),
        ("dogma_icon", "i1", (CARDS,)),
        ("alphabet", "i1", (CARDS,)),  # rank of the title, for the first player (rules §2)
        ("face", "u8", (CARDS, 5)),  # icons in view by splay, six counts of eight bits; the last column: all
        ("of_age", "u8", (AGES + 2, 2)),  # cards of each age, as two words of bits
        ("of_colour", "u8", (len(COLOURS), 2)),
        ("masks", "u8", (masks, 2)),  # every set that a filter of the effects names
        ("code", "i2", (rows, columns)),  # the compiled effects
        ("first_row", "i2", (CARDS, effects)),  # where each effect of a card begins, -1 behind the last
        ("demand", "i1", (CARDS,)),  # whether the first effect is a demand
    )


def bits(cards: Any) -> tuple[int, int]:
    """Card numbers as two words of 64 bits."""
    whole = sum(1 << card for card in cards)
    return whole & (2**64 - 1), whole >> 64


def build_tables(data: list[dict[str, Any]], program: Any, players: int, cut_off: int) -> np.ndarray:
    """The tables record, as an array of one; `program` is what `compiler.compile_cards` made of the effects."""
    effects = program.first_row.shape[1]
    tables = np.zeros(1, tables_dtype(program.code.shape[0], program.code.shape[1], effects, len(program.masks)))
    t = tables[0]
    t.players, t.max_decisions, t.scale, t.needed = players, cut_off, 50.0, 8 - players
    ages = [card["age"] for card in data]
    colours = [COLOURS.index(card["colour"]) for card in data]
    t.age[:], t.colour[:] = ages, colours
    t.dogma_icon[:] = [ICONS.index(card["dogma"]) for card in data]
    by_title = sorted(range(CARDS), key=lambda c: data[c]["name"])
    t.alphabet[by_title] = np.arange(CARDS)
    for number, card in enumerate(data):
        for splay, places in enumerate(SHOWN_BY_SPLAY):
            shown = [card["icons"][place] for place in places if card["icons"][place]]
            t.face[number, splay] = sum(1 << 8 * ICONS.index(icon) for icon in shown)
    for age in range(1, AGES + 1):
        t.of_age[age] = bits(c for c in range(CARDS) if ages[c] == age)
    for colour in range(len(COLOURS)):
        t.of_colour[colour] = bits(c for c in range(CARDS) if colours[c] == colour)
    t.masks[:] = program.masks
    t.code[:] = program.code
    t.first_row[:] = program.first_row
    t.demand[:] = program.demand
    return tables
