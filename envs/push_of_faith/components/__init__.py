"""The pieces: terrain tiles, read from a JSON file, checked and turned into read-only tables."""

from theogony.envs.push_of_faith.components.checks import check_enough, check_tiles, load_tiles
from theogony.envs.push_of_faith.components.pieces import (
    DEFAULT_TILES,
    FRAME,
    MAP_CELLS,
    MAX_PLAYERS,
    TYPES,
    WORLD_TILES,
)
from theogony.envs.push_of_faith.components.tables import build_tables

__all__ = [
    "DEFAULT_TILES",
    "FRAME",
    "MAP_CELLS",
    "MAX_PLAYERS",
    "TYPES",
    "WORLD_TILES",
    "build_tables",
    "check_enough",
    "check_tiles",
    "load_tiles",
]
