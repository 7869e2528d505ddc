"""Icons drawn for this project: SVG paths in a square from (0, 0) to (24, 24), filled in one colour (even-odd)."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.svg import INK, element

DISC = "M12 2 a10 10 0 1 0 .01 0 Z"
ICONS = {
    # goods
    "coin": f"{DISC} M12 4.4 a7.6 7.6 0 1 1 -.01 0 Z M12 6 a6 6 0 1 0 .01 0 Z",
    "worker": "M12 2 L21 7 V17 L12 22 L3 17 V7 Z "
    "M12 11.2 L19.6 7 L20.4 8.3 L12.8 12.5 V21 H11.2 V12.5 L3.6 8.3 L4.4 7 Z",
    "priest": "M12 1 L16.5 9 A5.2 5.2 0 0 1 15 13.2 L20 22 H4 L9 13.2 A5.2 5.2 0 0 1 7.5 9 Z",
    "power": f"{DISC} M12 5.5 L16 12 L12 18.5 L8 12 Z",
    "spade": "M8.5 1.5 H15.5 V4.3 H13.4 V11 H18 V16 C18 20 14 22 12 23 C10 22 6 20 6 16 V11 H10.6 V4.3 H8.5 Z",
    "key": "M8 4 A6 6 0 1 0 13.6 12 H15.5 V15 H18.5 V12 H22 V9 H13.6 A6 6 0 0 0 8 4 Z M8 7.6 a2.4 2.4 0 1 1 -.01 0 Z",
    "ship": "M2 15 H22 L19 21 H5 Z M11 2 V13 H4 Z M13 4 L20 13 H13 Z",
    "bridge": "M1 10 H23 V18 H18.5 A6.5 6.5 0 0 0 5.5 18 H1 Z M1 6 H23 V8.4 H1 Z",
    "star": "M12 2 L14.9 8.6 L22 9.3 L16.6 14 L18.2 21 L12 17.3 L5.8 21 L7.4 14 L2 9.3 L9.1 8.6 Z",
    # structures
    "house": "M4 21 V11 L12 3.5 L20 11 V21 Z",
    "trading house": "M1.5 21 V12 H8.5 V8 L15.5 2.5 L22.5 8 V21 Z",
    "temple": "M12 2.5 a9.5 9.5 0 1 0 .01 0 Z",
    "stronghold": "M2.5 21 V3.5 H7 V8 H9.8 V3.5 H14.2 V8 H17 V3.5 H21.5 V21 Z",
    "sanctuary": "M7 4.5 H17 A7.5 7.5 0 0 1 17 19.5 H7 A7.5 7.5 0 0 1 7 4.5 Z",
    "town": "M2 21 V13 H5 V9.5 H8 V13 H10 V6.5 L13 3 L16 6.5 V13 H18 V9 H22 V21 Z",
    # elements
    "fire": "M12 1 C14 6 20 9 19 16 A7 7 0 0 1 5 16 C5 12 7 11 8 8 C10 9.5 10 11 11 12 C13 9 12.6 5 12 1 Z",
    "water": "M12 1 C16 8 20 11 20 15.5 A8 7.5 0 0 1 4 15.5 C4 11 8 8 12 1 Z",
    "earth": "M1.5 20 L9 5 L13 12.5 L16 8.5 L22.5 20 Z",
    "air": "M2 7 C6 3 10 3 13 6 S19 9 22 6 V9 C19 12 15 12 12 9 S5 7 2 10 Z "
    "M2 15 C6 11 10 11 13 14 S19 17 22 14 V17 C19 20 15 20 12 17 S5 15 2 18 Z",
}


def icon(name: str, x: float, y: float, size: float = 16, fill: str = INK, **attributes: Any) -> str:
    """An icon in the square of `size` whose upper left corner is (x, y)."""
    where = f"translate({x:.5g} {y:.5g}) scale({size / 24:.4g})"
    return element("path", d=ICONS[name], fill=fill, fill_rule="evenodd", transform=where, **attributes)
