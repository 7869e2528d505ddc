"""What cards are and do as rows of small numbers, for observations that show attributes (`observation="attributes"`).

A row is the face of a card, then its effects, each in the same words. They are read off the expression trees, so they
fit printed cards and those of any pack.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from theogony.envs.innovation.cards import nodes as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.compiler import MOST_EFFECTS
from theogony.envs.innovation.cards.expressions import Cards, Filter, Node, Number, Some
from theogony.envs.innovation.components.pieces import AGES, COLOURS, ICONS, SPLAYS

PLACES = ("top left", "bottom left", "bottom centre", "bottom right")  # of the icons of a card
AMOUNT = 4  # cards: more are told apart no further

FACE: dict[str, int] = {  # name of every number of a face -> the count that is 1.0
    "age": AGES,
    **{f"is {colour}": 1 for colour in COLOURS},
    **{f"{icon} {place}": 1 for place in PLACES for icon in ICONS},
    **{f"dogma of {icon}": 1 for icon in ICONS},
}
EFFECT: dict[str, int] = {  # the same of an effect
    "there": 1,
    "demand": 1,
    "may be left": 1,
    "cards drawn": AMOUNT,
    "value drawn": AGES,
    "value or number of draws is reckoned": 1,
    **{f"cards: {verb}": 1 for verb in op.VERBS[op.MELD :]},
    "chosen at least": AMOUNT,
    "chosen at most": AMOUNT,
    "from hand": 1,
    "from score pile": 1,
    "from board": 1,
    "of somebody else": 1,
    "to somebody else": 1,
    "highest or lowest": 1,
    **{f"names {icon}": 1 for icon in ICONS},
    **{f"names {colour}": 1 for colour in COLOURS},
    "names value": AGES,
    **{f"splays {way}": 1 for way in SPLAYS[1:]},
    "asks for a colour, player, value or way": 1,
    "exchanges": 1,
    "on a condition": 1,
    "again and again": 1,
    "looks back at the demand": 1,
    "counts": 1,
    "performs a card": 1,
    "claims or wins": 1,
}
SCALES = (*FACE.values(), *MOST_EFFECTS * tuple(EFFECT.values()))  # of a whole row
_AT = {name: k for k, name in enumerate(EFFECT)}
_AREAS = {
    op.HAND: "from hand", op.HAND_AND_REVEALED: "from hand", op.SCORE: "from score pile", op.TOPS: "from board",
}  # fmt: skip
_PILES = (op.PILE, op.TOP, op.BOTTOM)
_SPECIAL = {
    op.PERFORM: "performs a card", op.CLAIM: "claims or wins", op.WIN: "claims or wins",
    op.SINGLE_WINNER: "claims or wins",
}  # fmt: skip


def card_attributes(data: Sequence[dict[str, Any]], definitions: Sequence[st.Definition]) -> np.ndarray:
    """The rows of all cards of a list, uint8 (cards, len(SCALES)); `definitions` say what they do, in any order."""
    by_name = {definition.name: definition for definition in definitions}
    rows = np.zeros((len(data), len(SCALES)), np.uint8)
    for row, card in zip(rows, data, strict=True):
        row[: len(FACE)] = _face(card)
        for k, effect in enumerate(by_name[card["name"]].effects):
            first = len(FACE) + k * len(EFFECT)
            row[first : first + len(EFFECT)] = effect_attributes(effect)
    return rows


def _face(card: dict[str, Any]) -> list[int]:
    icons = [int(shown == icon) for shown in card["icons"] for icon in ICONS]
    return [
        card["age"],
        *(int(card["colour"] == colour) for colour in COLOURS),
        *icons,
        *(int(card["dogma"] == icon) for icon in ICONS),
    ]


@functools.cache
def effect_attributes(effect: st.Effect) -> np.ndarray:
    """The numbers of one effect, uint8 (len(EFFECT),)."""
    row = np.zeros(len(EFFECT), np.uint8)
    _mark(row, "there")
    _mark(row, "demand", int(effect.demand))
    for node in _nodes(effect.statements):
        for kind, marker in _MARKERS:
            if isinstance(node, kind):
                marker(row, node)
    return row


def _nodes(part: Any) -> Iterator[Any]:
    """Every node of a tree, from the top down."""
    if isinstance(part, tuple):
        for one in part:
            yield from _nodes(one)
    elif isinstance(part, Node | st.Place):
        yield part
        for field in dataclasses.fields(part) if dataclasses.is_dataclass(part) else ():
            yield from _nodes(getattr(part, field.name))


def _mark(row: np.ndarray, name: str, value: int = 1) -> None:
    """Raise a number to this value; it is cut off at what is 1.0."""
    at = _AT[name]
    row[at] = max(int(row[at]), min(value, EFFECT[name]))


# ------------------------------------------------------------------------------- what the nodes of a tree say


def _verb(row: np.ndarray, verb: int) -> None:
    if verb != op.NOTHING:
        _mark(row, f"cards: {op.VERBS[verb]}")


def _draw(row: np.ndarray, node: st.Draw) -> None:
    _mark(row, "cards drawn", _constant(node.times) or 1)
    _mark(row, "value drawn", _constant(node.value) or 0)
    if _constant(node.times) is None or _constant(node.value) is None:
        _mark(row, "value or number of draws is reckoned")
    _verb(row, node.verb)


def _move(row: np.ndarray, node: st.Move) -> None:
    _verb(row, node.verb)
    _other(row, "to somebody else", node.owner)
    _mark(row, "may be left", int(node.may))
    if isinstance(node.what, Some):
        least, most = _constant(node.what.least), _constant(node.what.most)
        _mark(row, "chosen at least", AMOUNT if least is None else least)
        _mark(row, "chosen at most", AMOUNT if most is None else most)
        _mark(row, "highest or lowest", int(bool(node.what.flags & (op.TAKE_HIGHEST | op.TAKE_LOWEST))))


def _place(row: np.ndarray, node: st.Place) -> None:
    _verb(row, node.verb)
    _other(row, "to somebody else", node.owner)


def _splay(row: np.ndarray, node: st.Splay) -> None:
    _mark(row, f"splays {SPLAYS[node.direction]}")
    _mark(row, "may be left", int(node.may))
    _colours(row, _constant(node.colours) or 0)


def _choose(row: np.ndarray, node: st.Choose) -> None:
    _mark(row, "asks for a colour, player, value or way")
    _mark(row, "may be left", int(node.may))


def _simple(row: np.ndarray, node: st.Simple) -> None:
    if node.op in _SPECIAL:
        _mark(row, _SPECIAL[node.op])


def _cards(row: np.ndarray, node: Cards) -> None:
    if node.op in (op.AREA, op.AREA_OF_ALL) and node.args[0] in _AREAS:
        _mark(row, _AREAS[node.args[0]])
    if node.op == op.AREA:
        _other(row, "of somebody else", node.args[1])
    elif node.op == op.AREA_OF_ALL:
        _mark(row, "of somebody else")
    elif node.op in _PILES:
        _mark(row, "from board")
        _other(row, "of somebody else", node.args[0])
    elif node.op in (op.HIGHEST, op.LOWEST):
        _mark(row, "highest or lowest")


def _filter(row: np.ndarray, node: Filter) -> None:
    """`castle`, `castle or crown`, `value 3`, `value 1 to 6`: a printed property by its name."""
    for icon in ICONS:
        _mark(row, f"names {icon}", int(icon in node.name.split(" or ")))
    if node.name.startswith("value "):
        _mark(row, "names value", int(re.findall("[0-9]+", node.name)[-1]))
    _colours(row, node.mask)


def _number(row: np.ndarray, node: Number) -> None:
    if node.op == op.DEMAND_MOVED:
        _mark(row, "looks back at the demand")
    elif node.op in (op.METRIC, op.MOST_OTHER, op.LEAST, op.BELOW, op.ANYBODY_MORE):
        _mark(row, "counts")
        if node.args[0] < len(ICONS):
            _mark(row, f"names {ICONS[node.args[0]]}")
    elif node.op in (op.COUNT, op.DISTINCT_VALUES, op.DISTINCT_COLOURS, op.PILE_SIZE, op.HOW_MANY):
        _mark(row, "counts")


def _flag(name: str) -> Callable[[np.ndarray, Any], None]:
    return lambda row, node: _mark(row, name)


_MARKERS: tuple[tuple[Any, Callable[[np.ndarray, Any], None]], ...] = (
    (st.Draw, _draw),
    (st.Move, _move),
    (st.Place, _place),
    (st.Splay, _splay),
    (st.Choose | st.Reorder, _choose),
    (st.Simple, _simple),
    (st.Optional, _flag("may be left")),
    (st.Exchange, _flag("exchanges")),
    (st.When, _flag("on a condition")),
    (st.Loop | st.ForEachOther, _flag("again and again")),
    (Cards, _cards),
    (Filter, _filter),
    (Number, _number),
)


def _constant(node: Number) -> int | None:
    """The value of a constant, None of what is reckoned."""
    return node.args[0] if node.op == "const" else None


def _other(row: np.ndarray, name: str, who: Number | None) -> None:
    """Mark where a player is not the one who performs the effect."""
    if who is not None and not (who.op == "register" and who.args[0] == op.ME):
        _mark(row, name)


def _colours(row: np.ndarray, bits: int) -> None:
    for k, colour in enumerate(COLOURS):
        _mark(row, f"names {colour}", bits >> k & 1)
