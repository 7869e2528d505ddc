"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import LARGEST, SHARE, Feature, FeatureLayout
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS, TYPES, WORLD_TILES
from theogony.envs.push_of_faith.rules.scoring import points
from theogony.envs.push_of_faith.state import NONE, STACKS

GROUP, STATUES, POINTS = 18, 9, 81  # scales: squares of a group, statues of a god, points of a world
MOST_STATUES = LARGEST // STATUES * STATUES  # of one god that are told apart in a world


def layout(players: int, side: int, statues: int, stack: int) -> FeatureLayout:
    """The features for a player count and tile list.

    `statues` is the most that one tile has of one god, `stack` the number of tiles in the largest stack.
    """
    squares = side * side
    most = max(statues, 1)
    return FeatureLayout(
        Feature("decision", (3,), "kind of the decision that is due: take, place, refill"),
        Feature("my_turn", (1,), "whether the observer decides"),
        Feature("markers", (4, 3), "where each Faith marker stands: column a, b, c (N, S) or row 1, 2, 3 (W, E)"),
        Feature("map_squares", (MAP_CELLS, squares, TYPES), "terrain of each square on the Neutral Map"),
        Feature("map_statues", (MAP_CELLS, TYPES), "statues of each god on the Neutral Map", 0, most),
        Feature("hand_squares", (squares, TYPES), "terrain of each square of the tile in hand"),
        Feature("hand_statues", (TYPES,), "statues of each god on the tile in hand", 0, most),
        Feature("stacks", (STACKS,), "height of each stack, as a share of its largest", scale=min(stack, LARGEST)),
        Feature("unseen_statues", (TYPES,), "share of each god among the statues of tiles not yet seen", scale=SHARE),
        Feature("my_god", (TYPES,), "god of the observer's token while it is not spent"),
        Feature("tokens_held", (players,), "which seats still hold a token"),
        Feature("tokens_shown", (players, TYPES), "gods of the tokens that were spent"),
        Feature("placed", (players,), "share of the world that is placed", scale=WORLD_TILES),
        Feature("my_world", (FRAME * FRAME, squares, TYPES), "terrain of each square of the own world, by frame cell"),
        Feature("my_groups", (FRAME * FRAME, squares), "extent of the group each of them belongs to", scale=GROUP),
        Feature("other_worlds", (players - 1, FRAME * FRAME, squares), "each square: terrain + 1, 0 none", scale=TYPES),
        Feature("largest", (players, TYPES), "largest group of each terrain", scale=GROUP),
        Feature("statues", (players, TYPES), "statues of each god", 0, min(most, MOST_STATUES // STATUES), STATUES),
        Feature("points", (players,), "points of the world", scale=POINTS),
    )


@rule
def observe(g, t, seat, f):
    """What a seat may know (§8): all but the stacks' content and other seats' unspent tokens."""
    f.decision[g.decision] = 1
    f.my_turn[0] = g.actor == seat
    for side in range(4):
        f.markers[side, g.markers[side]] = 1
    observe_map(g, t, f)
    for stack in range(STACKS):
        f.stacks[stack] = min(np.int64(g.heights[stack]), LARGEST)
    observe_unseen(g, f)
    for row in range(g.players):
        other = seat + row if seat + row < g.players else seat + row - g.players
        observe_seat(g, other, row, f)
        if row > 0:
            observe_other_world(g, t, other, f.other_worlds[row - 1])
    observe_own_world(g, t, seat, f)
    if not g.spent[seat]:
        f.my_god[g.tokens[seat]] = 1


@rule
def observe_map(g, t, f):
    """The Neutral Map, all zero in the cell that waits for its refill, and the tile in hand; unturned (ruling R24)."""
    for cell in range(MAP_CELLS):
        tile = g.map[cell // 3, cell % 3]
        if tile != NONE:
            copy_array(f.map_squares[cell], t.face[tile, 0])
            copy_array(f.map_statues[cell], t.statues[tile])
    if g.hand != NONE:
        copy_array(f.hand_squares, t.face[g.hand, 0])
        copy_array(f.hand_statues, t.statues[g.hand])


@rule
def observe_unseen(g, f):
    """The tiles in use less those in view are known (ruling R26), not in which order they will come."""
    total = 0
    for god in range(TYPES):
        total += np.int64(g.unseen[god])
    if total > 0:
        unit = SHARE / total
        for god in range(TYPES):
            f.unseen_statues[god] = np.int64(np.int64(g.unseen[god]) * unit + 0.5)


@rule
def observe_seat(g, seat, row, f):
    """The open things of one seat but its world: its spent token, its points and what they come from."""
    if g.spent[seat]:
        f.tokens_shown[row, g.tokens[seat]] = 1
    else:
        f.tokens_held[row] = 1
    f.placed[row] = g.placed[seat]
    f.points[row] = min(points(g, seat), POINTS)
    for terrain in range(TYPES):
        f.largest[row, terrain] = min(np.int64(g.largest[seat, terrain]), GROUP)
        f.statues[row, terrain] = min(np.int64(g.statues[seat, terrain]), MOST_STATUES)


@rule
def observe_own_world(g, t, seat, f):
    """The own world square by square, with the extent of the groups."""
    squares = f.my_groups.shape[1]
    for k in range(g.placed[seat]):
        cell = g.cells[seat, k]
        copy_array(f.my_world[cell], t.face[g.tiles[seat, k], g.rotations[seat, k]])
        for j in range(squares):
            f.my_groups[cell, j] = min(np.int64(g.extent[seat, g.group[seat, k * squares + j]]), GROUP)


@rule
def observe_other_world(g, t, seat, world):
    """Another seat's world, one number a square."""
    for k in range(g.placed[seat]):
        copy_array(world[g.cells[seat, k]], t.marks[g.tiles[seat, k], g.rotations[seat, k]])
