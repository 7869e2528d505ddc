"""From the expression trees of the cards to tables of rows for the interpreter (see `opcodes` for what a row means).

Rows name registers for numbers and sets, masks of cards, and other rows to jump to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.game import ComponentError
from theogony.envs.innovation.cards import expressions as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.description import describe_all
from theogony.envs.innovation.cards.expressions import Cards, Condition, Every, Filter, Number, Some
from theogony.envs.innovation.components import AGES, COLOURS, ICONS, bits

COLOUR_MASKS = 0  # rows of the masks: every set of colours,
VALUE_MASKS = 1 << len(COLOURS)  # then every value (0 and 11 are empty), then what the cards name
ANY_CARD = COLOUR_MASKS + VALUE_MASKS - 1  # all colours
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
    rows = Rows(data)
    write = functools.cache(rows.effect)  # equal effects once
    first_row = np.full((len(data), MOST_EFFECTS + 1), -1, np.int16)
    demand = np.zeros(len(data), np.int8)
    for number, card in enumerate(data):
        if card["name"] not in by_name:
            raise ComponentError(
                f"card {number}: nothing says what {card['name']!r} does: see innovation/cards/effects"
            )
        effects = by_name[card["name"]].effects
        demand[number] = effects[0].demand
        first_row[number, : len(effects)] = [write(effect) for effect in effects]
    code = np.zeros((max(len(rows.rows), ROWS), op.COLUMNS), np.int16)
    for number, row in enumerate(rows.rows):
        code[number, : len(row)] = row
    masks = [bits(mask) for mask in rows.masks]
    described = describe_all(data, by_name, MOST_EFFECTS)
    return Program(code, first_row, demand, masks + [(0, 0)] * (MASKS - len(masks)), *described)


class Label:
    """A row that is not yet known; operands that name it are filled in at the end of an effect."""

    row = -1


class Rows:
    """Collects rows and masks. Registers for temporary numbers and sets are free again after each statement."""

    def __init__(self, data: Sequence[dict[str, Any]]) -> None:
        self.data = data
        self.rows: list[list[Any]] = []
        self.numbers = op.TEMPORARY
        self.sets = op.SPARE
        self.loop: Label | None = None
        self.demand = False
        colours = [{COLOURS[i] for i in range(len(COLOURS)) if mask >> i & 1} for mask in range(VALUE_MASKS)]
        self.masks = [self._all(lambda c, s=some: c["colour"] in s) for some in colours]
        self.masks += [self._all(lambda c, a=age: c["age"] == a) for age in range(AGES + 2)]

    def effect(self, effect: st.Effect) -> int:
        """Append the rows of an effect; returns the first."""
        first = len(self.rows)
        self.demand = effect.demand
        self.block(effect.statements)
        self.emit(op.END)
        for row in self.rows[first:]:
            row[:] = [x.row if isinstance(x, Label) else x for x in row]
        return first

    def block(self, statements: Sequence[st.Statement]) -> None:
        for statement in statements:
            numbers, sets = self.numbers, self.sets
            STATEMENTS[type(statement)](self, statement)
            self.numbers, self.sets = numbers, sets

    def emit(self, *row: Any) -> None:
        self.rows.append(list(row))

    def here(self, label: Label | None = None) -> Label:
        label = label or Label()
        label.row = len(self.rows)
        return label

    def _all(self, test: Callable[[dict[str, Any]], bool]) -> tuple[int, ...]:
        return tuple(number for number, card in enumerate(self.data) if test(card))

    def mask(self, test: Callable[[dict[str, Any]], bool]) -> int:
        """The row of a printed property in the masks."""
        found = self._all(test)
        if found not in self.masks:
            self.masks.append(found)
        return self.masks.index(found)

    # ------------------------------------------------------------------------------------------------ numbers

    def new_number(self) -> int:
        self.numbers += 1
        if self.numbers > op.NUMBERS:
            raise ValueError(f"an effect needs more than {op.NUMBERS} number registers")
        return self.numbers - 1

    def number(self, node: Number) -> int:
        """The operand of a number: a constant, or minus one minus a register which the emitted rows fill."""
        if node.op == "const":
            return node.args[0]
        if node.op == "register":
            return -1 - node.args[0]
        numbers, sets = self.numbers, self.sets
        operands = [self.operand(x) for x in node.args]
        self.numbers, self.sets = numbers, sets  # the operands are read before the result is written
        target = self.new_number()
        self.emit(node.op, target, *operands)
        return -1 - target

    def operand(self, x: Any) -> int:
        if isinstance(x, Number):
            return self.number(x)
        return self.cards(x, self.new_set()) if isinstance(x, Cards) else x

    # ------------------------------------------------------------------------------------------------ sets

    def new_set(self) -> int:
        self.sets += 1
        if self.sets > op.SETS - 1:  # the last one is the interpreter's own
            raise ValueError(f"an effect needs more than {op.SETS - 1} set registers")
        return self.sets - 1

    def cards(self, node: Cards, target: int) -> int:
        """Rows that fill a set register; returns it."""
        first, *rest = node.args
        if node.op == op.MINUS:
            other = self.cards(rest[0], self.new_set())
            self.emit(op.MINUS, self.cards(first, target), other)
        elif node.op in (op.KEEP, op.DROP):
            filter_: Filter = rest[0]
            self.cards(first, target)
            if filter_.test is not None:
                self.emit(node.op, target, self.mask(filter_.test), 0)
            else:
                base = COLOUR_MASKS if filter_.family == "colours" else VALUE_MASKS
                assert filter_.index is not None
                self.emit(node.op, target, base, self.number(filter_.index))
        elif node.op in (op.HIGHEST, op.LOWEST):
            self.emit(node.op, self.cards(first, target))
        else:  # an area, pile or register: nothing in it is a set
            absent = [-1 if x is None else x for x in node.args]
            operands = [self.number(x) if isinstance(x, Number) else x for x in absent]
            if node.op == op.AREA_OF_ALL:
                operands[1] = 0 if node.args[1] is None else 1
            self.emit(node.op, target, *operands)
        return target

    # ------------------------------------------------------------------------------------------------ conditions

    def unless(self, test: Condition | Number | Cards, target: Label) -> None:
        """A jump that is taken when the condition does not hold."""
        if isinstance(test, Condition):
            self.emit(op.UNLESS, self.number(test.left), test.relation, self.number(test.right), target)
        else:
            n = Number(op.COUNT, (test,)) if isinstance(test, Cards) else test
            self.emit(op.UNLESS, self.number(n), op.DIFFERENT, 0, target)


# ---- The rows of every statement of the card language ------------------------------------------------------------

CHOICES = ("colour", "player", "value", "yes or no", "alternative", "pair")  # kinds of CHOOSE, by number


def _move(c: Rows, s: st.Move) -> None:
    if isinstance(s.what, Every):
        c.emit(op.MOVE_ALL, c.cards(s.what.of, op.POOL), s.verb, c.number(s.owner))
        return
    some: Some = s.what
    least = c.number(some.least)
    most = least if some.most is some.least else c.number(some.most)
    who, owner = c.number(some.who), c.number(s.owner)
    first = len(c.rows)
    c.cards(some.of, op.POOL)
    flags = some.flags | op.MAY * s.may | op.SHOW_IF_NONE * (c.demand and _asks_for_icon(some.of, s))
    c.emit(op.SELECT, least, most, who, flags, s.verb, owner, first)


def _asks_for_icon(of: Cards, s: st.Move) -> bool:
    """Whether it is a mandatory choice among the cards of a hand that carry an icon."""
    if s.may or of.op != op.KEEP or of.args[0].op != op.AREA or of.args[0].args[0] != op.HAND:
        return False
    return of.args[1].name in ICONS


def _exchange(c: Rows, s: st.Exchange, asked: bool = False) -> None:
    leave, spare = Label(), c.new_set()
    first, second = c.cards(s.first, op.POOL), c.cards(s.second, spare)
    if asked:
        both = [c.new_number(), c.new_number()]
        c.emit(op.COUNT, both[0], first)
        c.emit(op.COUNT, both[1], second)
        c.emit(op.ADD, both[0], -1 - both[0], -1 - both[1])
        c.emit(op.UNLESS, -1 - both[0], op.DIFFERENT, 0, leave)
        _ask(c, leave)
        c.cards(s.first, op.POOL)  # again: no set is kept across a question
        c.cards(s.second, spare)
    c.emit(op.EXCHANGE, first, s.first_to.verb, c.number(s.first_to.owner))
    c.emit(op.MOVE_ALL, second, s.second_to.verb, c.number(s.second_to.owner))
    c.here(leave)


def _ask(c: Rows, leave: Label) -> None:
    """Ask yes or no, with nothing left in the pool; go to `leave` on no."""
    c.emit(op.MINUS, op.POOL, op.POOL)
    c.emit(op.CHOOSE, CHOICES.index("yes or no"), 3, 0)
    c.emit(op.UNLESS, -1 - op.DONE, op.DIFFERENT, 0, leave)


def _optional(c: Rows, s: st.Optional) -> None:
    what, leave = s.what, Label()
    if isinstance(what, st.Exchange):
        _exchange(c, what, asked=True)
    elif isinstance(what, st.Move):  # all or none of a set: not asked when it is empty
        assert isinstance(what.what, Every)
        pool = c.cards(what.what.of, op.POOL)
        n = c.new_number()
        c.emit(op.COUNT, n, pool)
        c.emit(op.SET_NUMBER, op.DONE, 0)
        c.emit(op.UNLESS, -1 - n, op.DIFFERENT, 0, leave)
        _ask(c, leave)
        c.cards(what.what.of, op.POOL)
        c.emit(op.MOVE_ALL, pool, what.verb, c.number(what.owner))
    else:
        _ask(c, leave)
        c.block((what,))
    c.here(leave)


def _simple(c: Rows, s: st.Simple) -> None:
    if s.op == op.SET_NUMBER:
        c.emit(s.op, s.args[0].args[0], c.number(s.args[1]))
    else:
        c.emit(s.op, *map(c.operand, s.args))


def _when(c: Rows, s: st.When) -> None:
    other, end = Label(), Label()
    c.unless(s.test, other)
    c.block(s.then)
    if s.other:
        c.emit(op.JUMP, end)
    c.here(other)
    c.block(s.other)
    c.here(end)


def _loop(c: Rows, s: st.Loop) -> None:
    outside, c.loop = c.loop, c.here()
    c.block(s.body)
    c.loop = outside


def _again(c: Rows, s: st.Again) -> None:
    if c.loop is None:
        raise ValueError("`again` stands outside of a loop")
    c.emit(op.JUMP, c.loop)


def _for_each_other(c: Rows, s: st.ForEachOther) -> None:
    end = Label()
    c.emit(op.SET_NUMBER, op.OTHER, -1 - op.ME)
    start = c.here()
    c.emit(op.NEXT_OTHER, end)
    c.block(s.body)
    c.emit(op.JUMP, start)
    c.here(end)


STATEMENTS: dict[type, Callable[[Rows, Any], Any]] = {  # what writes the rows of a statement
    st.Draw: lambda c, s: c.emit(op.DRAW, c.number(s.value), c.number(s.times), s.verb),
    st.Move: _move,
    st.Exchange: _exchange,
    st.Splay: lambda c, s: c.emit(op.SPLAY, s.direction, c.number(s.colours), op.MAY * s.may),
    st.Choose: lambda c, s: c.emit(op.CHOOSE, CHOICES.index(s.kind), c.number(s.options), op.MAY * s.may),
    st.Reorder: lambda c, s: c.emit(op.REORDER, op.MAY * s.may),
    st.Simple: _simple,
    st.Fix: lambda c, s: c.cards(s.what, s.group),
    st.Optional: _optional,
    st.When: _when,
    st.Loop: _loop,
    st.Again: _again,
    st.ForEachOther: _for_each_other,
}
