"""What a seat cannot know (§8), drawn anew, so that a player who looks ahead learns nothing hidden."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import below, shuffle, sort
from theogony.envs.push_of_faith.components import MAX_PLAYERS
from theogony.envs.push_of_faith.state import NONE, STACKS


@rule
def resample(g, t, seat, rng):
    """Redraw what a seat cannot know (§8): order and content of the stacks, tokens not shown, the dice."""
    shuffle_stacks(g, rng)
    shuffle_tokens(g, seat, rng)


@rule
def shuffle_stacks(g, rng):
    """Draw anew which tile lies where in the three stacks; their heights are open."""
    cells = g.stacks.reshape(-1)
    hidden = np.int64(g.heights[0]) + np.int64(g.heights[1]) + np.int64(g.heights[2])
    source = cells.shape[0] - hidden
    sort(cells, cells.shape[0])  # empty cells in front; the draw must not depend on how the tiles really lie
    shuffle(rng, cells[source:], hidden)
    for stack in range(STACKS):
        for k in range(g.heights[stack]):
            tile = cells[source]
            cells[source] = NONE
            g.stacks[stack, k] = tile
            source += 1


@rule
def shuffle_tokens(g, seat, rng):
    """Draw anew the tokens that are neither shown nor the seat's own, those left over included."""
    gods, hidden = hidden_gods(g, seat)
    for owner in range(MAX_PLAYERS):
        if not token_known(g, seat, owner):
            god = draw_god(gods, below(rng, hidden))
            g.tokens[owner] = god
            gods ^= 1 << god
            hidden -= 1


@rule
def hidden_gods(g, seat):
    """The gods of the tokens that a seat does not know: as bits, and how many."""
    gods, hidden = (1 << MAX_PLAYERS) - 1, MAX_PLAYERS
    for owner in range(MAX_PLAYERS):
        if token_known(g, seat, owner):
            gods ^= 1 << np.int64(g.tokens[owner])
            hidden -= 1
    return gods, hidden


@rule
def draw_god(gods, n):
    """The god of the n-th bit that is set."""
    for god in range(MAX_PLAYERS):
        if (gods >> god) & 1:
            if n == 0:
                return god
            n -= 1
    return NONE


@rule
def token_known(g, seat, owner):
    """Whether a seat knows a token: its own, and those that were spent."""
    return owner == seat or g.spent[owner] != 0
