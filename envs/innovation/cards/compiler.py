"""From the expression trees of the cards to tables of rows for the interpreter (see `opcodes` for what a row means)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.game import ComponentError
from theogony.envs.innovation.cards import expressions as st
from theogony.envs.innovation.cards import language
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.description import describe_all
from theogony.envs.innovation.cards.expressions import Definition, Effect
from theogony.envs.innovation.cards.language import *
from theogony.envs.innovation.cards.rows import STATEMENTS, Rows
from theogony.envs.innovation.components import bits
from theogony.envs.innovation.components.pieces import AGES, COLOURS, ICONS, SPLAYS

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


# ---- Recipes: effects that a card file may name, so that cards are data and yet nothing in a file is a program ----
#
# A recipe is an effect in the card language with a few blanks (a value, an icon, colours ...), which a card fills in:
# `{"recipe": "draw", "value": 3, "times": 2}`. None of them can repeat itself without drawing, so every action ends.

# ruff: noqa: F403, F405  (the words of the card language)


BLANKS: dict[str, tuple[Any, ...]] = {  # what may be filled in
    "value": tuple(range(1, AGES + 1)),
    "times": (1, 2, 3),
    "per": (2, 3),
    "icon": ICONS,
    "direction": SPLAYS[1:],
    "colour": COLOURS,
    "other_colour": COLOURS,
}
METRICS = dict(zip(ICONS, (CASTLES, CROWNS, LEAVES, BULBS, FACTORIES, CLOCKS), strict=True))


class Recipe(NamedTuple):
    """An effect with blanks, in the order of its arguments."""

    blanks: tuple[str, ...]
    make: Callable[..., Effect]


def _icon(name: str) -> Any:
    return getattr(language, name)


def _two(one_colour: str, other: str) -> Any:
    return getattr(language, one_colour) | getattr(language, other)


def _splay(direction: str, one_colour: str, other: str) -> Any:
    return may(splay(SPLAYS.index(direction), _two(one_colour, other)))


SHARES: dict[str, Recipe] = {
    "draw": Recipe(("value", "times"), lambda v, n: share(draw(v, times=n))),
    "draw and meld": Recipe(("value",), lambda v: share(draw_and_meld(v))),
    "draw and score": Recipe(("value",), lambda v: share(draw_and_score(v))),
    "draw and tuck": Recipe(("value", "times"), lambda v, n: share(draw_and_tuck(v, times=n))),
    "draw for icons": Recipe(("value", "icon", "per"), lambda v, i, n: share(draw(v, times=have(METRICS[i]) // n))),
    "draw for splays": Recipe(
        ("value", "direction"), lambda v, d: share(draw(v, times=how_many(splayed(SPLAYS.index(d)))))
    ),
    "return to score": Recipe((), lambda: share(may(return_(between(1, 3, hand))), when(done, draw_and_score(done)))),
    "return to score higher": Recipe(
        (), lambda: share(may(return_(one(hand))), when(done, draw_and_score(it.value + 1)))
    ),
    "return to meld higher": Recipe(
        (), lambda: share(may(return_(one(hand))), when(done, draw_and_meld(it.value + 1)))
    ),
    "return to draw": Recipe(
        ("value",), lambda v: share(may(return_(any_number(hand))), draw(v, times=distinct_values(moved)))
    ),
    "return a scored": Recipe(
        (), lambda: share(may(return_(one(score_pile))), when(done, draw(highest_value(top_cards) + 1)))
    ),
    "meld lowest": Recipe(("value",), lambda v: share(meld(one(hand.lowest)), draw(v))),
    "meld with icon": Recipe(("icon",), lambda i: share(may(meld(any_number(hand & _icon(i)))))),
    "meld new colour": Recipe(("value",), lambda v: share(meld(one(hand & of_colours(colours_missing(P)))), draw(v))),
    "score from hand": Recipe((), lambda: share(may(score(one(hand))))),
    "score with icon": Recipe(("icon", "value"), lambda i, v: share(score(one(hand & _icon(i))), draw(v))),
    "score a top card": Recipe(
        ("colour", "value"), lambda c, v: share(score(top(COLOUR[c])), when(done, draw_and_meld(v)))
    ),
    "tuck and splay": Recipe(
        ("direction",),
        lambda d: share(may(tuck(one(hand))), when(done, may(splay(SPLAYS.index(d), just(it.colour))))),
    ),
    "tuck to score": Recipe(
        ("value",), lambda v: share(may(tuck(any_number(hand))), draw_and_score(v, times=done // 2))
    ),
    "splay": Recipe(("direction", "colour", "other_colour"), lambda d, c, e: share(_splay(d, c, e))),
    "splay and draw": Recipe(
        ("direction", "colour", "other_colour", "value"),
        lambda d, c, e, v: share(_splay(d, c, e), when(done, draw(v))),
    ),
    "exchange highest": Recipe(
        (), lambda: share(may(exchange(score_pile.highest, hand_of(P), hand.highest, score_pile_of(P))))
    ),
    "show and score": Recipe(
        ("value", "icon"), lambda v, i: share(draw_shown(v), when(it & _icon(i), score(it)).otherwise(keep(it)))
    ),
    "show and meld": Recipe(
        ("value", "icon"),
        lambda v, i: share(draw_shown(v), when(it & _icon(i), meld(it), draw(v)).otherwise(keep(it))),
    ),
    "tuck on and on": Recipe(("value", "icon"), lambda v, i: share(loop(draw_and_tuck(v), when(it & _icon(i), again)))),
}
AFTER_DEMANDS: dict[str, Recipe] = {  # shares that look back at the demand of their card
    "draw if it failed": Recipe(("value",), lambda v: share(unless(demand_moved, draw(v)))),
    "score if it worked": Recipe(("value",), lambda v: share(when(demand_moved, draw_and_score(v)))),
}
DEMANDS: dict[str, Recipe] = {
    "take highest": Recipe(("value",), lambda v: demand(draw(v), transfer(one(hand.highest), hand_of(A)))),
    "take from hand": Recipe(
        ("icon", "value"), lambda i, v: demand(transfer(one(hand & _icon(i)), hand_of(A)), when(done, draw(v)))
    ),
    "score from their hand": Recipe(
        ("icon", "value"), lambda i, v: demand(transfer(one(hand & _icon(i)), score_pile_of(A)), when(done, draw(v)))
    ),
    "take top card": Recipe(
        ("icon", "value"), lambda i, v: demand(transfer(one(top_cards & _icon(i)), board_of(A)), when(done, draw(v)))
    ),
    "score their top card": Recipe(
        ("icon", "value"),
        lambda i, v: demand(transfer(one(top_cards & _icon(i)), score_pile_of(A)), when(done, draw_and_tuck(v))),
    ),
    "take scored": Recipe((), lambda: demand(transfer(one(score_pile.highest), score_pile_of(A)))),
    "take scored of value": Recipe(
        ("value",), lambda v: demand(transfer(one(score_pile & values(1, v)), score_pile_of(A)))
    ),
    "change scored": Recipe(
        (),
        lambda: demand(
            fix(first_group, score_pile.of(A).lowest),
            transfer(one(score_pile.highest), score_pile_of(A)),
            pick(one(first_group).by_back),
            transfer(every(moved), score_pile_of(V)),
        ),
    ),
    "change hands": Recipe((), lambda: demand(exchange(hand, hand_of(A), hand.of(A).highest, hand_of(V)))),
    "take two": Recipe(("value",), lambda v: demand(transfer(exactly(2, hand), hand_of(A)), draw(v))),
    "return a top card": Recipe(("icon",), lambda i: demand(return_(one(top_cards & _icon(i))))),
    "return scored": Recipe((), lambda: demand(return_(exactly((count(score_pile) + 1) // 2, score_pile)))),
}
RECIPES: dict[str, Recipe] = {**SHARES, **AFTER_DEMANDS, **DEMANDS}
COLOUR = dict(zip(COLOURS, (BLUE, RED, GREEN, YELLOW, PURPLE), strict=True))


def fault_in(effect: Mapping[str, Any]) -> str | None:
    """What is wrong with an effect as a card file writes it, None where it fits its recipe."""
    name = effect.get("recipe")
    if not isinstance(name, str) or name not in RECIPES:
        return f"there is no recipe {name!r:.60}"
    blanks = RECIPES[name].blanks
    if odd := sorted(set(map(str, effect)) ^ {"recipe", *blanks}):
        return f"recipe {name!r} takes {', '.join(blanks) or 'nothing'}: missing or unknown {', '.join(odd):.60}"
    for blank in blanks:
        if type(effect[blank]) not in (int, str) or effect[blank] not in BLANKS[blank]:
            expected = ", ".join(map(str, BLANKS[blank]))
            return f"recipe {name!r}: {blank} is {effect[blank]!r:.60}, one of {expected} was expected"
    return None


def effect_of(effect: Mapping[str, Any]) -> Effect:
    """An effect without fault as an expression tree."""
    name = effect["recipe"]
    return _made(name, *(effect[blank] for blank in RECIPES[name].blanks))


@functools.cache
def _made(name: str, *filled: Any) -> Effect:
    """One object for equal effects, whose rows are compiled once."""
    return RECIPES[name].make(*filled)


def definition_of(name: str, effects: Sequence[Mapping[str, Any]]) -> Definition:
    """A card whose effects are written as recipes."""
    return card(name, *map(effect_of, effects))
