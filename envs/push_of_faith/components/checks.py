"""Tile lists that cannot be played are refused in one line, which names the tile and what was expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.push_of_faith.components.models import TileFile
from theogony.envs.push_of_faith.components.pieces import MAP_CELLS, WORLD_TILES


def load_tiles(path: str | Path) -> dict[str, Any]:
    """A checked tile file as plain data. Raises ComponentError naming the file, the tile and what was expected."""
    return check_tiles(read_components(path), path)


def check_tiles(data: Any, path: str | Path) -> dict[str, Any]:
    """The content of a tile file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    file = checked(TileFile, data, str(path), ComponentError)
    _check_ids(path, file)
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
