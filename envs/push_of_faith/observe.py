"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS, TYPES, WORLD_TILES
from theogony.envs.push_of_faith.rules.scoring import points
from theogony.envs.push_of_faith.state import NONE, STACKS

EIGHTEENTH = np.float32(1 / 18)
NINTH, FIFTH, ONE = np.float32(1 / 9), np.float32(1 / 5), np.float32(1)


def layout(players: int, side: int, statues: int) -> FeatureLayout:
    """The features for a player count and tile list; `statues` is the most that one tile has of one god."""
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
        Feature("stacks", (STACKS,), "height of each stack, as a share of its largest"),
        Feature("unseen_statues", (TYPES,), "share of each god among the statues of tiles not yet seen"),
        Feature("my_god", (TYPES,), "god of the observer's token while it is not spent"),
        Feature("tokens_held", (players,), "which seats still hold a token"),
        Feature("tokens_shown", (players, TYPES), "gods of the tokens that were spent"),
        Feature("placed", (players,), "share of the world that is placed"),
        Feature("my_world", (FRAME * FRAME, squares, TYPES), "terrain of each square of the own world, by frame cell"),
        Feature("my_groups", (FRAME * FRAME, squares), "extent of the group each of them belongs to, over 18"),
        Feature("other_worlds", (players - 1, FRAME * FRAME, squares), "each square: (terrain + 1) / 5, 0 none"),
        Feature("largest", (players, TYPES), "largest group of each terrain, over 18"),
        Feature("statues", (players, TYPES), "statues of each god, over 9", 0, most),
        Feature("points", (players,), "points of the world, over 81"),
    )  # fmt: skip


@rule
def observe(g, t, seat, f):
    """What a seat may know (§8): all but the stacks' content and other seats' unspent tokens."""
    f.decision[g.decision] = 1.0
    f.my_turn[0] = 1.0 if g.actor == seat else 0.0
    for side in range(4):
        f.markers[side, g.markers[side]] = 1.0
    observe_map(g, t, f)
    for stack in range(STACKS):
        f.stacks[stack] = g.heights[stack] / g.stacks.shape[1]
    observe_unseen(g, f)
    for other in range(g.players):
        observe_seat(g, (seat + other) % g.players, other, f)
    observe_own_world(g, t, seat, f)
    for other in range(1, g.players):
        observe_other_world(g, t, (seat + other) % g.players, f.other_worlds[other - 1])
    if not g.spent[seat]:
        f.my_god[g.tokens[seat]] = 1.0


@rule
def observe_map(g, t, f):
    """The Neutral Map, all zero in the cell that waits for its refill, and the tile in hand."""
    for cell in range(MAP_CELLS):
        tile = g.map[cell // 3, cell % 3]
        if tile != NONE:
            observe_tile(t, tile, f.map_squares[cell], f.map_statues[cell])
    if g.hand != NONE:
        observe_tile(t, g.hand, f.hand_squares, f.hand_statues)


@rule
def observe_tile(t, tile, squares, statues):
    """One tile as it lies on the map, unturned (ruling R24)."""
    side = t.terrain.shape[2]
    for r in range(side):
        for c in range(side):
            squares[r * side + c, t.terrain[tile, 0, r, c]] = 1.0
    for god in range(TYPES):
        statues[god] = t.statues[tile, god]


@rule
def observe_unseen(g, f):
    """The tiles in use less those in view are known (ruling R26), not in which order they will come."""
    total = 0
    for god in range(TYPES):
        total += g.unseen[god]
    if total > 0:
        for god in range(TYPES):
            f.unseen_statues[god] = g.unseen[god] / total


@rule
def observe_seat(g, seat, row, f):
    """The open things of one seat but its world: its spent token, its points and what they come from."""
    if g.spent[seat]:
        f.tokens_shown[row, g.tokens[seat]] = 1.0
    else:
        f.tokens_held[row] = 1.0
    f.placed[row] = g.placed[seat] / WORLD_TILES
    f.points[row] = min(points(g, seat) / 81.0, 1.0)
    for terrain in range(TYPES):
        f.largest[row, terrain] = min(g.largest[seat, terrain] * EIGHTEENTH, ONE)
        f.statues[row, terrain] = g.statues[seat, terrain] * NINTH


@rule
def observe_own_world(g, t, seat, f):
    """The own world square by square, with the extent of the groups."""
    squares = np.int64(t.terrain.shape[2]) * np.int64(t.terrain.shape[3])
    for k in range(g.placed[seat]):
        cell = g.cells[seat, k]
        for j in range(squares):
            square = k * squares + j
            f.my_world[cell, j, g.squares[seat, square]] = 1.0
            f.my_groups[cell, j] = min(g.extent[seat, g.group[seat, square]] * EIGHTEENTH, ONE)


@rule
def observe_other_world(g, t, seat, world):
    """Another seat's world, one number a square."""
    squares = np.int64(t.terrain.shape[2]) * np.int64(t.terrain.shape[3])
    for k in range(g.placed[seat]):
        cell = g.cells[seat, k]
        for j in range(squares):
            world[cell, j] = (g.squares[seat, k * squares + j] + 1) * FIFTH
