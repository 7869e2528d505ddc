"""A turn (§5): what is legal, and what each decision does."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.push_of_faith.actions import CENTRE, PLACE_AT, PUSH, REFILL_FROM, TOKEN
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS, TYPES, WORLD_TILES
from theogony.envs.push_of_faith.rules.groups import join_squares
from theogony.envs.push_of_faith.rules.setup import pop_stack
from theogony.envs.push_of_faith.state import EAST, NONE, NORTH, PLACE, REFILL, SOUTH, STACKS, TAKE

# ---------------------------------------------------------------------------------------------------- legal


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    if g.decision == TAKE:
        legal_pushes(g, mask)
        if not g.spent[g.actor]:
            legal_token(g, t, mask)
    elif g.decision == PLACE:
        legal_places(g, t, mask)
    else:
        for stack in range(STACKS):  # ruling R12b: among the stacks that are not empty
            if g.heights[stack] > 0:
                mask[REFILL_FROM + stack] = 1


@rule
def legal_pushes(g, mask):
    """A marker must move, and never to face the marker opposite (§5.1 A)."""
    for side in range(4):
        for index in range(3):
            mask[PUSH + 3 * side + index] = (index != g.markers[side]) & (index != g.markers[side ^ 1])


@rule
def legal_token(g, t, mask):
    """A token takes any map tile with its god's statue or terrain (§5.1 B)."""
    god = g.tokens[g.actor]
    for cell in range(MAP_CELLS):
        mask[TOKEN + cell] = t.shows[g.map[cell // 3, cell % 3], god]


@rule
def legal_places(g, t, mask):
    """An empty cell that shares an edge with a tile and keeps the world within 3x3 (§5.2)."""
    seat = g.actor
    occupied = g.occupied[seat]
    if occupied == 0:  # ruling R17b: the first tile lies in the centre of the frame
        mask[PLACE_AT + 4 * CENTRE : PLACE_AT + 4 * CENTRE + 4] = 1
        return
    top, bottom, left, right = g.box[seat, 0], g.box[seat, 1], g.box[seat, 2], g.box[seat, 3]
    for row in range(max(bottom - 2, 0), min(top + 2, FRAME - 1) + 1):
        for column in range(max(right - 2, 0), min(left + 2, FRAME - 1) + 1):
            cell = FRAME * row + column
            first = PLACE_AT + 4 * cell
            mask[first : first + 4] = ((occupied >> cell) & 1 == 0) & (occupied & t.beside[cell] != 0)


# ---------------------------------------------------------------------------------------------------- apply


@rule
def apply(g, t, action):
    """One decision: push or token, placement, refill."""
    if action < TOKEN:
        push(g, (action - PUSH) // 3, (action - PUSH) % 3)
    elif action < PLACE_AT:
        spend_token(g, action - TOKEN)
    elif action < REFILL_FROM:
        place(g, t, (action - PLACE_AT) // 4, (action - PLACE_AT) % 4)
        if t.auto_refill:
            refill(g, t, lowest_stack(g))
        else:
            g.decision = REFILL
    else:
        refill(g, t, action - REFILL_FROM)


@rule
def push(g, side, index):
    """Move a side's marker and push its lane away from it; the tile that falls off is taken (§5.1 A)."""
    g.markers[side] = index
    lane = g.map[:, index] if side == NORTH or side == SOUTH else g.map[index, :]
    near, far = (2, 0) if side == SOUTH or side == EAST else (0, 2)
    g.hand = lane[far]
    lane[far] = lane[1]
    lane[1] = lane[near]
    lane[near] = NONE
    g.hole = 3 * near + index if side == NORTH or side == SOUTH else 3 * index + near
    g.decision = PLACE


@rule
def spend_token(g, cell):
    """Discard the own token and take a tile of the map; nothing else moves (§5.1 B)."""
    g.spent[g.actor] = 1
    g.hand = g.map[cell // 3, cell % 3]
    g.map[cell // 3, cell % 3] = NONE
    g.hole = cell
    g.decision = PLACE


@rule
def place(g, t, cell, rotation):
    """Put the tile in hand into the own world (§5.2)."""
    seat = np.int64(g.actor)
    count = np.int64(g.placed[seat])
    tile = np.int64(g.hand)
    g.hand = NONE
    g.tiles[seat, count] = tile
    g.cells[seat, count] = cell
    g.rotations[seat, count] = rotation
    g.order[seat, cell] = count
    g.occupied[seat] |= 1 << cell
    g.placed[seat] = count + 1
    grow_box(g, seat, cell // FRAME, cell % FRAME, count == 0)
    for god in range(TYPES):
        g.statues[seat, god] += t.statues[tile, god]
    join_squares(g, t, seat, count, cell)


@rule
def grow_box(g, seat, row, column, first):
    """Widen the bounding box of a world by a cell."""
    box = g.box[seat]
    box[0] = row if first else min(box[0], row)
    box[1] = row if first else max(box[1], row)
    box[2] = column if first else min(box[2], column)
    box[3] = column if first else max(box[3], column)


@rule
def refill(g, t, stack):
    """Draw a tile into the empty map cell, the last time as well (§5.3, ruling R14); then the turn ends."""
    g.map[g.hole // 3, g.hole % 3] = pop_stack(g, t, stack)
    g.hole = NONE
    g.actor = g.actor + 1 if g.actor + 1 < g.players else 0
    g.turn = g.actor
    g.decision = TAKE
    if g.placed[g.actor] == WORLD_TILES:  # §6: every world has nine tiles
        g.over = ENDED


@rule
def lowest_stack(g):
    """The lowest-numbered stack that is not empty (ruling R12)."""
    for stack in range(STACKS - 1):
        if g.heights[stack] > 0:
            return stack
    return STACKS - 1
