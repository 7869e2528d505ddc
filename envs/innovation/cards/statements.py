"""The statements of the card language: verbs, control and the whole card. See `language` for sets and numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import (
    Again,
    Cards,
    Choose,
    Colours,
    Condition,
    Definition,
    Draw,
    Effect,
    Every,
    Exchange,
    Filter,
    Fix,
    ForEachOther,
    Loop,
    Move,
    Number,
    OneCard,
    Optional,
    Place,
    Player,
    Players,
    Reorder,
    Simple,
    Some,
    Splay,
    Statement,
    When,
    cards,
    colour_mask,
    number,
    sequence,
    typed,
)
from theogony.envs.innovation.cards.language import Metric
from theogony.envs.innovation.components import SPECIALS

# ---------------------------------------------------------------------------------------------------- draw and move


def _draw_word(verb: int) -> Callable[..., Draw]:
    def word(value: int | Number, times: int | Number = 1) -> Draw:
        return Draw(number(value), number(times), verb)

    return word


draw = _draw_word(op.TO_HAND)
draw_and_meld = _draw_word(op.MELD)
draw_and_score = _draw_word(op.SCORE_IT)
draw_and_tuck = _draw_word(op.TUCK)
draw_shown = _draw_word(op.REVEAL)  # it lies in the open until it is kept, melded ...


def _what(x: Any) -> Some | Every:
    """A bare `it`, or a place that holds one card at most, needs no quantifier."""
    if isinstance(x, Some | Every):
        return x
    if isinstance(x, OneCard) or (isinstance(x, Cards) and x.op in (op.TOP, op.BOTTOM)):
        return Every(cards(x))
    raise TypeError(f"cards with a quantifier (one, each, every ...) were expected, not {x!r}")


def _move_word(verb: int) -> Callable[..., Move]:
    def word(what: Any) -> Move:
        return Move(_what(what), verb)

    return word


meld = _move_word(op.MELD)
tuck = _move_word(op.TUCK)
score = _move_word(op.SCORE_IT)
return_ = _move_word(op.RETURN)
reveal = _move_word(op.REVEAL)  # show cards of the hand
keep = _move_word(op.TO_HAND)  # put shown cards into the own hand
pick = _move_word(op.NOTHING)  # choose, without moving


def hand_of(who: Player) -> Place:
    return Place(op.TO_HAND, typed(who, Player))


def score_pile_of(who: Player) -> Place:
    return Place(op.TO_SCORE, typed(who, Player))


def board_of(who: Player) -> Place:
    return Place(op.TO_BOARD, typed(who, Player))


def transfer(what: Any, to: Place) -> Move:
    if not isinstance(to, Place):
        raise TypeError(f"a place (hand_of, score_pile_of, board_of) was expected, not {to!r}")
    return Move(_what(what), to.verb, to.owner)


def exchange(first: Any, first_to: Place, second: Any, second_to: Place) -> Exchange:
    return Exchange(cards(first), first_to, cards(second), second_to)


# ---------------------------------------------------------------------------------------------------- other verbs


def splay(direction: int, which: Filter | Colours) -> Splay:
    """Splay one of the colours; which one is chosen."""
    if isinstance(which, Filter):
        which = Colours("const", (colour_mask(which),))
    return Splay(direction, typed(which, Colours))


def pick_player(among: Players) -> Choose:
    return Choose("player", typed(among, Players))


def pick_colour() -> Choose:
    return Choose("colour", Number("const", (31,)))


def pick_two_colours() -> Choose:
    return Choose("pair", Number("const", (1023,)))


def pick_value() -> Choose:
    return Choose("value", Number("const", (1023,)))


def either(a: Statement | tuple[Statement, ...], b: Statement | tuple[Statement, ...]) -> tuple[Statement, ...]:
    """One of two, or neither."""
    a, b = (x if isinstance(x, tuple) else (x,) for x in (a, b))
    branch = When(Number("register", (op.CHOSEN,)) == 0, sequence(a), sequence(b))
    return Choose("alternative", Number("const", (3,)), True), When(Number("register", (op.DONE,)), (branch,))


def reorder_a_pile() -> Reorder:
    return Reorder()


def fix(group: Cards, what: Any) -> Fix:
    return Fix(group.args[0], cards(what))


def remember(what: Number) -> Simple:
    return Simple(op.SET_NUMBER, (Number("register", (op.REMEMBERED,)), typed(what, Number)))


def tally(n: Number) -> Simple:
    """Note a number for P, compared within this action."""
    return Simple(op.TALLY, (number(n),))


def claim(name: str) -> Simple:
    return Simple(op.CLAIM, (SPECIALS.index(name),))


def perform(card: OneCard) -> Simple:
    """Perform the share effects of a card, alone."""
    return Simple(op.PERFORM, (typed(card, OneCard),))


def show_hand(who: Player) -> Simple:
    return Simple(op.SHOW_HAND, (typed(who, Player),))


def remove_everything() -> Simple:
    return Simple(op.REMOVE_EVERYTHING)


def win() -> Simple:
    return Simple(op.WIN)


def single_most_wins(metric: Metric) -> Simple:
    return Simple(op.SINGLE_WINNER, (metric.code, 1))


def single_least_wins(metric: Metric) -> Simple:
    return Simple(op.SINGLE_WINNER, (metric.code, 0))


# ---------------------------------------------------------------------------------------------------- control


def may(what: Any) -> Statement:
    """The performer may leave it. Where something is chosen anyway, declining is one of the choices."""
    if isinstance(what, Splay | Choose | Reorder) or (isinstance(what, Move) and isinstance(what.what, Some)):
        return replace(what, may=True)
    if isinstance(what, Draw | Move | Exchange):
        return Optional(what)
    raise TypeError(f"may(...) takes a verb, not {what!r}")


def when(test: Any, *statements: Statement) -> When:
    """Do it if a comparison holds, a number is not 0 or a set is not empty."""
    test = cards(test) if isinstance(test, OneCard) else test
    if not isinstance(test, Condition | Number | Cards):
        raise TypeError(f"a condition was expected, not {test!r}")
    return When(test, sequence(statements))


def unless(test: Any, *statements: Statement) -> When:
    return replace(when(test), other=sequence(statements))


def loop(*statements: Statement) -> Loop:
    return Loop(sequence(statements))


again = Again()


def for_each_other(*statements: Statement) -> ForEachOther:
    return ForEachOther(sequence(statements))


def _flat(statements: tuple[Any, ...]) -> tuple[Statement, ...]:
    flat: list[Any] = []
    for statement in statements:
        flat += statement if isinstance(statement, tuple) else (statement,)
    return sequence(tuple(flat))


def demand(*statements: Any) -> Effect:
    """An effect that A demands of every V with fewer icons."""
    return Effect(True, _flat(statements))


def share(*statements: Any) -> Effect:
    """An effect for A and for everybody with at least as many icons."""
    return Effect(False, _flat(statements))


def card(name: str, *effects: Effect) -> Definition:
    """A card: at most one demand, and it comes first."""
    if not effects or any(effect.demand for effect in effects[1:]):
        raise ValueError(f"{name}: a card has effects, and a demand comes first")
    return Definition(name, effects)
