"""The state record, the kinds of decision and the options."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from theogony.envs.core.game import PackOptions
from theogony.envs.core.record import header, record_dtype
from theogony.envs.core.untrusted.models import Field
from theogony.envs.push_of_faith.components import DEFAULT_TILES, FRAME, MAX_PLAYERS, TYPES, WORLD_TILES

TAKE, PLACE, REFILL = 0, 1, 2  # kinds of decision, in the order of a turn
NORTH, SOUTH, WEST, EAST = 0, 1, 2, 3
STACKS = 3
NONE = -1  # an empty map cell, hand or frame cell


class Options(PackOptions):
    """Options of Push of Faith."""

    players: int = Field(default=2, description="seats at the table")
    first_player: Literal["seat0", "random"] = Field(default="seat0", description="who begins (ruling R23)")
    refill: Literal["auto", "choose"] = Field(default="auto", description="whether the stack is chosen (ruling R12)")
    tile_file: Path = Field(default=DEFAULT_TILES, description="JSON file with another tile list")


def state_dtype(tiles: int, side: int) -> np.dtype:
    """The state record for a tile list. Squares of a world are numbered by the order of its tiles, then by row."""
    squares = WORLD_TILES * side * side
    number = "i1" if squares <= 127 else "i2"
    return record_dtype(
        *header(),
        ("map", "i2", (3, 3)),  # tile in each cell of the Neutral Map
        ("markers", "i1", (4,)),  # column (N, S) or row (W, E) of each Faith marker
        ("hand", "i2"),  # tile taken and not yet placed
        ("hole", "i1"),  # map cell that waits for its refill
        ("stacks", "i2", (STACKS, -(-tiles // STACKS))),  # tiles of each stack, the top one last
        ("heights", "i2", (STACKS,)),  # tiles left in each stack
        ("unseen", "i2", (TYPES,)),  # statues of each god on the tiles in the stacks
        ("tokens", "i1", (MAX_PLAYERS,)),  # god of each seat's token; those behind the last seat are left over
        ("spent", "i1", (MAX_PLAYERS,)),  # 1 when it was turned up and used
        ("placed", "i1", (MAX_PLAYERS,)),  # tiles in each world
        ("tiles", "i2", (MAX_PLAYERS, WORLD_TILES)),  # tiles of each world in the order they were placed
        ("cells", "i1", (MAX_PLAYERS, WORLD_TILES)),  # frame cell of each
        ("rotations", "i1", (MAX_PLAYERS, WORLD_TILES)),  # quarter turns clockwise
        ("order", "i1", (MAX_PLAYERS, FRAME * FRAME)),  # which tile lies in a frame cell
        ("occupied", "i4", (MAX_PLAYERS,)),  # frame cells with a tile, as bits
        ("box", "i1", (MAX_PLAYERS, 4)),  # first and last row, first and last column of the world
        ("squares", "i1", (MAX_PLAYERS, squares)),  # terrain of each square
        ("group", number, (MAX_PLAYERS, squares)),  # group each square belongs to, named by its first square
        ("extent", number, (MAX_PLAYERS, squares)),  # squares of each group
        ("largest", "i2", (MAX_PLAYERS, TYPES)),  # largest group of each terrain
        ("statues", "i2", (MAX_PLAYERS, TYPES)),  # statues of each god
    )
