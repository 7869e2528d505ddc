"""Places of a picture: parts with a name, on which actions are clicked and changes are marked.

A game wraps every part that stands for something (a tile, a card, a track) in `place(name, ...)`, and tells with
`places(game, g, action)` on which of them an action is made. The rest is done here, for all games alike:

* the place of a legal action gets the attribute `data-actions="12 57"`, the ids of the actions that are made there,
  and a dashed frame; an action may have several places, or none;
* a place whose content differs from that in an earlier picture for the same viewer gets `data-changed="1"` and an
  orange frame. As both pictures show only what their viewer may know, so do the marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

from theogony.envs.core.svg import group, polygon, rect

SPACE = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", SPACE)
NAME, ACTIONS, CHANGED = "data-place", "data-actions", "data-changed"
LAST = {"stroke": "#e8590c", "stroke-width": "4", "stroke-linejoin": "round"}  # what has changed
LEGAL = {"stroke": "#111", "stroke-width": "2.2", "stroke-dasharray": "2 5", "stroke-linecap": "round"}
UNDER = {"stroke": "#fff", "stroke-width": "5", "stroke-opacity": "0.85", "stroke-linejoin": "round"}
BOTH = {**LEGAL, "stroke": "#fff"}  # dots on the orange line


def place(
    name: str,
    width: float,
    height: float,
    *children: str,
    outline: Sequence[tuple[float, float]] | None = None,
    rx: float = 7,
    **where: Any,
) -> str:
    """A named part of a picture, from (0, 0) to (width, height) or within the points of `outline`.

    `where` is what `svg.group` takes: x, y, turn, zoom and attributes. Names are unique in a picture.
    """
    shape = {"pointer_events": "all", "data_frame": "1"}
    frame = polygon(outline, **shape) if outline else rect(0, 0, width, height, rx=rx, **shape)
    return group(*children, frame, data_place=name, **where)


def no_places(game: Any, g: Any, action: int) -> Sequence[str]:
    """Of a game whose picture has no places: its actions are chosen from a list."""
    return ()


def spots(game: Any, g: Any, legal: Iterable[int]) -> dict[str, list[int]]:
    """The ids of legal actions by the names of the places where they are made."""
    found: dict[str, list[int]] = {}
    for action in legal:
        for name in game.spec.places(game, g, int(action)):
            found.setdefault(name, []).append(int(action))
    return found


def mark(drawn: str, actions: dict[str, list[int]], earlier: str | None = None) -> str:
    """The picture `drawn` with the places of `actions` marked, and those that differ from an `earlier` picture."""
    root = ElementTree.fromstring(drawn)
    before = None if earlier is None else {n: _content(p) for n, p in _places(ElementTree.fromstring(earlier))}
    for name, node in list(_places(root)):
        changed = before is not None and before.get(name) != _content(node)
        if changed:
            node.set(CHANGED, "1")
        if name in actions:
            node.set(ACTIONS, " ".join(map(str, sorted(actions[name]))))
        _frame(node, changed, name in actions)
    return ElementTree.tostring(root, encoding="unicode")


def _places(root: ElementTree.Element) -> Iterable[tuple[str, ElementTree.Element]]:
    return ((name, node) for node in root.iter(f"{{{SPACE}}}g") if (name := node.get(NAME)))


def _content(node: ElementTree.Element) -> str:
    """What is drawn in a place, places within it left out: they speak for themselves."""
    inner = [child for child in node if child.get(NAME) is None]
    return "".join(
        ElementTree.tostring(child, encoding="unicode") if len(child) == 0 else _tag(child) for child in inner
    )


def _tag(node: ElementTree.Element) -> str:
    return f"<{node.tag} {sorted(node.attrib.items())}>{_content(node)}</>"


def _frame(node: ElementTree.Element, changed: bool, legal: bool) -> None:
    """Draw the frame of a place, which is its last child, and lines under it so that it is seen on any ground."""
    frame = node[-1]
    lines = [UNDER] * (changed or legal) + [LAST] * changed + [BOTH if changed else LEGAL] * legal
    for style in lines[:-1]:
        under = ElementTree.Element(frame.tag, {**frame.attrib, **style})
        node.insert(len(node) - 1, under)
    if lines:
        frame.attrib.update(lines[-1])
