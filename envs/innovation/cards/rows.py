"""Rows for the interpreter, and what they name: registers for numbers and sets, masks of cards, jumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from theogony.envs.innovation.cards import nodes as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import Cards, Condition, Filter, Number
from theogony.envs.innovation.components import AGES, COLOURS

COLOUR_MASKS = 0  # rows of the masks: every set of colours,
VALUE_MASKS = 1 << len(COLOURS)  # then every value (0 and 11 are empty), then what the cards name
ANY_CARD = COLOUR_MASKS + VALUE_MASKS - 1  # all colours

Writers = Mapping[type, Callable[..., None]]  # for each class of statements what writes its rows


class Label:
    """A row that is not yet known; operands that name it are filled in at the end of an effect."""

    row = -1


class Rows:
    """Collects rows and masks. Registers for temporary numbers and sets are free again after each statement."""

    def __init__(self, data: Sequence[dict[str, Any]], writers: Writers) -> None:
        self.data, self.writers = data, writers
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
            self.writers[type(statement)](self, statement)
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
