"""The printed cards with their compiled effects as the read-only record `t`."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.record import given_chances, record_dtype, tables_header
from theogony.envs.innovation.components.pieces import AGES, CARDS, COLOURS, ICONS, SHOWN_BY_SPLAY

CHANCES = 16  # results of a recording that one decision can use up: all cards of an age behind one back


def tables_dtype(program: Any) -> np.dtype:
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
        ("masks", "u8", (len(program.masks), 2)),  # every set that a filter of the effects names
        ("code", "i2", program.code.shape),  # the compiled effects
        ("first_row", "i2", program.first_row.shape),  # where each effect of a card begins, -1 behind the last
        ("demand", "i1", (CARDS,)),  # whether the first effect is a demand
        ("described", "u1", program.described.shape),  # what each card is and does, for observations
        ("described_effects", "u1", program.described_effects.shape),  # and each of its effects
        *given_chances(CHANCES),
    )


def bits(cards: Any) -> tuple[int, int]:
    """Card numbers as two words of 64 bits."""
    whole = sum(1 << card for card in cards)
    return whole & (2**64 - 1), whole >> 64


def build_tables(data: list[dict[str, Any]], program: Any, players: int) -> np.ndarray:
    """The tables record, as an array of one; `program` is what `rows.compile_cards` made of the effects."""
    tables = np.zeros(1, tables_dtype(program))
    t = tables[0]
    t.needed = 8 - players
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
    for name in ("masks", "code", "first_row", "demand", "described", "described_effects"):
        t[name] = getattr(program, name)
    return tables
