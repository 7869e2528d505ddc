"""The tile list as the read-only record `t`, which every rule gets."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.record import record_dtype, tables_header
from theogony.envs.push_of_faith.components.checks import check_enough
from theogony.envs.push_of_faith.components.pieces import FRAME, TYPES


def tables_dtype(tiles: int, side: int) -> np.dtype:
    """The read-only record `t` that every rule gets."""
    return record_dtype(
        *tables_header(),
        ("auto_refill", "i1"),  # draw from the lowest stack instead of asking (ruling R12)
        ("random_first", "i1"),  # the seed decides who begins (ruling R23)
        ("in_use", "i2"),  # number of tiles in this game
        ("ids", "i2", (tiles,)),  # which they are, the others -1
        ("terrain", "i1", (tiles, 4, side, side)),  # squares of each tile in each rotation
        ("statues", "i1", (tiles, TYPES)),  # statues of each god
        ("shows", "i1", (tiles, TYPES)),  # whether a god's token can take the tile (rules §5.1 B)
        ("all_statues", "i2", (TYPES,)),  # statues of each god on all tiles in this game
        ("face", "u1", (tiles, 4, side * side, TYPES)),  # the same as an observation has it: a one for each terrain
        ("marks", "u1", (tiles, 4, side * side)),  # and as terrain + 1
        ("beside", "i4", (FRAME * FRAME,)),  # frame cells that share an edge, as bits
    )


def build_tables(data: dict[str, Any], players: int, auto_refill: bool, random_first: bool) -> np.ndarray:
    """The tables record for a player count, as an array of one. Raises ComponentError for too few tiles."""
    check_enough(data, players, "the tile list")
    tiles = sorted(data["tiles"], key=lambda tile: tile["id"])
    side = data["tile_side"]
    tables = np.zeros(1, tables_dtype(len(tiles), side))
    t: Any = tables[0]
    t.auto_refill, t.random_first = auto_refill, random_first
    in_use = [tile["id"] for tile in tiles if tile["players"] <= players]
    t.in_use = len(in_use)
    t.ids[:] = in_use + [-1] * (len(tiles) - len(in_use))
    for tile in tiles:
        squares = np.array(tile["squares"], np.int8)
        for rotation in range(4):
            turned = np.rot90(squares, -rotation)
            t.terrain[tile["id"], rotation] = turned
            t.face[tile["id"], rotation] = np.eye(TYPES)[turned.ravel()]
            t.marks[tile["id"], rotation] = turned.ravel() + 1
        for god in tile["statues"]:
            t.statues[tile["id"], god] += 1
        t.shows[tile["id"]] = [god in tile["statues"] or god in squares for god in range(TYPES)]
    t.all_statues[:] = t.statues[in_use].sum(axis=0)
    t.beside[:] = [_beside(cell) for cell in range(FRAME * FRAME)]
    return tables


def _beside(cell: int) -> int:
    """Bits of the frame cells that share an edge with a cell."""
    row, column = divmod(cell, FRAME)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return sum(1 << (r * FRAME + c) for r, c in around if 0 <= r < FRAME and 0 <= c < FRAME)
