"""The rules: setup, legal, apply and score, each beside its place in the rulebook (docs/games/push_of_faith.md)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.core.rng import below, shuffle, sort
from theogony.envs.push_of_faith.actions import CENTRE, PLACE_AT, PUSH, REFILL_FROM, TOKEN
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS, MAX_PLAYERS, TYPES, WORLD_TILES
from theogony.envs.push_of_faith.state import EAST, NONE, NORTH, PLACE, REFILL, SOUTH, STACKS, TAKE

# ---------------------------------------------------------------------------------------------------- setup (§3)


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


# ---------------------------------------------------------------------------------------------------- legal (§5)


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


# ---------------------------------------------------------------------------------------------------- apply (§5)


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


# ---------------------------------------------------------------------------------------------------- groups (§7)


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


# ---------------------------------------------------------------------------------------------------- score (§7)


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


# ---------------------------------------------------------------------------------------------------- chance


@rule
def resample(g, t, seat, rng):
    """Redraw what a seat cannot know (§8): order and content of the stacks, tokens not shown."""
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
