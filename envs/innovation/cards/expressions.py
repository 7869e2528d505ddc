"""The nodes of a card's expression tree below statements: numbers, conditions, filters, sets of cards.

`language` has the words that build them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from theogony.envs.innovation.cards import opcodes as op


class Node:
    """Anything in an effect. `and`, `or`, `not` and `if` cannot be overloaded, so they are errors."""

    def __bool__(self) -> bool:
        raise TypeError("a word of a card has no truth value in Python: use when(...), unless(...)")


@dataclass(eq=False, frozen=True)
class Number(Node):
    """A number: an opcode of the numbers' group (or `const`, `register`) and its operands."""

    op: int | str
    args: tuple = ()
    __hash__ = object.__hash__

    def __add__(self, other: Any) -> Number:
        return Number(op.ADD, (self, number(other)))

    def __sub__(self, other: Any) -> Number:
        return Number(op.SUBTRACT, (self, number(other)))

    def __floordiv__(self, other: Any) -> Number:
        return Number(op.DIVIDE, (self, number(other)))

    def __eq__(self, other: Any) -> Condition:  # type: ignore[override]
        return Condition(self, op.EQUAL, number(other))

    def __lt__(self, other: Any) -> Condition:
        return Condition(self, op.LESS, number(other))

    def __gt__(self, other: Any) -> Condition:
        return Condition(self, op.MORE, number(other))

    def __ge__(self, other: Any) -> Condition:
        return Condition(self, op.AT_LEAST, number(other))

    def __le__(self, other: Any) -> Condition:
        return Condition(self, op.AT_MOST, number(other))


class Player(Number):
    """A seat."""


class Colour(Number):
    """One of the five colours."""


class Colours(Number):
    """A set of colours, as bits."""

    def __and__(self, other: Filter) -> Colours:
        """Those that are also in a filter of colours."""
        return self - Colours("const", (31 & ~colour_mask(other),))

    def __sub__(self, other: Any) -> Colours:
        return Colours(op.WITHOUT, (self, typed(other, Colours)))


class Players(Number):
    """A set of players, as bits."""


class OneCard(Number):
    """A card. As a set it holds that one card, or nothing when there is none."""

    @property
    def value(self) -> Number:
        return Number(op.VALUE_OF, (self,))

    @property
    def colour(self) -> Colour:
        return Colour(op.COLOUR_OF, (self,))

    def __and__(self, other: Filter) -> Cards:
        return cards(self) & other


@dataclass(eq=False, frozen=True)
class Condition(Node):
    """A comparison of two numbers."""

    left: Number
    relation: int
    right: Number


def number(x: Any) -> Number:
    """A plain number: an int from 0 on, or a node that is no colour, player or card."""
    if isinstance(x, int) and x >= 0:
        return Number("const", (x,))
    if type(x) is Number:
        return x
    raise TypeError(f"a number was expected, not {x!r}")


def typed(x: Any, kind: type[Number]) -> Any:
    """`x`, which must be of that class."""
    if not isinstance(x, kind):
        raise TypeError(f"a {kind.__name__} was expected, not {x!r}")
    return x


@dataclass(eq=False, frozen=True)
class Filter(Node):
    """A property of cards: printed (`test` over the card's data) or, with a number, looked up when it is used."""

    name: str
    test: Callable[[dict[str, Any]], bool] | None = None
    family: str = ""  # "colours" or "value": a row of masks for each number
    index: Number | None = None
    mask: int = 0  # of colour filters

    def __or__(self, other: Filter) -> Filter:
        if self.test is None or other.test is None:
            raise TypeError("only printed properties can be joined with |")
        one, two = self.test, other.test
        return Filter(f"{self.name} or {other.name}", lambda c: one(c) or two(c), mask=self.mask | other.mask)


def colour_mask(which: Filter) -> int:
    """The colours of a filter as bits."""
    if not which.mask:
        raise TypeError(f"a colour was expected, not {which.name}")
    return which.mask


@dataclass(eq=False, frozen=True)
class Cards(Node):
    """A set of cards: an opcode of the sets' group and its operands; for the opcodes on a set, that set first."""

    op: int
    args: tuple

    def of(self, who: Player) -> Cards:
        """This area (a hand, a score pile, top cards) of another player."""
        if self.op != op.AREA:
            raise TypeError("only hand, score_pile and top_cards have an owner")
        return Cards(op.AREA, (self.args[0], typed(who, Player)))

    def __and__(self, other: Filter) -> Cards:
        if not isinstance(other, Filter):
            raise TypeError(f"& takes a filter, not {other!r}")
        return Cards(op.KEEP, (self, other))

    def __sub__(self, other: Filter | Cards) -> Cards:
        if isinstance(other, Filter):
            return Cards(op.DROP, (self, other))
        return Cards(op.MINUS, (self, cards(other)))

    @property
    def highest(self) -> Cards:
        """All of its highest value."""
        return Cards(op.HIGHEST, (self,))

    @property
    def lowest(self) -> Cards:
        """All of its lowest value."""
        return Cards(op.LOWEST, (self,))


def cards(x: Any) -> Cards:
    """A set of cards; `it` stands for a set of one."""
    if isinstance(x, OneCard):
        return Cards(op.ONE_CARD, (x,))
    if isinstance(x, Cards):
        return x
    raise TypeError(f"a set of cards was expected, not {x!r}")


P = Player("register", (op.ME,))  # who performs


@dataclass(eq=False, frozen=True)
class Some(Node):
    """Cards to be chosen from a set, one after another."""

    of: Cards
    least: Number
    most: Number
    flags: int = 0
    who: Player = P

    def chosen_by(self, who: Player) -> Some:
        return replace(self, who=typed(who, Player))

    @property
    def by_back(self) -> Some:
        """The chooser sees only backs of cards that are not its own."""
        return replace(self, flags=self.flags | op.BY_BACK)


@dataclass(eq=False, frozen=True)
class Every(Node):
    """All cards of a set at once: no question, no order."""

    of: Cards


# ---- Statements of a card's expression tree, its effects and the card --------------------------------------------


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
