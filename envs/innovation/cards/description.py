"""What cards are and do as a few small numbers, so that what is learnt of a kind of card holds in any pack.

A card is its face and what its effects do, in words that fit all of them: how many cards are drawn, melded, taken ...
The numbers are read off the expression trees, so they fit printed cards and those of any pack. They say neither in
which order an effect does things nor which icons and colours it asks for.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from theogony.envs.innovation.cards import expressions as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import Cards, Every, Node, Number, Some
from theogony.envs.innovation.components.pieces import AGES, ICONS, SPLAYS

AMOUNT = 4  # cards: more are told apart no further
SEVERAL = 2  # cards, where their number is reckoned in play

FACE: dict[str, int] = {  # name of every number of a face -> the count that is 1.0
    "age": AGES,
    **{f"icons: {icon}": AMOUNT for icon in ICONS},
    **{f"dogma: {icon}": 1 for icon in ICONS},
}
EFFECT: dict[str, int] = {  # the same of an effect
    **{f"cards: {what}": AMOUNT for what in ("drawn", "melded", "tucked", "scored", "returned", "transferred")},
    "value drawn": AGES,
    **{f"splays {way}": 1 for way in SPLAYS[1:]},
    "on a condition": 1,
    "performs a card": 1,
    "claims or wins": 1,
    "demands": 1,
    **{f"demanded: {what}": AMOUNT for what in ("drawn", "from hand", "from score pile", "from board")},
    "demanded for oneself": 1,
}
SCALES = (*FACE.values(), *EFFECT.values())  # of a whole card
_AT = {name: k for k, name in enumerate(EFFECT)}
_DRAWN = {op.TO_HAND: "drawn", op.REVEAL: "drawn"}
_DONE = {op.MELD: "melded", op.TUCK: "tucked", op.SCORE_IT: "scored", op.RETURN: "returned",
         op.TO_HAND: "transferred", op.TO_SCORE: "transferred", op.TO_BOARD: "transferred"}  # fmt: skip
_AREAS = {op.HAND: "from hand", op.HAND_AND_REVEALED: "from hand", op.SCORE: "from score pile",
          op.TOPS: "from board"}  # fmt: skip
_PILES = (op.PILE, op.TOP, op.BOTTOM)
_ONE = (op.ONE_CARD, op.TOP, op.BOTTOM)  # sets of one card
_SPECIAL = {op.PERFORM: "performs a card", op.CLAIM: "claims or wins", op.WIN: "claims or wins",
            op.SINGLE_WINNER: "claims or wins"}  # fmt: skip


@functools.cache
def describe_effect(effect: st.Effect, age: int) -> np.ndarray:
    """The numbers of one effect, uint8 (len(EFFECT),). Values that are reckoned in play count as `age`."""
    row = np.zeros(len(EFFECT), np.uint8)
    markers = _DEMANDS if effect.demand else _SHARES
    _mark(row, "demands", int(effect.demand))
    for node in _nodes(effect.statements):
        if marker := markers.get(type(node)):
            marker(row, node, age)
    return row


def _nodes(part: Any) -> Iterator[Any]:
    """Every node of a tree, from the top down."""
    if isinstance(part, tuple):
        for one in part:
            yield from _nodes(one)
    elif isinstance(part, Node):
        yield part
        for field in dataclasses.fields(part) if dataclasses.is_dataclass(part) else ():
            yield from _nodes(getattr(part, field.name))


def _mark(row: np.ndarray, name: str, value: int = 1) -> None:
    """Raise a number to this value; it is cut off at what is 1.0."""
    at = _AT[name]
    row[at] = max(int(row[at]), min(value, EFFECT[name]))


def _constant(node: Number, otherwise: int) -> int:
    """The value of a constant, or what is said for one that is reckoned."""
    return node.args[0] if node.op == "const" else otherwise


def _amount(what: Some | Every) -> int:
    """How many cards at most."""
    if isinstance(what, Some):
        return _constant(what.most, SEVERAL)
    return 1 if what.of.op in _ONE else AMOUNT


def _sources(what: Cards) -> Iterator[tuple[int, Number | None]]:
    """The areas that a set of cards is taken from, each with its owner; None: all players. Piles count as top cards."""
    if what.op in (op.AREA, op.AREA_OF_ALL):
        yield what.args[0], what.args[1] if what.op == op.AREA else None
    elif what.op in _PILES:
        yield op.TOPS, what.args[0]
    for inside in what.args:
        if isinstance(inside, Cards):
            yield from _sources(inside)


# ------------------------------------------------------------------------------- what those who share do


def _draw(row: np.ndarray, node: st.Draw, age: int) -> None:
    _mark(row, f"cards: {_DRAWN.get(node.verb) or _DONE[node.verb]}", _constant(node.times, SEVERAL))
    _mark(row, "value drawn", _constant(node.value, age))


def _move(row: np.ndarray, node: st.Move, _: int) -> None:
    if node.verb == op.TO_HAND and not any(area in _AREAS for area, _owner in _sources(node.what.of)):
        return  # a card that was drawn in the open is kept
    if node.verb in _DONE:
        _mark(row, f"cards: {_DONE[node.verb]}", _amount(node.what))


# ------------------------------------------------------------------------------- what is demanded


def _move_demanded(row: np.ndarray, node: st.Move, _: int) -> None:
    if node.verb != op.NOTHING:
        _lost(row, node.what.of, _amount(node.what))
        _mark(row, "demanded for oneself", int(node.owner.args == (op.ACTIVE,)))


def _exchange_demanded(row: np.ndarray, node: st.Exchange, _: int) -> None:
    for what in (node.first, node.second):
        _lost(row, what, AMOUNT)
    _mark(row, "demanded for oneself")


def _lost(row: np.ndarray, what: Cards, amount: int) -> None:
    """Mark from where those who must obey lose cards."""
    for area, owner in _sources(what):
        if area in _AREAS and owner is not None and owner.args == (op.ME,):
            _mark(row, f"demanded: {_AREAS[area]}", amount)


# ------------------------------------------------------------------------------- both


def _simple(row: np.ndarray, node: st.Simple, _: int) -> None:
    if node.op in _SPECIAL:
        _mark(row, _SPECIAL[node.op])


def _condition(row: np.ndarray, _node: st.Statement, _: int) -> None:
    _mark(row, "on a condition")


Markers = dict[type, Callable[[np.ndarray, Any, int], None]]
_BOTH: Markers = {st.Simple: _simple, st.When: _condition, st.Loop: _condition, st.ForEachOther: _condition}
_SHARES: Markers = {
    **_BOTH,
    st.Draw: _draw,
    st.Move: _move,
    st.Exchange: lambda row, node, _: _mark(row, "cards: transferred", AMOUNT),
    st.Splay: lambda row, node, _: _mark(row, f"splays {SPLAYS[node.direction]}"),
}
_DEMANDS: Markers = {
    **_BOTH,
    st.Draw: lambda row, node, _: _mark(row, "demanded: drawn", _constant(node.times, SEVERAL)),
    st.Move: _move_demanded,
    st.Exchange: _exchange_demanded,
}


def describe_all(
    data: Sequence[dict[str, Any]], definitions: dict[str, st.Definition], most: int
) -> tuple[np.ndarray, np.ndarray]:
    """All cards of a list, uint8 (cards, len(SCALES)), and their effects, uint8 (cards, most, len(EFFECT))."""
    cards = np.zeros((len(data), len(SCALES)), np.uint8)
    effects = np.zeros((len(data), most, len(EFFECT)), np.uint8)
    for number, card in enumerate(data):
        face = [card["age"], *map(card["icons"].count, ICONS), *(card["dogma"] == icon for icon in ICONS)]
        found = np.stack([describe_effect(effect, card["age"]) for effect in definitions[card["name"]].effects])
        cards[number] = [*face, *found.max(0)]
        effects[number, : len(found)] = found
    return cards, effects
