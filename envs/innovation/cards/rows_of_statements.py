"""The rows of every statement of the card language (see `opcodes` for what a row means)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theogony.envs.innovation.cards import nodes as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import Cards, Every, Some
from theogony.envs.innovation.cards.rows import Label, Rows
from theogony.envs.innovation.components import ICONS

CHOICES = ("colour", "player", "value", "yes or no", "alternative", "pair")  # kinds of CHOOSE, by number


def _draw(c: Rows, s: st.Draw) -> None:
    c.emit(op.DRAW, c.number(s.value), c.number(s.times), s.verb)


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
    flags = some.flags | (op.MAY if s.may else 0) | (op.SHOW_IF_NONE if c.demand and _asks_for_icon(some.of, s) else 0)
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


def _splay(c: Rows, s: st.Splay) -> None:
    c.emit(op.SPLAY, s.direction, c.number(s.colours), op.MAY if s.may else 0)


def _choose(c: Rows, s: st.Choose) -> None:
    c.emit(op.CHOOSE, CHOICES.index(s.kind), c.number(s.options), op.MAY if s.may else 0)


def _reorder(c: Rows, s: st.Reorder) -> None:
    c.emit(op.REORDER, op.MAY if s.may else 0)


def _simple(c: Rows, s: st.Simple) -> None:
    if s.op == op.SET_NUMBER:
        c.emit(s.op, s.args[0].args[0], c.number(s.args[1]))
    else:
        operands = [c.operand(x) for x in s.args]
        c.emit(s.op, *operands)


def _fix(c: Rows, s: st.Fix) -> None:
    c.cards(s.what, s.group)


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


STATEMENTS: dict[type, Callable[[Rows, Any], None]] = {
    st.Draw: _draw,
    st.Move: _move,
    st.Exchange: _exchange,
    st.Splay: _splay,
    st.Choose: _choose,
    st.Reorder: _reorder,
    st.Simple: _simple,
    st.Fix: _fix,
    st.Optional: _optional,
    st.When: _when,
    st.Loop: _loop,
    st.Again: _again,
    st.ForEachOther: _for_each_other,
}
