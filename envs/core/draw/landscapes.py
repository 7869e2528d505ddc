"""Landscapes as small scenes in shades of whatever ground they are drawn on, so that all games share one look.

Each is drawn around (0, 0), 50 wide and 36 high, within a hexagon whose corners are 30 away, and room for a name below.
A part of a picture that shows a scene many times holds it once (`svg.with_shapes`).
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.svg import element, shape, use

Part = tuple[str, float, float]  # path; shade: so much black, or white where it is positive; width of a line, 0: filled

SCENES: dict[str, tuple[Part, ...]] = {
    "desert": (
        ("M9 -16a5 5 0 1 0 .1 0Z", 0.6, 0),
        ("M-24 4Q-15-8-6-2Q4-12 13-5Q19-8 25-1V9H-24Z", -0.09, 0),
        ("M-25 10Q-12-2 0 6Q11-1 25 8V13H-25Z", 0.14, 0),
        ("M-24 4Q-15-8-6-2Q4-12 13-5M-12 2Q-6 4-4 9M10 3Q8 6 12 9", -0.62, 1.1),
    ),
    "meadow": (
        ("M-25 3Q-12-6 0 0Q12-6 25 2V13H-25Z", 0.16, 0),
        ("M-16 9L-19 0M-14 9V-3M-12 9L-9 0M-2 3L-4-5M0 3V-8M2 3L5-5M12 10L9 2M14 10V-1M16 10L19 2", -0.64, 1.6),
        ("M-9-11a2 2 0 1 0 .1 0ZM10-12a2 2 0 1 0 .1 0Z", 0.75, 0),
    ),
    "plains": (
        ("M-25-3Q0-12 25-3V13H-25Z", 0.2, 0),
        ("M-3-7L-19 10M-1-7L-8 12M1-7L8 12M3-7L19 10", -0.26, 1.6),
        ("M-13-9V-15M-15-13L-13-15L-11-13M12-9V-14M10-12L12-14L14-12M-25-3Q0-12 25-3", -0.66, 1.2),
    ),
    "swamp": (
        ("M-20 2a9 3 0 1 0 18 0a9 3 0 1 0-18 0M4-4a8 3 0 1 0 16 0a8 3 0 1 0-16 0", 0.22, 0),
        ("M-14 1V-13M-10 2V-17M-6 1V-11M8-4V-16M12-4V-20M16-5V-14", 0.45, 1.3),
        ("M-14-13V-9M-10-17V-12M-6-11V-8M8-16V-12M12-20V-15M16-14V-11", 0.7, 2.8),
    ),
    "lakes": (
        ("M-22-4Q-11-16 4-12T22-3Q18 9 0 9T-22-4Z", 0.18, 0),
        ("M-16-7q4-4 8 0t8 0M-3 0q4-4 8 0t8 0M-15 4q4-4 8 0t8 0", 0.8, 1.7),
        ("M-16-5q4-4 8 0t8 0M-3 2q4-4 8 0t8 0M-15 6q4-4 8 0t8 0M7-9q4-6 8 0Z", -0.62, 1.1),
    ),
    "forest": (
        ("M-15 8V3M0 10V3M14 8V3", -0.55, 2.4),
        ("M-15-14L-8-4H-11L-6 4H-24L-19-4H-22ZM14-14L21-4H18L23 4H6L11-4H8Z", -0.36, 0),
        ("M0-20L8-8H4L10 4H-10L-4-8H-8Z", -0.66, 0),
    ),
    "mountains": (
        ("M-25 9L-10-15L2 3L8-6L24 9Z", -0.22, 0),
        ("M-10-15L-4 9H-25ZM8-6L11 9H2Z", -0.12, 0),
        ("M-10-15L-5-8L-9-9L-12-6L-15-7ZM8-6L12-2L8-3L5-2Z", 0.95, 0),
        ("M-25 9L-10-15L2 3L8-6L24 9", -0.62, 1.1),
    ),
    "wasteland": (
        ("M-22 5L-18-10H-8L-4 5ZM1 5L4-4H14L18 5Z", -0.22, 0),
        ("M-18-10H-8L-9-6H-19ZM4-4H14L15-1H3Z", 0.22, 0),
        ("M-14-10L-13-4L-15 1M9-4L8 0L10 5M-22 5L-18-10H-8L-4 5M1 5L4-4H14L18 5", -0.64, 1.2),
    ),
}


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
