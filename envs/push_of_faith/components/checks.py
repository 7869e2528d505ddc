"""Tile lists that cannot be played are refused in one line, which names the tile and what was expected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.push_of_faith.components.pieces import MAP_CELLS, MAX_PLAYERS, TYPES, WORLD_TILES

Terrain = Annotated[int, Field(ge=0, lt=TYPES)]


class Tile(BaseModel):
    """One tile: terrain squares by row, the gods of its statues, the lowest player count that uses it."""

    model_config = ConfigDict(extra="ignore", strict=True)
    id: Annotated[int, Field(ge=0)]
    squares: list[list[Terrain]]
    statues: Annotated[list[Terrain], Field(max_length=30)]
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)]


class TileFile(BaseModel):
    """A tile file. Other keys are allowed and ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)
    tile_side: Annotated[int, Field(ge=1, le=8)]
    terrains: Annotated[list[str], Field(min_length=TYPES, max_length=TYPES)] = [
        "plains", "forest", "mountain", "water", "desert"
    ]  # fmt: skip
    tiles: Annotated[list[Tile], Field(max_length=999)]  # all statues together are counted in 16 bits


# ---- Tile lists that cannot be played are refused in one line, which names the tile and what was expected --------


def load_tiles(path: str | Path) -> dict[str, Any]:
    """A checked tile file as plain data. Raises ComponentError naming the file, the tile and what was expected."""
    return check_tiles(read_components(path), path)


def check_tiles(data: Any, path: str | Path) -> dict[str, Any]:
    """The content of a tile file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    file = checked(TileFile, data, str(path), ComponentError)
    ids, side = [tile.id for tile in file.tiles], file.tile_side
    number, times = Counter(ids).most_common(1)[0] if ids else (0, 0)
    if times > 1:
        raise ComponentError(f"{path}: tile {number} is listed twice")
    if missing := set(range(len(ids))) - {*ids}:
        raise ComponentError(f"{path}: tile {min(missing)} is missing: {len(ids)} tiles have ids from 0 on")
    for tile in file.tiles:
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
