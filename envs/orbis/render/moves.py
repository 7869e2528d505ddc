"""A decision with what lies where it is made."""

from __future__ import annotations

from typing import Any

from theogony.envs.orbis.state import NONE
from theogony.envs.orbis.vocabulary.wording import tile_of


def move_text(game: Any, before: Any, action: int, after: Any, who: Any) -> str:
    """A move in words, a tile by its colour and place: `take the blue tile at a1`. All of it is open."""
    kind, arguments = game.actions.decode(action)
    if kind == "take tile":
        tile = int(before.display[action - game.actions.first[kind]])
        if tile != NONE:
            return f"take the {tile_of(game, tile)['colour']} tile at {arguments[0]}"
    return game.vocabulary.say(game.actions, action, int(before.decision))
