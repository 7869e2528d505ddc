"""Where in the picture an action is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theogony.envs.terra_mystica.components import CULTS

PLACES = {  # by kind of action, with its arguments
    "setup": "faction {}",
    "build": "space {}",
    "transform": "space {}",
    "transform partly": "space {}",
    "to": "colour {}",
    "upgrade": "space {}",
    "bridge": "bridge {}",
    "connect": "space {}",
    "advance": "seat {seat} {}",
    "power action": "power {}",
    "convert": "seat {seat} goods",
    "priest": "seat {seat} goods",
    "burn": "seat {seat} bowls",
    "favor": "favor {}",
    "town": "town {}",
    "cult": "cult {}",
    "leech": "seat {seat} bowls",
    "leech more": "seat {seat} bowls",
    "pass with": "card {}",
}
SPOTS_OF = {3: (0,), 2: (1, 2, 3), 1: (4,)}  # of a cult track, by the steps that they give


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for passing, declining and done."""
    kind, arguments = game.actions.decode(action)
    seat = int(g.actor)
    if kind == "send":
        track, steps = arguments
        return [f"priest {track} {k}" for k in SPOTS_OF[int(steps)] if k == 4 or g.spots[CULTS.index(track), k] < 0]
    if kind == "special action":
        name = str(arguments[0])
        return (f"card {name}" if name.startswith("BON") else f"seat {seat} {name}",)
    if kind == "convert" and "PW" in str(arguments[0]):
        return (f"seat {seat} bowls",)
    return (PLACES[kind].format(*arguments, seat=seat),) if kind in PLACES else ()
