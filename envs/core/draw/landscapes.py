"""Landscapes as small scenes in shades of whatever ground they are drawn on, so that all games share one look.

Each is drawn around (0, 0), 50 wide and 36 high, within a hexagon whose corners are 30 away, and room for a name below.
A part of a picture that shows a scene many times holds it once (`svg.with_shapes`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from theogony.envs.core.draw.svg import element, shape, use

# A scene is a list of parts: path; shade, so much black, or white where it is positive; width of a line, 0: filled.
SCENES: dict[str, list[tuple[str, float, float]]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def landscape(name: str, x: float = 0, y: float = 0, zoom: float = 1, **attributes: Any) -> str:
    """The scene of a landscape around (x, y)."""
    return use(f"land-{name}", x, y, zoom, **attributes)


def _part(path: str, shade: float, width: float) -> str:
    colour, much = ("#fff" if shade > 0 else "#000"), abs(shade)
    if width:
        return element("path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_opacity=much)
    return element("path", d=path, fill=colour, fill_opacity=much)


for _name, _parts in SCENES.items():
    shape(f"land-{_name}", "g", *(_part(*one) for one in _parts), pointer_events="none")
