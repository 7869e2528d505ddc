"""Scoring: groups, statues, tie-break, shared win (rules §7)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.breakdown import world_squares
from theogony.envs.push_of_faith.state import PLACE

FRAME_CELLS = ["c3", "c2", "d3", "b3", "c4", "d2", "b2", "b4", "d4"]  # an order in which nine cells can be filled
WORLD_PLACES = [4, 1, 5, 3, 7, 2, 0, 6, 8]  # the same cells in reading order


def fill(position: Position, seat: int, tiles: list[int], turns: list[int]) -> None:
    """Place nine tiles, given in reading order, as a world of one seat (in a game with refill="choose")."""
    for cell, place in zip(FRAME_CELLS, WORLD_PLACES, strict=True):
        put(position, seat, tiles[place], cell, turns[place])


def put(position: Position, seat: int, tile: int, cell: str, turned: int = 0) -> None:
    g = position.g
    g.hand, g.actor, g.turn, g.decision = tile, seat, seat, PLACE
    position.refresh()
    position.play(position.game.actions.parse(f"place at {cell} turned {turned}"))


def reasons(position: Position, seat: int = 0) -> dict[str, Any]:
    assert position.game.spec.breakdown is not None
    return position.game.spec.breakdown(position.game, position.g)[seat]


def test_worked_example(new: Callable) -> None:
    """A whole world, counted by hand: 29 points, tie-break value 6."""
    position = new(5, refill="choose")
    fill(position, 0, [7, 31, 41, 25, 3, 20, 14, 50, 36], [0, 0, 0, 1, 0, 0, 1, 0, 0])
    rows = ["020102", "334020", "310000", "314211", "410112", "222323"]
    assert world_squares(position.game, position.g, 0).tolist() == [[int(square) for square in row] for row in rows]
    assert reasons(position) == {
        "groups": [[6, 1, 1, 1, 1], [4, 3, 1], [3, 1, 1, 1, 1, 1, 1], [4, 1, 1], [1, 1, 1]],
        "largest": [6, 4, 3, 4, 1],
        "statues": [1, 2, 3, 1, 2],
        "points": [6, 8, 9, 4, 2],
        "score": 29,
        "tie_break": 6,
    }
    assert position.scores()[0] == 29


def tile_list(*squares: str, statues: list[list[int]] | None = None) -> dict[str, Any]:
    """Components whose first tiles have these squares ("00/12"), and enough tiles of desert behind them."""
    rows = [*squares, *["44/44"] * (60 - len(squares))]
    gods = [*(statues or []), *[[] for _ in range(60)]]
    tiles = [
        {"id": k, "squares": [[int(s) for s in line] for line in row.split("/")], "statues": gods[k], "players": 2}
        for k, row in enumerate(rows)
    ]
    return {"tile_side": 2, "terrains": ["plains", "forest", "mountain", "water", "desert"], "tiles": tiles}


def test_groups_run_inside_tiles_and_across_borders(new: Callable) -> None:
    """Ruling R20b, on all four borders of a tile."""
    for cell, turned in {"c2": 2, "b3": 1, "d3": 3, "c4": 0}.items():  # the two plains face the first tile
        position = new(2, refill="choose", components=tile_list("00/01", "00/21"))
        put(position, 0, 0, "c3")
        assert reasons(position)["groups"][0] == [3]
        put(position, 0, 1, cell, turned)
        assert reasons(position)["groups"][0] == [5] and position.g.largest[0, 0] == 5


def test_squares_that_touch_at_a_corner_are_apart(new: Callable) -> None:
    """Ruling R20."""
    position = new(2, refill="choose", components=tile_list("01/10"))
    put(position, 0, 0, "c3")
    assert reasons(position)["groups"][:2] == [[1, 1], [1, 1]] and reasons(position)["largest"][:2] == [1, 1]


def test_groups_that_meet_in_a_later_tile_become_one(new: Callable) -> None:
    position = new(2, refill="choose", components=tile_list("00/11", "00/22", "00/33", "00/00"))
    put(position, 0, 0, "c3")
    put(position, 0, 1, "c4", 2)  # its plains at the bottom
    assert reasons(position)["groups"][0] == [2, 2]
    put(position, 0, 2, "d4", 2)
    assert reasons(position)["groups"][0] == [4, 2]
    put(position, 0, 3, "d3")
    assert reasons(position)["groups"][0] == [6, 4] and reasons(position)["largest"][0] == 6


def test_one_group_counts_times_the_statues_anywhere(new: Callable) -> None:
    """Rulings R21, R21b: one of two equal groups, statues off the group and off their terrain count, tokens do not."""
    tiles = tile_list("00/12", "21/00", "33/33", statues=[[0], [0, 0], [1]])
    position = new(2, refill="choose", components=tiles)
    position.g.tokens[:] = [0, 1, 2, 3, 4]
    put(position, 0, 0, "c3")
    put(position, 0, 1, "c4")
    found = reasons(position)
    assert found["groups"][0] == [2, 2] and found["statues"][0] == 3 and found["points"][0] == 6
    put(position, 0, 2, "d3")
    assert reasons(position)["points"] == [6, 1, 0, 0, 0] and position.scores()[0] == 7
    position.g.spent[0] = 1
    assert position.scores()[0] == 7


def test_no_points_without_a_statue(new: Callable) -> None:
    position = new(2, refill="choose", components=tile_list("00/00"))
    put(position, 0, 0, "c3")
    assert reasons(position)["points"] == [0, 0, 0, 0, 0] and reasons(position)["tie_break"] == 4


def test_bound(new: Callable) -> None:
    """At most 36 squares and 9 statues of one kind with tiles of one terrain: 324, and no more is counted."""
    position = new(2, refill="choose", components=tile_list(*["00/00"] * 9, statues=[[0]] * 9))
    fill(position, 0, list(range(9)), [0] * 9)
    assert position.scores()[0] == 36 * 9


# ---------------------------------------------------------------------------------------------------- winners


def standings(position: Position, largest: list[list[int]], statues: list[list[int]]) -> np.ndarray:
    players = len(largest)
    position.g.largest[:players], position.g.statues[:players] = largest, statues
    return position.standings()


@pytest.mark.parametrize(
    ("largest", "statues", "places"),
    [
        ([[5, 1, 1, 1, 1], [6, 1, 1, 1, 1]], [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0]], [1, 0]),  # highest score
        ([[4, 2, 1, 1, 1], [2, 1, 1, 1, 1]], [[1, 0, 0, 0, 0], [2, 0, 0, 0, 0]], [0, 1]),  # tie: largest group
        (
            [[4, 1, 1, 1, 7], [1, 4, 6, 1, 1]],
            [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]],
            [0, 1],
        ),  # of a type that scored nothing
        ([[4, 1, 1, 1, 1], [1, 4, 1, 1, 1]], [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]], [0, 0]),  # still tied: shared
        ([[9, 9, 1, 1, 1], [5, 1, 1, 1, 1]], [[0, 0, 0, 0, 4], [1, 0, 0, 0, 0]], [1, 0]),  # a group outweighs no point
    ],
)
def test_highest_score_then_largest_group_of_any_type(
    largest: list[list[int]], statues: list[list[int]], places: list[int], new: Callable
) -> None:
    """Ruling R22: the single largest group, whether or not its type scored; R22b: else the win is shared."""
    found = standings(new(2), largest, statues)
    assert [int((found > standing).sum()) for standing in found] == places


def test_three_way_tie(new: Callable) -> None:
    found = standings(
        new(3), [[4, 1, 1, 1, 1], [2, 4, 1, 1, 1], [2, 1, 1, 1, 1]], [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [2, 0, 0, 0, 0]]
    )
    assert found[0] == found[1] > found[2]
