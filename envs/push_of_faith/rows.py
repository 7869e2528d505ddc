"""What each action is about, as places of the observation: the tile that it brings, or where it lays one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from theogony.envs.core.rows import NOTHING, Rows
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS
from theogony.envs.push_of_faith.state import EAST, NORTH, SOUTH

# The map cell whose tile a push brings (§5.1 A): the far end of the lane, seen from the side of the marker.
FALLS_OFF = [
    3 * far + line if side in (NORTH, SOUTH) else 3 * line + far
    for side in range(4)
    for far in [0 if side in (SOUTH, EAST) else 2]
    for line in range(3)
]


def action_rows(game: Any) -> dict[str, Rows]:
    """The rows of pushes, tokens and placements."""
    at = game.features.places()
    taken = {"squares": at["map_squares"], "statues": at["map_statues"]}
    own = {"largest": at["largest"][None], "own_statues": at["statues"][None]}
    return {
        "push": Rows(
            len(FALLS_OFF),
            alike="two pushes may bring the same tile and leave another map",
            **{name: places[FALLS_OFF] for name, places in taken.items()},
            **own,
        ),
        "token": Rows(MAP_CELLS, alike="two tiles may be alike, in other places of the map", **taken, **own),
        "place": _placements(at),
    }


def _placements(at: dict[str, np.ndarray]) -> Rows:
    """A placement at a cell, turned: the squares there and around, and those of the tile as that turn lays them."""
    cells, squares, types = at["my_world"].shape
    side = math.isqrt(squares)
    turned = [np.rot90(at["hand_squares"].reshape(side, side, types), -turn) for turn in range(4)]
    return Rows(
        4 * cells,
        alike="cells may look alike and lie elsewhere in the frame",
        around=np.repeat(_windows(at["my_world"], side), 4, axis=0),
        groups=np.repeat(_windows(at["my_groups"][..., None], side), 4, axis=0),
        tile=np.tile(np.stack(turned), (cells, 1, 1, 1)),
        statues=at["hand_statues"][None],
    )


def _windows(world: np.ndarray, side: int) -> np.ndarray:
    """For each cell of a world (cells, squares, k), its squares and those around it: (cells, side + 2, side + 2, k)."""
    k = world.shape[-1]
    grid = world.reshape(FRAME, FRAME, side, side, k).swapaxes(1, 2).reshape(FRAME * side, FRAME * side, k)
    padded = np.pad(grid, ((1, 1), (1, 1), (0, 0)), constant_values=NOTHING)
    starts = side * np.arange(FRAME)
    return np.stack([padded[r : r + side + 2, c : c + side + 2] for r in starts for c in starts])
