"""Icons drawn for this project: SVG paths in a square from (0, 0) to (24, 24), filled in one colour."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.svg import INK, element

ICONS = {
    "star": "M12 2 L14.9 8.6 L22 9.3 L16.6 14 L18.2 21 L12 17.3 L5.8 21 L7.4 14 L2 9.3 L9.1 8.6 Z",
}


def icon(name: str, x: float, y: float, size: float = 16, fill: str = INK, **attributes: Any) -> str:
    """An icon in the square of `size` whose upper left corner is (x, y)."""
    where = f"translate({x:.4g} {y:.4g}) scale({size / 24:.4g})"
    return element("path", d=ICONS[name], fill=fill, fill_rule="evenodd", transform=where, **attributes)
