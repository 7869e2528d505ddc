"""Setup (§3): stacks, map, markers and tokens."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import below, shuffle
from theogony.envs.push_of_faith.components import MAP_CELLS, MAX_PLAYERS, TYPES
from theogony.envs.push_of_faith.state import NONE, STACKS, TAKE


@rule
def setup(g, t):
    """Stacks, map, markers and tokens for the player count (§3)."""
    deal_stacks(g, t)
    lay_map(g, t)
    g.markers[:] = 1  # step 4: the middle of each side
    for god in range(MAX_PLAYERS):  # step 5; the tokens behind the last seat stay out (ruling R16)
        g.tokens[god] = god
    shuffle(g.rng, g.tokens, MAX_PLAYERS)
    if t.random_first:  # step 6
        g.actor = below(g.rng, g.players)
    g.turn = g.actor
    g.decision = TAKE
    g.hand = NONE
    g.hole = NONE
    g.tiles[:] = NONE
    g.cells[:] = NONE
    g.order[:] = NONE
    g.squares[:] = NONE
    g.group[:] = NONE


@rule
def deal_stacks(g, t):
    """Steps 1 and 2: the tiles for this player count, shuffled, in three stacks, larger ones first."""
    g.stacks[:] = NONE
    tiles = g.stacks.reshape(-1)
    for k in range(t.in_use):
        tiles[k] = t.ids[k]
    for god in range(TYPES):
        g.unseen[god] = t.all_statues[god]
    shuffle(g.rng, tiles, np.int64(t.in_use))
    taken = np.int64(t.in_use)
    for stack in range(STACKS - 1, -1, -1):  # spread them from the back, so that none is overwritten
        height = (np.int64(t.in_use) + STACKS - 1 - stack) // STACKS
        taken -= height
        for k in range(height - 1, -1, -1):
            tile = tiles[taken + k]
            tiles[taken + k] = NONE
            g.stacks[stack, k] = tile
        g.heights[stack] = height


@rule
def lay_map(g, t):
    """Step 3: the top three tiles of each stack, laid out at random."""
    cells = g.map.reshape(-1)
    for k in range(MAP_CELLS):
        cells[k] = pop_stack(g, t, k // 3)
    shuffle(g.rng, cells, MAP_CELLS)


@rule
def pop_stack(g, t, stack):
    """Take the top tile of a stack."""
    g.heights[stack] -= 1
    top = g.heights[stack]
    tile = g.stacks[stack, top]
    g.stacks[stack, top] = NONE
    for god in range(TYPES):
        g.unseen[god] -= t.statues[tile, god]
    return tile
