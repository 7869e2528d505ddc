"""The printed pieces: terrain tiles, read from a JSON file, checked and turned into read-only tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.checked import checked
from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.record import record_dtype, tables_header

DEFAULT_TILES = Path(__file__).with_name("data") / "tiles.json"
TYPES = 5  # terrain types, each with its god (rules §2)
MAP_CELLS = 9  # the 3x3 Neutral Map
WORLD_TILES = 9  # a finished world
FRAME = 5  # a world grows in a 5x5 frame around its first tile (rules §5.2)
MAX_PLAYERS = 5  # one god token each
MOST_STATUES = 30_000  # their sums are kept in 16 bits

Terrain = Annotated[int, Field(ge=0, lt=TYPES)]


class Tile(BaseModel):
    """One tile: terrain squares by row, the gods of its statues, the lowest player count that uses it."""

    model_config = ConfigDict(extra="ignore", strict=True)
    id: Annotated[int, Field(ge=0)]
    squares: list[list[Terrain]]
    statues: Annotated[list[Terrain], Field(max_length=99)]
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)]


class TileFile(BaseModel):
    """A tile file. Other keys are allowed and ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)
    tile_side: Annotated[int, Field(ge=1, le=8)]
    terrains: Annotated[list[str], Field(min_length=TYPES, max_length=TYPES)] = [
        "plains", "forest", "mountain", "water", "desert"
    ]  # fmt: skip
    tiles: Annotated[list[Tile], Field(max_length=10_000)]


def load_tiles(path: str | Path) -> dict[str, Any]:
    """A checked tile file as plain data. Raises ComponentError naming the file, the tile and what was expected."""
    return check_tiles(read_components(path), path)


def check_tiles(data: Any, path: str | Path) -> dict[str, Any]:
    """The content of a tile file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    file = checked(TileFile, data, str(path), ComponentError)
    _check_ids(path, file)
    if sum(len(tile.statues) for tile in file.tiles) > MOST_STATUES:
        raise ComponentError(f"{path}: at most {MOST_STATUES} statues on all tiles were expected")
    for tile in file.tiles:
        side = file.tile_side
        if len(tile.squares) != side or any(len(row) != side for row in tile.squares):
            raise ComponentError(
                f"{path}: tile {tile.id} cannot be placed: its squares are not {side} rows of {side}, the tile_side"
            )
    return file.model_dump()


def check_enough(data: dict[str, Any], players: int, path: str | Path) -> None:
    """Raises ComponentError when the tiles for a player count do not fill the map and every world (rules §3)."""
    count, needed = sum(tile["players"] <= players for tile in data["tiles"]), MAP_CELLS + WORLD_TILES * players
    if count < needed:
        raise ComponentError(f"{path}: {count} tiles for {players} players, but the map and their worlds take {needed}")


def _check_ids(path: str | Path, file: TileFile) -> None:
    seen: set[int] = set()
    for tile in file.tiles:
        if tile.id in seen:
            raise ComponentError(f"{path}: tile {tile.id} is listed twice")
        seen.add(tile.id)
    for expected in range(len(file.tiles)):
        if expected not in seen:
            raise ComponentError(f"{path}: tile {expected} is missing: {len(file.tiles)} tiles have ids from 0 on")


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
        ("beside", "i4", (FRAME * FRAME,)),  # frame cells that share an edge, as bits
    )


def build_tables(data: dict[str, Any], players: int, auto_refill: bool, random_first: bool, cut_off: int) -> np.ndarray:
    """The tables record for a player count, as an array of one. Raises ComponentError for too few tiles."""
    check_enough(data, players, "the tile list")
    tiles = sorted(data["tiles"], key=lambda tile: tile["id"])
    side = data["tile_side"]
    tables = np.zeros(1, tables_dtype(len(tiles), side))
    t: Any = tables[0]
    t.players, t.max_decisions, t.scale = players, cut_off, 40.0
    t.auto_refill, t.random_first = auto_refill, random_first
    in_use = [tile["id"] for tile in tiles if tile["players"] <= players]
    t.in_use = len(in_use)
    t.ids[:] = in_use + [-1] * (len(tiles) - len(in_use))
    for tile in tiles:
        squares = np.array(tile["squares"], np.int8)
        for rotation in range(4):
            t.terrain[tile["id"], rotation] = np.rot90(squares, -rotation)
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
