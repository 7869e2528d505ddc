"""Placement (rules §4) on pyramids that are sets of bits: cell 5 * row + column, columns from the leftmost tile."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.orbis.actions import UPPER_CELLS
from theogony.envs.orbis.components import ANY, COLOURS, FARM, FOREST, IRRIGATION, VILLAGE, VOLCANO
from theogony.envs.orbis.state import CELLS, NONE, STRIDE, WILDERNESS

BOTTOM = (1 << STRIDE) - 1  # bits of the bottom row
UPPER = sum(1 << cell for cell in UPPER_CELLS)  # bits of the cells of rows 2 to 4
SLOT_CELLS = np.array((0, NONE, *UPPER_CELLS))  # where a tile comes to lie; NONE: at the right end of the bottom row
LEFT, RIGHT = 0, 1  # slots at the ends of the bottom row
BIT_COUNTS = np.array([bin(bits).count("1") for bits in range(1 << 10)])
PYRAMID = [STRIDE * row + column for row in range(4) for column in range(STRIDE - row)]
STEPS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))  # by rows and columns: beside, below, above


def _neighbours(cell: int) -> int:
    """Bits of the up to six cells that touch a cell: beside it, two below, two above (rules §4)."""
    row, column = divmod(cell, STRIDE)
    around = ((row + up, column + right) for up, right in STEPS)
    return sum(1 << (STRIDE * r + c) for r, c in around if 0 <= r < 4 and 0 <= c < STRIDE - r)


NEIGHBOURS = np.array([_neighbours(cell) if cell in PYRAMID else 0 for cell in range(CELLS)])


@rule
def count_bits(bits):
    """Number of cells in a set of at most 20."""
    return BIT_COUNTS[bits & 1023] + BIT_COUNTS[bits >> 10]


@rule
def occupied(g, seat):
    """All cells with a tile: wildernesses count as every colour, so the colours hold them all."""
    bits = 0
    for colour in range(COLOURS):
        bits |= np.int64(g.colours[seat, colour])
    return bits


@rule
def open_cells(g, seat, colour):
    """Cells above the bottom row where a tile of a colour may lie; ANY is a wilderness (§4.2, §4.3).

    Both cells below must hold a tile (A8), and one of them show the colour; a wilderness shows them all.
    """
    full = occupied(g, seat)
    cells = ((full & (full >> 1)) << STRIDE) & ~full & UPPER
    if colour != ANY:
        shown = np.int64(g.colours[seat, colour])
        cells &= (shown | (shown >> 1)) << STRIDE
    return cells


@rule
def bottom_width(g, seat):
    """Tiles in the bottom row."""
    return BIT_COUNTS[occupied(g, seat) & BOTTOM]


@rule
def has_slot(g, seat, colour):
    """Whether a tile of a colour fits anywhere (A5): the bottom row takes every colour while it has room."""
    return bottom_width(g, seat) < STRIDE or open_cells(g, seat, colour) != 0


@rule
def slot_open(g, seat, colour, slot):
    """Whether a tile of a colour may be placed at a slot. The first tile opens the row at its right end (§4.1)."""
    if slot <= RIGHT:
        width = bottom_width(g, seat)
        return width < STRIDE and (slot == RIGHT or width > 0)
    return (open_cells(g, seat, colour) >> SLOT_CELLS[slot]) & 1 != 0


@rule
def shift_right(g, seat):
    """The bottom row grows to the left: every column goes up by one, in all rows (A7)."""
    for cell in range(CELLS - 1, 0, -1):
        g.tiles[seat, cell] = g.tiles[seat, cell - 1]
    g.tiles[seat, 0] = NONE
    g.wild[seat] <<= 1
    g.forests[seat] <<= 1
    g.active[seat] <<= 1
    g.cancelled[seat] <<= 1
    for colour in range(COLOURS):
        g.colours[seat, colour] <<= 1


@rule
def lay(g, t, seat, tile, face, slot):
    """Put a tile into a pyramid; returns its cell. What counts without a condition is counted (§5)."""
    if slot == LEFT:
        shift_right(g, seat)
    cell = bottom_width(g, seat) if slot == RIGHT else SLOT_CELLS[slot]
    bit = np.int64(1) << cell
    g.tiles[seat, cell] = tile
    g.placed[seat] += 1
    if face == WILDERNESS:  # every colour for all that looks at colours (A6), and nothing else
        g.wild[seat] |= bit
        for colour in range(COLOURS):
            g.colours[seat, colour] |= bit
        return cell
    g.colours[seat, t.colour[tile]] |= bit
    g.icons[seat] += t.icons[tile]
    effect = t.effect[tile]
    if effect == FARM:
        for colour in range(COLOURS):
            if t.parts[tile, colour] > 0:
                g.farms[seat] |= 1 << colour
    if effect == FOREST:
        g.forests[seat] |= bit
    elif effect != VILLAGE and effect != VOLCANO and effect != IRRIGATION:
        g.cp[seat] += t.cp[tile]
    return cell


@rule
def irrigated(g, t, seat, tile, cell):
    """Whether the two tiles below show the required colours, each by a different tile (A11)."""
    if cell < STRIDE:
        return False
    left, right = cell - STRIDE, cell - STRIDE + 1
    for colour in range(COLOURS):
        needed = t.parts[tile, colour]
        if needed > 0:
            shown = np.int64(g.colours[seat, colour])
            if ((shown >> left) & 1) + ((shown >> right) & 1) < needed:
                return False
            if needed < t.number[tile] and not irrigated_by_two(g, t, seat, tile, left, right):
                return False
    return True


@rule
def irrigated_by_two(g, t, seat, tile, left, right):
    """Whether two tiles pay for a tile of two colours: one shows the first, the other the second."""
    first, second = -1, -1
    for colour in range(COLOURS):
        if t.parts[tile, colour] > 0:
            first, second = second, colour
    a, b = np.int64(g.colours[seat, first]), np.int64(g.colours[seat, second])
    return ((a >> left) & (b >> right) & 1) | ((a >> right) & (b >> left) & 1) != 0


@rule
def wanted(g, t, seat, tile):
    """Cells of the colour that a forest shows, or all where it shows none (A10)."""
    for colour in range(COLOURS):
        if t.parts[tile, colour] > 0:
            return np.int64(g.colours[seat, colour])
    return occupied(g, seat)


@rule
def forest_matches(g, t, seat, cell):
    """Neighbours that match a forest's colour, or all where it shows none (A10)."""
    return count_bits(wanted(g, t, seat, g.tiles[seat, cell]) & NEIGHBOURS[cell])
