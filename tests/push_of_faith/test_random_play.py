"""Random play: pieces are conserved, and what the rules keep count of agrees with a plain count."""

from collections.abc import Callable

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.game import SPEC
from theogony.envs.push_of_faith.state import NONE

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def flood(grid: np.ndarray) -> np.ndarray:
    """A label for each square: the number of its group, by plain flood fill; -1 for no square."""
    labels = np.full(grid.shape, -1)
    for start in zip(*np.nonzero(grid != NONE), strict=True):
        if labels[start] >= 0:
            continue
        label, waiting = labels.max() + 1, [start]
        while waiting:
            r, c = waiting.pop()
            inside = 0 <= r < grid.shape[0] and 0 <= c < grid.shape[1]
            if inside and labels[r, c] < 0 and grid[r, c] == grid[start]:
                labels[r, c] = label
                waiting += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return labels


def lay_out(position: Position, seat: int, values: np.ndarray) -> np.ndarray:
    """Values of the squares of a world, in the order of the record, as a grid of its frame."""
    g, side = position.g, position.game.components["tile_side"]
    grid = np.full((5 * side, 5 * side), NONE, np.int64)
    for k in range(int(g.placed[seat])):
        row, column = divmod(int(g.cells[seat, k]), 5)
        tile = values[k * side * side : (k + 1) * side * side].reshape(side, side)
        grid[row * side : (row + 1) * side, column * side : (column + 1) * side] = tile
    return grid


@pytest.mark.random_play
@PLAYERS
def test_groups_equal_a_flood_fill(players: int, new: Callable, play: Callable) -> None:
    """Group labels, their extent and the largest of each terrain, after every placement."""
    position = new(players, seed=players)
    while not position.over:
        play(position, 2, seed=position.now)
        g = position.g
        for seat in range(players):
            squares, group = (lay_out(position, seat, field[seat]) for field in (g.squares, g.group))
            labels = flood(squares)
            pairs = {(int(a), int(b)) for a, b in zip(labels.flat, group.flat, strict=True) if a >= 0}
            assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
            sizes = {b: int((labels == a).sum()) for a, b in pairs}
            assert {b: int(g.extent[seat, b]) for _, b in pairs} == sizes
            largest = [max((int((labels == a).sum()) for a in set(labels[squares == t])), default=0) for t in range(5)]
            assert g.largest[seat].tolist() == largest


@pytest.mark.random_play
@PLAYERS
@pytest.mark.parametrize("options", SPEC.option_sets)
def test_invariants(players: int, options: dict, new: Callable, play: Callable) -> None:
    assert SPEC.invariant is not None
    for seed in range(3):
        position = new(players, seed=seed, **options)
        while not position.over:
            assert SPEC.invariant(position.game, position.g) is None
            play(position, 1, seed=1_000 * seed + position.now)
        assert SPEC.invariant(position.game, position.g) is None
        assert position.now == SPEC.decision_bound(position.game.options)  # pyright: ignore[reportOptionalCall]


def faults(position: Position) -> str:
    assert SPEC.invariant is not None
    return SPEC.invariant(position.game, position.g) or "nothing"


def test_invariants_notice(new: Callable, play: Callable) -> None:
    """An invariant that finds nothing wrong with a spoilt position proves nothing."""
    start = play(new(3), 21)
    spoil: dict[str, Callable] = {
        "lost [": lambda g: g.map.__setitem__((0, 0), g.map[1, 1]),
        "the tokens are": lambda g: g.tokens.__setitem__(0, g.tokens[1]),
        "decision 1 with a tile in hand: True, a hole": lambda g: g.__setattr__("hole", NONE),
        "the map has holes at ['": lambda g: g.__setattr__("hole", (g.hole + 1) % 9),
        "worlds of [4, 9, 3] tiles": lambda g: g.placed.__setitem__(1, 9),
        "decides in the turn of": lambda g: g.__setattr__("turn", (g.turn + 1) % 3),
        "largest groups are": lambda g: g.largest.__setitem__((1, 1), 9),
        "statues are": lambda g: g.statues.__setitem__((1, 1), 9),
        "two tiles in one of": lambda g: g.cells.__setitem__((1, 1), g.cells[1, 0]),
        "the world outgrows three tiles: a3, b3, d3": lambda g: g.cells.__setitem__((1, slice(3)), [10, 11, 13]),
        "touches no other: b2, c3, d4": lambda g: g.cells.__setitem__((1, slice(3)), [6, 12, 18]),
    }
    for message, change in spoil.items():
        position = start.clone()
        assert faults(position) == "nothing"
        change(position.g)
        assert message in faults(position)
