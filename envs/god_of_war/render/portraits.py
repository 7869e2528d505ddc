"""Portraits: heroes, and enemies by their kind, of head, what is worn on it and what is borne, 16 in radius.

They are line art of this project, drawn around (0, 0). `portraits.json` has the paths and colours that they are put
together from.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from theogony.envs.core.draw.style import icon
from theogony.envs.core.draw.svg import INK, circle, element, group, shape, use

ART: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
EDGE, DISC = "#2b2326", "#3a3033"
HERO_COLOURS: dict[str, str] = {name: look["colour"] for name, look in ART["heroes"].items()}


class Portrait(NamedTuple):
    """How an enemy looks; colours are codes, or names of those in `portraits.json`."""

    word: str  # in its name
    head: str
    skin: str
    worn: str = ""
    metal: str = "iron"  # the colour of what is worn
    borne: str = ""
    of: str = "steel"  # the colour of what is borne
    coat: str = "#8d7f78"
    eyes: str = EDGE


ENEMIES = [Portrait(**look) for look in ART["enemies"]]  # the first whose word stands in the name


def _path(d: str, fill: str) -> str:
    return element("path", d=d, fill=ART["colours"].get(fill, fill), fill_rule="evenodd", stroke=EDGE, stroke_width=0.8)


def _drawn(one: Portrait) -> list[str]:
    """The parts of a portrait, from behind to before."""
    if one.head in ART["alone"]:  # what is no head and shoulders, in a square from (0, 0) to (24, 24)
        return [group(_path(ART["alone"][one.head], one.skin), x=-13, y=-13, zoom=1.08)]
    parts = [_path(ART["borne"][one.borne], one.of)] if one.borne in ART["borne"] else []
    body = ART["bodies"]["wide" if one.head in ("brute", "stone") else "shoulders"]
    parts += [_path(body, one.coat), _path(ART["heads"][one.head], one.skin)]
    parts.append(element("path", d=ART["mouths"][one.head], fill="none", stroke=EDGE, stroke_width=1))
    wide = 2.5 if one.head == "skull" else 1.5
    parts += [circle(x, -3, wide, EDGE) for x in (-3.4, 3.4)]
    if one.eyes != EDGE:
        parts += [circle(x, -3, wide * 0.62, _bright(one.eyes)) for x in (-3.4, 3.4)]
    if one.worn:
        parts.append(_path((ART["worn"] | ART["before"])[one.worn], one.metal))
    if one.borne in ART["before"]:
        parts.append(_path(ART["before"][one.borne], one.of))
    return parts


def _bright(colour: str) -> str:
    """A colour that glows in a dark eye."""
    return "#" + "".join(f"{min(255, int(colour[k : k + 2], 16) + 110):02x}" for k in (1, 3, 5))


_SHAPES = {  # clicks go to the card
    one.word: shape(f"enemy {one.word or 'other'}", "g", *_drawn(one), pointer_events="none") for one in ENEMIES
}


def enemy_figure(name: str, x: float, y: float, zoom: float) -> str:
    """An enemy by head and shoulders; what has none, such as a hive, by itself."""
    return use(next(drawn for word, drawn in _SHAPES.items() if word in name.lower()), x, y, zoom)


def enemy_token(name: str, x: float, y: float, radius: float) -> str:
    """An enemy on a dark disc."""
    return circle(x, y, radius, DISC) + enemy_figure(name, x, y, radius / 17)


def hero_token(figure: str, x: float, y: float, radius: float, faded: bool = False) -> str:
    """A hero's portrait on a disc: what the hero bears, shoulders, head, hair and beard."""
    look, shapes = ART["heroes"][figure], ART["hero shapes"]
    hair = [shapes[look[part]] for part in ("top", "beard") if part in look]
    parts = [
        circle(0, 0, 17.6, INK),
        circle(0, 0, 16, "#f2e6d2", stroke=look["colour"], stroke_width=2.4),
        icon(figure, 1.5, -13, 13, look["colour"]),
        element("path", d=shapes["shoulders"], fill=look["colour"]),
        element("path", d=shapes["head"], fill=look["skin"], stroke=INK, stroke_width=0.8),
        *(element("path", d=d, fill=look["hair"], stroke=INK, stroke_width=0.6) for d in hair),
        *(circle(eye, -3.4, 0.9, INK) for eye in (-4.6, 0.6)),
    ]
    return group(*parts, x=x, y=y, zoom=radius / 16, opacity=0.35 if faded else None)
