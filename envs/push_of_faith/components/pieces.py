"""What the box of the game fixes: the printed tiles, and how many of each thing there are."""

from __future__ import annotations

from pathlib import Path

DEFAULT_TILES = Path(__file__).parents[1] / "data" / "tiles.json"
TYPES = 5  # terrain types, each with its god (rules §2)
MAP_CELLS = 9  # the 3x3 Neutral Map
WORLD_TILES = 9  # a finished world
FRAME = 5  # a world grows in a 5x5 frame around its first tile (rules §5.2)
MAX_PLAYERS = 5  # one god token each
