from typing import Any


def render_text(game: Any, g: Any, seat: int | None) -> str:
    return ""


def render_svg(game: Any, g: Any, seat: int | None) -> str:
    return ""


def breakdown(game: Any, g: Any) -> Any:
    return []
