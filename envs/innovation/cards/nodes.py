"""Statements of a card's expression tree, its effects and the card. `statements` has the words that build them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from theogony.envs.innovation.cards.expressions import Cards, Colours, Condition, Every, Node, Number, P, Player, Some


class Statement(Node):
    """One step of an effect."""


@dataclass(eq=False, frozen=True)
class Draw(Statement):
    """Draw cards of a value, one after another, and do something with each."""

    value: Number
    times: Number
    verb: int


@dataclass(eq=False, frozen=True)
class Move(Statement):
    """Do something with chosen cards, or with every card of a set."""

    what: Some | Every
    verb: int
    owner: Player = P  # of the destination
    may: bool = False


@dataclass(eq=False, frozen=True)
class Exchange(Statement):
    """Two sets, fixed beforehand, change places: the first goes first."""

    first: Cards
    first_to: Place
    second: Cards
    second_to: Place


@dataclass(eq=False, frozen=True)
class Splay(Statement):
    """Splay one of the colours."""

    direction: int
    colours: Colours
    may: bool = False


@dataclass(eq=False, frozen=True)
class Choose(Statement):
    """Choose a colour, player, value ... out of options."""

    kind: str
    options: Number
    may: bool = False


@dataclass(eq=False, frozen=True)
class Reorder(Statement):
    """Put the cards of one pile into any order."""

    may: bool = False


@dataclass(eq=False, frozen=True)
class Simple(Statement):
    """A verb that is one instruction: its opcode and operands."""

    op: int
    args: tuple = ()


@dataclass(eq=False, frozen=True)
class Fix(Statement):
    """Keep a set of cards under a name for later."""

    group: int
    what: Cards


@dataclass(eq=False, frozen=True)
class Optional(Statement):
    """Ask yes or no, then do it."""

    what: Statement


@dataclass(eq=False, frozen=True)
class When(Statement):
    """Do the one or the other."""

    test: Condition | Number | Cards
    then: tuple[Statement, ...]
    other: tuple[Statement, ...] = ()

    def otherwise(self, *statements: Statement) -> When:
        return replace(self, other=sequence(statements))


@dataclass(eq=False, frozen=True)
class Loop(Statement):
    """Statements that are repeated when they come to `again`."""

    body: tuple[Statement, ...]


@dataclass(eq=False, frozen=True)
class ForEachOther(Statement):
    """Statements for every other player Q, clockwise."""

    body: tuple[Statement, ...]


class Again(Statement):
    """Back to the beginning of the loop."""


@dataclass(frozen=True)
class Place:
    """Where a transfer goes."""

    verb: int
    owner: Player


def sequence(statements: tuple[Any, ...]) -> tuple[Statement, ...]:
    for statement in statements:
        if not isinstance(statement, Statement):
            raise TypeError(f"a statement was expected, not {statement!r}")
    return statements


@dataclass(frozen=True)
class Effect:
    """One printed effect."""

    demand: bool
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Definition:
    """What a card does."""

    name: str
    effects: tuple[Effect, ...]
