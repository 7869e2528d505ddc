"""Where in the picture an action is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PLACES = {  # by kind of action, with its arguments
    "push": "push {}",
    "token": "map {}",
    "place": "world {seat} {}",
    "refill": "stack {}",
}


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked."""
    kind, arguments = game.actions.decode(action)
    return (PLACES[kind].format(*arguments, seat=int(g.actor)),)


def lands(game: Any, g: Any, action: int) -> tuple[str, str, int] | None:
    """The tile in hand would come to lie there, turned by so many degrees clockwise."""
    kind, arguments = game.actions.decode(action)
    if kind != "place":
        return None
    return "hand", f"world {int(g.actor)} {arguments[0]}", 90 * int(arguments[1])
