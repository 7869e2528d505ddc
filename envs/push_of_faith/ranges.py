"""The range of every field of the state: what bytes from a file must keep to before the rules see them."""

from __future__ import annotations

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, any_value, set_of
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS, TYPES, WORLD_TILES
from theogony.envs.push_of_faith.state import NONE, REFILL, TAKE


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    tiles, squares, state = len(game.tables[0].ids), game.state["squares"].shape[1], game.state
    tile = (NONE, tiles - 1)
    return {
        "decision": (TAKE, REFILL),
        "map": tile,
        "markers": (0, 2),
        "hand": tile,
        "hole": (NONE, MAP_CELLS - 1),
        "stacks": tile,
        "heights": (0, state["stacks"].shape[1]),
        "unseen": any_value(state["unseen"]),
        "tokens": (0, TYPES - 1),
        "spent": (0, 1),
        "placed": (0, WORLD_TILES),
        "tiles": tile,
        "cells": (NONE, FRAME * FRAME - 1),
        "rotations": (0, 3),
        "order": (NONE, WORLD_TILES - 1),
        "occupied": set_of(FRAME * FRAME),
        "box": (0, FRAME - 1),
        "squares": (NONE, TYPES - 1),
        "group": (NONE, squares - 1),
        "extent": (0, squares),
        "largest": (0, squares),
        "statues": any_value(state["statues"]),
    }
