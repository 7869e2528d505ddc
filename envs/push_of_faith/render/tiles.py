"""Tiles as pictures: coloured squares with a sign for each terrain, and statues of the gods."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.draw.svg import INK, circle, element, group, line, rect, title
from theogony.envs.push_of_faith.components import TYPES
from theogony.envs.push_of_faith.state import NONE

TILE = 96  # edge of a tile in its own drawing
COLOURS = ("#bdd07a", "#4c8a57", "#9a97a3", "#5fa3d6", "#e6bd6a")  # by terrain
DARK = ("#5a6f1c", "#123518", "#45414f", "#15507e", "#7a530f")  # signs on them, and their gods
PALE = ("#f4f7dc", "#dcefdf", "#eeedf1", "#e0effa", "#fbeed3")  # the discs under statues
HEADS = (  # of the statues, above a body that begins at (0, 1)
    "M0 1 L-7 -7 L-2.6 -5.4 L0 -13 L2.6 -5.4 L7 -7 Z",  # a tuft of grass
    "M0 -14 L7 0 L-7 0 Z",  # a tree
    "M-7 0 L-7 -8 L-2.4 -5 L0 -12 L2.4 -5 L7 -8 L7 0 Z",  # a ridge
    "M0 -14 C3 -9 6.5 -7 6.5 -4 A6.5 6 0 0 1 -6.5 -4 C-6.5 -7 -3 -9 0 -14 Z",  # a drop
    "M-6 -5.5 A6 6 0 1 1 6 -5.5 A6 6 0 1 1 -6 -5.5 Z",  # the sun
)
SIGNS = (  # paths in a square from -10 to 10, so that terrains differ without colours
    "M-6 5 L-4 -3 M-1 6 L-1 -5 M4 5 L6 -3",  # grass
    "M0 -8 L6 2 L-6 2 Z M0 2 L0 8",  # tree
    "M-9 6 L-3 -6 L1 2 L4 -2 L9 6 Z",  # peaks
    "M-9 -3 Q-6 -7 -3 -3 T3 -3 T9 -3 M-9 4 Q-6 0 -3 4 T3 4 T9 4",  # waves
    "M-8 4 Q-3 -5 2 4 M0 4 Q4 -2 8 4",  # dunes
)


def paint_tile(game: Any, tile: int) -> str:
    """One tile as it lies on the map, its upper left corner at the origin, `TILE` wide."""
    return group(paint_ground(game, tile, 0), paint_statues(game, tile))


def paint_ground(game: Any, tile: int, rotation: int) -> str:
    """A tile without its statues."""
    edge = rect(0, 0, TILE, TILE, rx=4, stroke="#fffaf0", stroke_width=3)
    return group(paint_squares(game.tables[0].terrain[tile, rotation]), edge)


def paint_squares(terrain: np.ndarray) -> str:
    """The squares of one tile, each with its sign."""
    size = TILE / len(terrain)
    parts = []
    for (row, column), kind in np.ndenumerate(terrain):
        sign = element("path", d=SIGNS[kind], stroke=DARK[kind], stroke_width=1.8, fill="none", stroke_linejoin="round")
        parts.append(rect(column * size, row * size, size + 0.4, size + 0.4, COLOURS[kind]))
        parts.append(group(sign, x=(column + 0.5) * size, y=(row + 0.5) * size, zoom=size / 40))
    return group(*parts)


def paint_statues(game: Any, tile: int) -> str:
    """The statues in the middle of a tile: they stand on no square of their own (ruling R6)."""
    gods = [god for god in range(TYPES) for _ in range(int(game.tables[0].statues[tile, god]))]
    named = ", ".join(f"a statue of {game.components['terrains'][god]}" for god in gods) or "no statue"
    apart = min(34, 72 / max(len(gods), 1))
    places = [TILE / 2 + (k - (len(gods) - 1) / 2) * apart for k in range(len(gods))]
    figures = [figure(god, x=x, y=TILE / 2) for god, x in zip(gods, places, strict=True)]
    return group(title(f"tile {tile}: {named}"), *figures, data_upright=1)


def swatch(kind: int, size: float) -> str:
    """A square of one terrain with its sign, as a key."""
    sign = element("path", d=SIGNS[kind], stroke=DARK[kind], stroke_width=1.8, fill="none", stroke_linejoin="round")
    ground = rect(0, 0, size, size, COLOURS[kind], rx=3, stroke=INK, stroke_width=0.8)
    return group(ground, group(sign, x=size / 2, y=size / 2, zoom=size / 26))


def figure(god: int, x: float = 0, y: float = 0, zoom: float = 1) -> str:
    """A statue on a disc around (x, y); its head tells the god without colours."""
    disc = circle(0, 0, 17, PALE[god], stroke=INK, stroke_width=1.4)
    body = element("path", d="M-8 12 L-3.5 1 L3.5 1 L8 12 Z", fill=DARK[god], stroke=INK, stroke_width=1.2)
    head = element("path", d=HEADS[god], fill=DARK[god], stroke=INK, stroke_width=1.2, stroke_linejoin="round")
    return group(disc, body, head, x=x, y=y, zoom=zoom)


def paint_borders(grid: np.ndarray, size: float) -> str:
    """Lines between the groups of a grid of squares, and around it; -1 is no square."""
    wide = np.pad(grid, 1, constant_values=NONE)
    lines = []
    for row in range(1, wide.shape[0]):
        for column in range(1, wide.shape[1]):
            x, y = (column - 1) * size, (row - 1) * size
            if wide[row, column] != wide[row - 1, column]:
                lines.append(line(x, y, x + size, y))
            if wide[row, column] != wide[row, column - 1]:
                lines.append(line(x, y, x, y + size))
    return group(*lines, stroke_width=1.6, stroke_linecap="round")
