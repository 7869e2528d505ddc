"""What tests ask of a picture: where its texts and places are, what overlaps, and what runs out of its box."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from theogony.envs.core.draw.places import spots
from theogony.envs.core.draw.svg import CUT, text_width
from theogony.envs.core.position import Position

DEEP = 1  # below the line of a text there is at least this
SLACK = 1.5  # of a box, in user units: widths are rounded
STEP = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")


class Box(NamedTuple):
    """A part of a picture in its own coordinates, and what it says."""

    left: float
    top: float
    right: float
    bottom: float
    said: str = ""

    def holds(self, other: "Box") -> bool:
        return (
            self.left - SLACK <= other.left
            and other.right <= self.right + SLACK
            and self.top - SLACK <= other.top
            and other.bottom <= self.bottom + SLACK
        )

    def has(self, x: float, y: float) -> bool:
        return self.left < x < self.right and self.top < y < self.bottom

    def meets(self, other: "Box") -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > SLACK and min(self.bottom, other.bottom) - max(self.top, other.top) > SLACK


def _matrix(transform: str) -> np.ndarray:
    whole = np.eye(3)
    for kind, numbers in STEP.findall(transform):
        values = [float(v) for v in numbers.replace(",", " ").split()]
        step = np.eye(3)
        if kind == "translate":
            step[:2, 2] = [values[0], values[1] if len(values) > 1 else 0]
        elif kind == "scale":
            step[0, 0], step[1, 1] = values[0], values[-1]
        else:
            angle = np.radians(values[0])
            step[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        whole = whole @ step
    return whole


def _nodes(node: ET.Element, matrix: np.ndarray) -> Iterator[tuple[ET.Element, np.ndarray]]:
    here = matrix @ _matrix(node.get("transform", ""))
    yield node, here
    for child in node:
        if not child.tag.endswith("}defs"):
            yield from _nodes(child, here)


def _box(matrix: np.ndarray, x: float, y: float, width: float, height: float, said: str = "") -> Box:
    corners = np.array([[x, x + width, x, x + width], [y, y, y + height, y + height], [1, 1, 1, 1]])
    (xs, ys, _) = matrix @ corners
    return Box(xs.min(), ys.min(), xs.max(), ys.max(), said)


def _number(node: ET.Element, name: str) -> float:
    return float(node.get(name, 0))


def boxes(drawn: str) -> Iterator[tuple[str, Box]]:
    """Every rectangle (frames of places aside) and every line of text, in the order in which they are drawn."""
    for node, matrix in _nodes(ET.fromstring(drawn), np.eye(3)):
        if node.tag.endswith("}rect") and node.get("data-frame") is None:
            x, y, width, height = (_number(node, name) for name in ("x", "y", "width", "height"))
            yield "rect", _box(matrix, x, y, width, height)
        elif node.tag.endswith("}text"):
            size = _number(node, "font-size")
            width = text_width(node.text or "", size, node.get("font-weight") == "bold")
            shift = {"middle": 0.5, "end": 1.0}.get(node.get("text-anchor", "start"), 0.0)
            x, y = _number(node, "x") - shift * width, _number(node, "y") - 0.73 * size
            yield "text", _box(matrix, x, y, width, 0.73 * size, node.text or "")


def faults(drawn: str) -> list[str]:
    """Texts that are cut, leave the picture or the rectangle on which their middle lies, or lie on each other."""
    grounds: list[Box] = []
    lines: list[Box] = []
    found = []
    for kind, box in boxes(drawn):
        if kind == "rect":
            grounds.append(box)
            continue
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        under = next(b for b in grounds[::-1] if b is grounds[0] or b.has(x, y))
        if not (under.left - SLACK <= box.left and box.right <= under.right + SLACK and grounds[0].holds(box)):
            found.append(f"{box.said!r} runs out of its box")
        if len(box.said) > 1 and under is not grounds[0] and box.bottom + DEEP > under.bottom:
            found.append(f"{box.said!r} runs out below")
        if box.said.endswith(CUT):
            found.append(f"{box.said!r} is cut")
        found += [f"{box.said!r} lies on {other.said!r}" for other in lines if box.said and box.meets(other)]
        lines.append(box)
    return found


def clickable(position: Position) -> dict[str, set[int]]:
    """The actions on the places of a picture for the seat that decides."""
    root = ET.fromstring(position.svg(position.actor, interactive=True))
    return {
        str(node.get("data-place")): {int(a) for a in str(node.get("data-actions")).split()}
        for node in root.iter()
        if node.get("data-actions")
    }


def missing(position: Position) -> list[str]:
    """Legal actions which have places by the game's own word, none of which is in the picture."""
    drawn = {action for actions in clickable(position).values() for action in actions}
    legal = {int(a) for a in position.legal_actions()}
    placed = {a for actions in spots(position.game, position.g, legal).values() for a in actions}
    return [position.game.actions.text(action) for action in sorted(placed - drawn)]


def places_of(drawn: str) -> list[str]:
    """The names of all places of a picture."""
    return [str(node.get("data-place")) for node in ET.fromstring(drawn).iter() if node.get("data-place")]
