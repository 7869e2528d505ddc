"""The tile list as it is written in a JSON file, and the numbers that the box of the game fixes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field

DEFAULT_TILES = Path(__file__).parents[1] / "data" / "tiles.json"
TYPES = 5  # terrain types, each with its god (rules §2)
MAP_CELLS = 9  # the 3x3 Neutral Map
WORLD_TILES = 9  # a finished world
FRAME = 5  # a world grows in a 5x5 frame around its first tile (rules §5.2)
MAX_PLAYERS = 5  # one god token each

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
