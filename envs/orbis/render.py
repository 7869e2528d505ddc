"""Text and SVG of a position."""

from __future__ import annotations

from typing import Any


def render_text(game: Any, g: Any, seat: int | None) -> str:
    return str(g)


def render_svg(game: Any, g: Any, seat: int | None) -> str:
    return "<svg xmlns='http://www.w3.org/2000/svg'/>"
