"""What holds in every position, for conformance tests and random play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, any_value, set_of
from theogony.envs.push_of_faith.actions import FRAME_NAMES, MAP_NAMES
from theogony.envs.push_of_faith.breakdown import frame_squares, groups, turns_finished
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS, MAX_PLAYERS, TYPES, WORLD_TILES
from theogony.envs.push_of_faith.state import NONE, PLACE, REFILL, STACKS, TAKE


def invariant(game: Game, g: Any) -> str | None:
    """The first thing that is wrong with a position, or None."""
    return next(_faults(game, g), None)


def _faults(game: Game, g: Any) -> Iterator[str]:
    yield from _tile_faults(game, g)
    if sorted(g.tokens.tolist()) != list(range(MAX_PLAYERS)):
        yield f"the tokens are {g.tokens.tolist()}"
    yield from _turn_faults(game, g)
    for seat in range(game.players):
        yield from (f"seat {seat}: {fault}" for fault in _world_faults(game, g, seat))


def _tile_faults(game: Game, g: Any) -> Iterator[str]:
    """Every tile in use is in one place (rules §3)."""
    t = game.tables[0]
    stacks = [g.stacks[s, : g.heights[s]] for s in range(STACKS)]
    if any((stack == NONE).any() for stack in stacks):
        yield f"a stack holds fewer tiles than its height: heights {g.heights.tolist()}"
    parts = [*stacks, g.map.reshape(-1), np.array([g.hand]), g.tiles.reshape(-1)]
    tiles = sorted(int(tile) for part in parts for tile in part if tile != NONE)
    in_use = [int(tile) for tile in t.ids[: t.in_use]]
    if tiles != in_use:
        lost, twice = sorted(set(in_use) - set(tiles)), sorted({tile for tile in tiles if tiles.count(tile) > 1})
        yield f"tiles are not conserved: lost {lost}, in two places {twice}, others {sorted(set(tiles) - set(in_use))}"


def _turn_faults(game: Game, g: Any) -> Iterator[str]:
    """Take, place, refill (rules §5): who is due, and what is empty meanwhile."""
    in_hand, hole = g.hand != NONE, g.hole != NONE
    expected = {TAKE: (False, False), PLACE: (True, True), REFILL: (False, True)}[int(g.decision)]
    if (in_hand, hole) != expected:
        yield f"decision {g.decision} with a tile in hand: {in_hand}, a hole in the map: {hole}"
    holes = [MAP_NAMES[cell] for cell in np.flatnonzero(g.map.reshape(-1) == NONE)]
    if holes != (waiting := [MAP_NAMES[g.hole]] if hole else []):
        yield f"the map has holes at {holes}, expected {waiting}"
    placed = g.placed[: game.players].tolist()
    if max(placed) - min(placed) > 1 or bool(g.over) != (turns_finished(g) == WORLD_TILES * game.players):
        yield f"worlds of {placed} tiles, over: {g.over}"
    if g.turn != g.actor or not 0 <= g.actor < game.players:
        yield f"seat {g.actor} decides in the turn of seat {g.turn}"


def _world_faults(game: Game, g: Any, seat: int) -> Iterator[str]:
    """A world fits in 3x3, hangs together, and what is counted along the way is what lies there (rules §5.2, §7)."""
    t, placed = game.tables[0], int(g.placed[seat])
    cells = [divmod(int(cell), FRAME) for cell in g.cells[seat, :placed]]
    names = ", ".join(FRAME_NAMES[cell] for cell in g.cells[seat, :placed])
    if len(set(cells)) != placed:
        yield f"two tiles in one of the cells {names}"
    for axis in (0, 1):
        if placed and max(c[axis] for c in cells) - min(c[axis] for c in cells) > 2:
            yield f"the world outgrows three tiles: {names}"
    for k in range(1, placed):
        if all(abs(cells[k][0] - r) + abs(cells[k][1] - c) != 1 for r, c in cells[:k]):
            yield f"tile {k} touches no other: {names}"
    largest = [0] * TYPES
    grid = frame_squares(game, g, seat)
    for members in groups(grid):
        largest[grid[members[0]]] = max(largest[grid[members[0]]], len(members))
    if largest != g.largest[seat].tolist():
        yield f"largest groups are {largest}, counted as {g.largest[seat].tolist()}"
    statues = t.statues[g.tiles[seat, :placed]].sum(axis=0, dtype=np.int64).tolist()
    if statues != g.statues[seat].tolist():
        yield f"statues are {statues}, counted as {g.statues[seat].tolist()}"


# ---- The range of every field of the state: what bytes from a file must keep to before the rules see them --------


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    squares, state = game.state["squares"].shape[1], game.state
    return {
        "decision": (TAKE, REFILL),
        **dict.fromkeys(("map", "hand", "stacks", "tiles"), (NONE, len(game.t.ids) - 1)),
        "markers": (0, 2),
        "hole": (NONE, MAP_CELLS - 1),
        "heights": (0, state["stacks"].shape[1]),
        **{name: any_value(state[name]) for name in ("unseen", "statues")},
        "tokens": (0, TYPES - 1),
        "spent": (0, 1),
        "placed": (0, WORLD_TILES),
        "cells": (NONE, FRAME * FRAME - 1),
        "rotations": (0, 3),
        "order": (NONE, WORLD_TILES - 1),
        "occupied": set_of(FRAME * FRAME),
        "box": (0, FRAME - 1),
        "squares": (NONE, TYPES - 1),
        "group": (NONE, squares - 1),
        **dict.fromkeys(("extent", "largest"), (0, squares)),
    }
