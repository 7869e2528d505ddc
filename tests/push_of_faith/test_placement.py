"""Placement (rules §5.2)."""

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from moves import legal_after, play_texts

from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.state import PLACE


def world(position: Position, *cells: str, rotation: int = 0) -> Position:
    """Let seat 0 place tiles at frame cells one after another, out of turn, and hold another one."""
    for tile, cell in enumerate(cells):
        hold(position, tile)
        play_texts(position, f"place at {cell} turned {rotation}")
    return hold(position, len(cells))


def hold(position: Position, tile: int) -> Position:
    g = position.g
    g.hand, g.actor, g.turn, g.decision, g.hole = tile, 0, 0, PLACE, 0
    position.refresh()
    return position


def cells(position: Position) -> set[str]:
    return {text.split()[0] for text in legal_after(position, "place at")}


def test_first_tile_in_the_centre_in_any_rotation(new: Callable) -> None:
    """Rulings R17b, R24b."""
    position = world(new(2, refill="choose"))
    assert legal_after(position, "place at") == [f"c3 turned {k}" for k in range(4)]


@pytest.mark.parametrize(
    ("placed", "open_cells"),
    [
        (["c3"], "c2 b3 d3 c4"),
        (["c3", "c2"], "c1 b2 d2 b3 d3 c4"),
        (["c3", "c2", "c1"], "b1 d1 b2 d2 b3 d3"),  # three high: no row above or below
        (["c3", "b3", "a3"], "a2 b2 c2 a4 b4 c4"),  # three wide
        (["c3", "d3", "e3", "e4", "e5"], "c4 d4 d5"),  # all of a corner: c5 touches none
        (["c3", "d3", "d4"], "c2 d2 b3 e3 c4 e4 d5"),
    ],
)
def test_box_of_three_by_three(placed: list[str], open_cells: str, new: Callable) -> None:
    """A shared edge, and never more than three tiles high or wide."""
    position = world(new(2, refill="choose"), *placed)
    assert cells(position) == set(open_cells.split())
    assert len(legal_after(position, "place")) == 4 * len(cells(position))


def test_every_legal_cell_by_the_definition(new: Callable) -> None:
    """Empty, edge-adjacent, new bounding box at most 3x3: compared with that definition in many worlds."""
    generator = np.random.default_rng(3)
    position = new(2, refill="choose")
    for _ in range(30):
        position.reset(0)
        world(position)
        taken: list[tuple[int, int]] = []
        while len(taken) < 9:
            found = {(int(name[1]) - 1, "abcde".index(name[0])) for name in cells(position)}
            assert found == set(allowed(taken)) and found
            cell = sorted(found)[generator.integers(len(found))]
            taken.append(cell)
            play_texts(position, f"place at {'abcde'[cell[1]]}{cell[0] + 1} turned {generator.integers(4)}")
            hold(position, len(taken))


def allowed(taken: list[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for row in range(5):
        for column in range(5):
            spans = [[c[axis] for c in [*taken, (row, column)]] for axis in (0, 1)]
            fits = all(max(span) - min(span) <= 2 for span in spans)
            touches = any(abs(row - r) + abs(column - c) == 1 for r, c in taken) or (
                not taken and (row, column) == (2, 2)
            )
            if (row, column) not in taken and fits and touches:
                yield row, column


@pytest.mark.parametrize(("rotation", "squares"), [(0, "pm/ww"), (1, "wp/wm"), (2, "ww/mp"), (3, "mw/pw")])
def test_rotations_turn_clockwise(rotation: int, squares: str, new: Callable) -> None:
    """a b / c d turned once is c a / d b."""
    position = new(2, refill="choose")
    tile = next(t["id"] for t in position.game.components["tiles"] if t["squares"] == [[0, 2], [3, 3]])
    hold(position, tile)
    play_texts(position, f"place at c3 turned {rotation}")
    assert position.g.squares[0, :4].tolist() == ["pfmwd".index(s) for s in squares.replace("/", "")]


def test_a_taken_tile_cannot_be_refused(new: Callable) -> None:
    """Ruling R18."""
    position = new(3)
    play_texts(position, "push N to a")
    assert {position.game.actions.decode(int(a))[0] for a in position.legal_actions()} == {"place"}
