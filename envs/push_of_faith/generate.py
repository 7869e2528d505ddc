"""Tile lists drawn anew, by the statistics of the printed one.

Each player count keeps its number of tiles, and which patterns lie on them: which squares of a tile share a terrain,
and whether its statue stands for a terrain of its own. Drawn are the terrains, whether a pattern is mirrored, and the
gods: as many statues of each as are printed, and nearly as many squares of each terrain.
"""

from __future__ import annotations

import itertools
from typing import Any

from theogony.envs.core.packs import Draw
from theogony.envs.push_of_faith.components import DEFAULT_TILES, TYPES, load_tiles

RENAMINGS = 12  # tried for a tile; the one that keeps terrains most even is taken


def generate(options: Any, draw: Draw) -> dict[str, Any]:
    """A tile list of the form of `data/tiles.json`."""
    printed = load_tiles(DEFAULT_TILES)
    tiles: list[dict[str, Any]] = []
    counts = [0] * TYPES
    for players, group in itertools.groupby(printed["tiles"], key=lambda tile: tile["players"]):
        patterns = draw.shuffled(group)
        gods = draw.shuffled(god for tile in patterns for god in tile["statues"])
        for pattern in patterns:
            own = [gods.pop() for _ in pattern["statues"]]
            squares = _squares(draw, pattern, own, counts)
            tiles.append({"id": len(tiles), "squares": squares, "statues": own, "players": players})
    return {**printed, "tiles": tiles}


def _squares(draw: Draw, pattern: dict[str, Any], gods: list[int], counts: list[int]) -> list[list[int]]:
    """A pattern in other terrains, perhaps mirrored: the one of some that keeps `counts` most even; counts it."""
    side = len(pattern["squares"])
    found = [_renamed(draw, pattern, gods) for _ in range(RENAMINGS)]
    best = min(found, key=lambda squares: sum(counts[kind] for kind in squares))
    for kind in best:
        counts[kind] += 1
    rows = [best[side * row : side * (row + 1)] for row in range(side)]
    return [row[::-1] for row in rows] if draw.chance(0.5) else rows


def _renamed(draw: Draw, pattern: dict[str, Any], gods: list[int]) -> list[int]:
    """The squares with terrains for terrains, such that the printed statue becomes the drawn one."""
    names = dict(zip(pattern["statues"], gods, strict=True))
    left = [kind for kind in range(TYPES) if kind not in names]
    names |= dict(zip(left, draw.shuffled(kind for kind in range(TYPES) if kind not in gods), strict=True))
    return [names[kind] for row in pattern["squares"] for kind in row]
