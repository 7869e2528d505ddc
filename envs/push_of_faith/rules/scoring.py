"""The score and who wins (§7). Valid at any time, as if the game ended now."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.push_of_faith.components import FRAME, TYPES
from theogony.envs.push_of_faith.state import NONE


@rule
def points(g, seat):
    """Largest group times statues, over the five types (§7)."""
    total = 0
    for terrain in range(TYPES):
        total += np.int64(g.largest[seat, terrain]) * np.int64(g.statues[seat, terrain])
    return total


@rule
def tie_break(g, seat):
    """The largest group of any type, whether or not it scored (ruling R22)."""
    largest = 0
    for terrain in range(TYPES):
        largest = max(largest, np.int64(g.largest[seat, terrain]))
    return largest


@rule
def score(g, t, out):
    """Printed score of each seat (§7)."""
    for seat in range(g.players):
        out[seat] = points(g, seat)


@rule
def standing(g, t, out):
    """Score, then the tie-break; the tie-break is below the number of squares, so it never outweighs a point."""
    squares = g.squares.shape[1] + 1.0
    for seat in range(g.players):
        out[seat] = points(g, seat) + tie_break(g, seat) / squares


# ---- Groups of connected squares (§7), kept up to date tile by tile, so that a score needs no search -------------


@rule
def join_squares(g, t, seat, count, cell):
    """Add the squares of a new tile to the groups of a world: inside the tile and across its edges (ruling R20b)."""
    side = t.terrain.shape[2]
    tile, rotation = g.tiles[seat, count], g.rotations[seat, count]
    first = count * side * side
    row, column = cell // FRAME, cell % FRAME
    above = np.int64(g.order[seat, cell - FRAME]) if row > 0 else NONE
    below_ = np.int64(g.order[seat, cell + FRAME]) if row < FRAME - 1 else NONE
    left = np.int64(g.order[seat, cell - 1]) if column > 0 else NONE
    right = np.int64(g.order[seat, cell + 1]) if column < FRAME - 1 else NONE
    last = side - 1
    for r in range(side):
        for c in range(side):
            square = first + r * side + c
            add_square(g, seat, square, t.terrain[tile, rotation, r, c])
            if r > 0:
                join(g, seat, square, square - side, first + side * side)
            elif above >= 0:
                join(g, seat, square, (above * side + last) * side + c, first + side * side)
            if c > 0:
                join(g, seat, square, square - 1, first + side * side)
            elif left >= 0:
                join(g, seat, square, (left * side + r) * side + last, first + side * side)
            if r == last and below_ >= 0:
                join(g, seat, square, below_ * side * side + c, first + side * side)
            if c == last and right >= 0:
                join(g, seat, square, (right * side + r) * side, first + side * side)


@rule
def add_square(g, seat, square, terrain):
    """A square is first a group of its own."""
    g.squares[seat, square] = terrain
    g.group[seat, square] = square
    g.extent[seat, square] = 1
    g.largest[seat, terrain] = max(g.largest[seat, terrain], 1)


@rule
def join(g, seat, a, b, squares):
    """Make one group of the groups of two squares of the same terrain, named by the lower of the two."""
    terrain = g.squares[seat, a]
    if terrain != g.squares[seat, b] or g.group[seat, a] == g.group[seat, b]:
        return
    kept, gone = min(g.group[seat, a], g.group[seat, b]), max(g.group[seat, a], g.group[seat, b])
    group = g.group[seat]
    for square in range(squares):
        group[square] = kept if group[square] == gone else group[square]
    g.extent[seat, kept] += g.extent[seat, gone]
    g.extent[seat, gone] = 0
    g.largest[seat, terrain] = max(g.largest[seat, terrain], g.extent[seat, kept])
