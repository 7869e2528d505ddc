"""A position as plain text. Squares are small letters, statues capital letters: `pf M` over `pw` is one tile."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.style import Viewer, seat_word
from theogony.envs.push_of_faith.actions import COLUMN_NAMES, ROW_NAMES
from theogony.envs.push_of_faith.breakdown import breakdown
from theogony.envs.push_of_faith.components import FRAME, TYPES
from theogony.envs.push_of_faith.render.words import sees_token, status, window
from theogony.envs.push_of_faith.state import EAST, NONE, NORTH, SOUTH, WEST
from theogony.envs.push_of_faith.vocabulary import terrain_letters

WIDTH = 110  # worlds stand side by side up to this many characters


def render_text(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position as `seat` sees it; None shows what is public, "all" everything. Raises ValueError for others."""
    checked_viewer(seat, game.players)
    letters = terrain_letters(game.components["terrains"])
    names = ", ".join(f"{letter} {name}" for letter, name in zip(letters, game.components["terrains"], strict=True))
    hand = "nothing" if g.hand == NONE else " over ".join(row.strip() for row in tile_text(game, int(g.hand)))
    lines = [
        f"Push of Faith, {status(game, g, seat)}",
        f"({names})",
        "",
        *_map(game, g),
        "",
        f"in hand: {hand}",  # `fw W over dd`
        _stacks(g, seat),
        *_to_come(game, g, letters),
    ]
    row: list[list[str]] = []
    for world in (_world(game, g, owner, seat) for owner in range(game.players)):
        if row and sum(len(w[0]) + 4 for w in row) + len(world[0]) > WIDTH:
            lines += ["", *_beside(row)]
            row = []
        row.append(world)
    return "\n".join(line.rstrip() for line in [*lines, "", *_beside(row)])


def tile_text(game: Any, tile: int, rotation: int = 0) -> list[str]:
    """The rows of one tile; its statues follow the first row."""
    t, letters = game.tables[0], terrain_letters(game.components["terrains"])
    statues = "".join(letters[god].upper() * int(t.statues[tile, god]) for god in range(TYPES))
    rows = ["".join(letters[terrain] for terrain in row) for row in t.terrain[tile, rotation]]
    return [f"{row} {statues if k == 0 else '':{_statue_width(game)}}" for k, row in enumerate(rows)]


def _statue_width(game: Any) -> int:
    return max(int(game.tables[0].statues.sum(axis=1).max()), 1)


def _blank(game: Any, sign: str = " ") -> list[str]:
    side = game.tables[0].terrain.shape[2]
    width = side + 1 + _statue_width(game)
    return [sign.center(width) if k == (side - 1) // 2 else " " * width for k in range(side)]


def _grid(cells: list[list[list[str]]]) -> list[str]:
    """Cells with lines around them."""
    border = "+" + "+".join("-" * len(cell[0]) for cell in cells[0]) + "+"
    lines = [border]
    for row in cells:
        lines += ["|" + "|".join(parts) + "|" for parts in zip(*row, strict=True)]
        lines.append(border)
    return lines


def _map(game: Any, g: Any) -> list[str]:
    """The Neutral Map with a marker at every side."""
    tiles = [[int(tile) for tile in row] for row in g.map]
    grid = _grid([[_blank(game, "hole") if tile == NONE else tile_text(game, tile) for tile in row] for row in tiles])
    width, height = (len(grid[0]) - 1) // 3, (len(grid) - 1) // 3
    middle = [1 + height * row + (height - 2) // 2 for row in range(3)]

    def across(signs: list[str]) -> str:
        return "     " + "".join(f"{sign.center(width - 1)} " for sign in signs)

    def side(line: int, marker: int, sign: str) -> str:
        return sign if line == middle[int(g.markers[marker])] else " "

    body = [
        f"{ROW_NAMES[middle.index(k)] if k in middle else ' '} {side(k, WEST, '>')} {line} {side(k, EAST, '<')}"
        for k, line in enumerate(grid)
    ]
    north = across(["v" if column == g.markers[NORTH] else "" for column in range(3)])
    south = across(["^" if column == g.markers[SOUTH] else "" for column in range(3)])
    return ["Neutral Map", across(list(COLUMN_NAMES[:3])), north, *body, south]


def _stacks(g: Any, viewer: Viewer) -> str:
    """Heights of the stacks; for all eyes their tiles by number too, the next one first."""
    heights = [int(height) for height in g.heights]
    said = [f"{stack}: {height} tile{'' if height == 1 else 's'}" for stack, height in enumerate(heights)]
    if viewer == "all":
        tiles = [" ".join(map(str, g.stacks[stack, :height][::-1])) for stack, height in enumerate(heights)]
        said = [f"{one} ({lying})" if lying else one for one, lying in zip(said, tiles, strict=True)]
    return f"stacks {', '.join(said)}"


def _to_come(game: Any, g: Any, letters: str) -> list[str]:
    """Squares and statues of the tiles in the stacks, which follow from the known set and what was seen."""
    t = game.tables[0]
    tiles = [int(g.stacks[stack, k]) for stack in range(len(g.heights)) for k in range(int(g.heights[stack]))]
    if not tiles:
        return []
    squares = np.bincount(t.terrain[tiles, 0].ravel(), minlength=TYPES)
    statues = t.statues[tiles].sum(axis=0)
    counted = [
        " ".join(f"{letter} {int(n)}" for letter, n in zip(letters, counts, strict=True))
        for counts in (squares, statues)
    ]
    return [f"in all stacks: squares {counted[0]}; statues {counted[1]}"]


def _world(game: Any, g: Any, owner: int, viewer: Viewer) -> list[str]:
    """A seat's world with its reasons and its token."""
    rows, columns = window(g, owner)
    cells = [[_frame_cell(game, g, owner, row, column) for column in columns] for row in rows]
    grid, height = _grid(cells), len(cells[0][0]) + 1
    names = "   " + "".join(f"{COLUMN_NAMES[c].center(len(cells[0][0][0]))} " for c in columns)
    body = [f"{ROW_NAMES[rows[k // height]] if k % height == 1 else ' '} {line}" for k, line in enumerate(grid)]
    letters, reasons = terrain_letters(game.components["terrains"]), breakdown(game, g)[owner]
    sums = [
        f"{letter} {size} × {statues}"
        for letter, size, statues in zip(letters, reasons["largest"], reasons["statues"], strict=True)
    ]
    mark = "*" if owner == g.actor and not g.over else " "
    token = game.components["terrains"][int(g.tokens[owner])] if sees_token(g, viewer, owner) else "hidden"
    points = f"{reasons['score']} point{'' if reasons['score'] == 1 else 's'}"
    head = f"{mark} {seat_word(owner, viewer)}: {points}, largest group {reasons['tie_break']}"
    return [head, f"  {', '.join(sums)}", f"  token {token}{' (spent)' if g.spent[owner] else ''}", names, *body]


def _frame_cell(game: Any, g: Any, owner: int, row: int, column: int) -> list[str]:
    place = int(g.order[owner, FRAME * row + column])
    if place == NONE:
        return _blank(game)
    return tile_text(game, int(g.tiles[owner, place]), int(g.rotations[owner, place]))


def _beside(blocks: list[list[str]]) -> list[str]:
    """Blocks of lines side by side."""
    widths = [max(map(len, block)) for block in blocks]
    rows = zip_longest(*blocks, fillvalue="")
    return ["    ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)) for row in rows]
