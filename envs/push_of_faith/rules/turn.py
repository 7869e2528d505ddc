"""A turn (§5): what each decision does."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.push_of_faith.actions import PLACE_AT, PUSH, REFILL_FROM, TOKEN
from theogony.envs.push_of_faith.components import FRAME, TYPES, WORLD_TILES
from theogony.envs.push_of_faith.rules.scoring import join_squares
from theogony.envs.push_of_faith.rules.setup import pop_stack
from theogony.envs.push_of_faith.state import EAST, NONE, NORTH, PLACE, REFILL, SOUTH, STACKS, TAKE


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
