"""Where in the picture an action is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PLACES = {  # by kind of action, with its arguments
    "take tile": "display {}",
    "take god": "god {}",
    "exchange": "seat {seat} {}",
    "face up": "hand",
    "wilderness": "hand",
    "pay": "seat {seat} {}",
    "place": "seat {seat} {}",
    "gain": "seat {seat} {}",
    "discard": "seat {seat} {}",
}


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for declining and ending the turn."""
    kind, arguments = game.actions.decode(action)
    if kind == "destroy":
        return (f"display {arguments[1]}",)
    return (PLACES[kind].format(*arguments, seat=int(g.actor)),) if kind in PLACES else ()
