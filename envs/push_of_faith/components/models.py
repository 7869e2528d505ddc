"""The tile list as it is written in a JSON file."""

from __future__ import annotations

from typing import Annotated

from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.push_of_faith.components.pieces import MAX_PLAYERS, TYPES

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
