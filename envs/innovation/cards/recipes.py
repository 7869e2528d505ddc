"""Recipes: effects that a card file may name, so that cards are data and yet nothing in a file is a program.

A recipe is an effect in the card language with a few blanks (a value, an icon, colours ...), which a card fills in:
`{"recipe": "draw", "value": 3, "times": 2}`. None of them can repeat itself without drawing, so every action ends.
"""

# ruff: noqa: F403, F405  (the words of the card language)
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from theogony.envs.innovation.cards import language
from theogony.envs.innovation.cards.expressions import Definition, Effect
from theogony.envs.innovation.cards.language import *
from theogony.envs.innovation.components.pieces import AGES, COLOURS, ICONS, SPLAYS

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
    """An effect with blanks, the arguments of what makes it."""

    blanks: tuple[str, ...]
    make: Callable[..., Effect]


def _icon(name: str) -> Any:
    return getattr(language, name)


def _splay(direction: str, one_colour: str, other: str) -> Any:
    return may(splay(SPLAYS.index(direction), getattr(language, one_colour) | getattr(language, other)))


SHARES: dict[str, Callable[..., Effect]] = {
    "draw": lambda value, times: share(draw(value, times=times)),
    "draw and meld": lambda value: share(draw_and_meld(value)),
    "draw and score": lambda value: share(draw_and_score(value)),
    "draw and tuck": lambda value, times: share(draw_and_tuck(value, times=times)),
    "draw for icons": lambda value, icon, per: share(draw(value, times=have(METRICS[icon]) // per)),
    "draw for splays": lambda value, direction: share(draw(value, times=how_many(splayed(SPLAYS.index(direction))))),
    "return to score": lambda: share(may(return_(between(1, 3, hand))), when(done, draw_and_score(done))),
    "return to score higher": lambda: share(may(return_(one(hand))), when(done, draw_and_score(it.value + 1))),
    "return to meld higher": lambda: share(may(return_(one(hand))), when(done, draw_and_meld(it.value + 1))),
    "return to draw": lambda value: share(may(return_(any_number(hand))), draw(value, times=distinct_values(moved))),
    "return a scored": lambda: share(may(return_(one(score_pile))), when(done, draw(highest_value(top_cards) + 1))),
    "meld lowest": lambda value: share(meld(one(hand.lowest)), draw(value)),
    "meld with icon": lambda icon: share(may(meld(any_number(hand & _icon(icon))))),
    "meld new colour": lambda value: share(meld(one(hand & of_colours(colours_missing(P)))), draw(value)),
    "score from hand": lambda: share(may(score(one(hand)))),
    "score with icon": lambda icon, value: share(score(one(hand & _icon(icon))), draw(value)),
    "score a top card": lambda colour, value: share(score(top(COLOUR[colour])), when(done, draw_and_meld(value))),
    "tuck and splay": lambda direction: share(
        may(tuck(one(hand))), when(done, may(splay(SPLAYS.index(direction), just(it.colour))))
    ),
    "tuck to score": lambda value: share(may(tuck(any_number(hand))), draw_and_score(value, times=done // 2)),
    "splay": lambda direction, colour, other_colour: share(_splay(direction, colour, other_colour)),
    "splay and draw": lambda direction, colour, other_colour, value: share(
        _splay(direction, colour, other_colour), when(done, draw(value))
    ),
    "exchange highest": lambda: share(may(exchange(score_pile.highest, hand_of(P), hand.highest, score_pile_of(P)))),
    "show and score": lambda value, icon: share(
        draw_shown(value), when(it & _icon(icon), score(it)).otherwise(keep(it))
    ),
    "show and meld": lambda value, icon: share(
        draw_shown(value), when(it & _icon(icon), meld(it), draw(value)).otherwise(keep(it))
    ),
    "tuck on and on": lambda value, icon: share(loop(draw_and_tuck(value), when(it & _icon(icon), again))),
}
AFTER_DEMANDS: dict[str, Callable[..., Effect]] = {  # shares that look back at the demand of their card
    "draw if it failed": lambda value: share(unless(demand_moved, draw(value))),
    "score if it worked": lambda value: share(when(demand_moved, draw_and_score(value))),
}
DEMANDS: dict[str, Callable[..., Effect]] = {
    "take highest": lambda value: demand(draw(value), transfer(one(hand.highest), hand_of(A))),
    "take from hand": lambda icon, value: demand(
        transfer(one(hand & _icon(icon)), hand_of(A)), when(done, draw(value))
    ),
    "score from their hand": lambda icon, value: demand(
        transfer(one(hand & _icon(icon)), score_pile_of(A)), when(done, draw(value))
    ),
    "take top card": lambda icon, value: demand(
        transfer(one(top_cards & _icon(icon)), board_of(A)), when(done, draw(value))
    ),
    "score their top card": lambda icon, value: demand(
        transfer(one(top_cards & _icon(icon)), score_pile_of(A)), when(done, draw_and_tuck(value))
    ),
    "take scored": lambda: demand(transfer(one(score_pile.highest), score_pile_of(A))),
    "take scored of value": lambda value: demand(transfer(one(score_pile & values(1, value)), score_pile_of(A))),
    "change scored": lambda: demand(
        fix(first_group, score_pile.of(A).lowest),
        transfer(one(score_pile.highest), score_pile_of(A)),
        pick(one(first_group).by_back),
        transfer(every(moved), score_pile_of(V)),
    ),
    "change hands": lambda: demand(exchange(hand, hand_of(A), hand.of(A).highest, hand_of(V))),
    "take two": lambda value: demand(transfer(exactly(2, hand), hand_of(A)), draw(value)),
    "return a top card": lambda icon: demand(return_(one(top_cards & _icon(icon)))),
    "return scored": lambda: demand(return_(exactly((count(score_pile) + 1) // 2, score_pile))),
}
RECIPES = {
    name: Recipe(tuple(inspect.signature(make).parameters), make)
    for name, make in (SHARES | AFTER_DEMANDS | DEMANDS).items()
}
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
