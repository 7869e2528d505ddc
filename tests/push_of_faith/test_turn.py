"""A turn: push or token, and refill; and the end (rules §4 to §6). `test_placement` has what lies between."""

from collections.abc import Callable

import numpy as np
import pytest
from moves import legal_after, legal_texts, play_texts

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.state import NONE, PLACE, REFILL, TAKE

LETTERS = {name: k for k, name in enumerate("abcdefghi")}  # the tiles of the worked examples: tile 0 is a


def lay(position: Position, rows: str) -> None:
    """A map by letters: "a b c / d e f / g h i"."""
    position.g.map[:] = [[LETTERS[name] for name in row.split()] for row in rows.split("/")]
    position.refresh()


def map_text(position: Position) -> str:
    names = {NONE: "_", **{tile: name for name, tile in LETTERS.items()}}
    return " / ".join(" ".join(names.get(int(tile), "x") for tile in row) for row in position.g.map)


def with_markers(position: Position, north: int, south: int, west: int, east: int) -> Position:
    position.g.markers[:] = north, south, west, east
    position.refresh()
    return position


# ---------------------------------------------------------------------------------------------------- markers (§5.1)


def test_a_marker_must_move_and_not_face_its_opposite(new: Callable) -> None:
    """i != cur (ruling R9) and i != opp, for every side and every position of two opposite markers."""
    position = new(2)
    for north in range(3):
        for south in range(3):
            with_markers(position, north, south, 1, 1)
            pushes = legal_after(position, "push")
            allowed = [i for i in range(3) if i not in (north, south)]
            assert [push for push in pushes if push[0] == "N"] == [f"N to {'abc'[i]}" for i in allowed]
            assert [push for push in pushes if push[0] == "S"] == [f"S to {'abc'[i]}" for i in allowed]
            with_markers(position, 1, 1, north, south)
            pushes = legal_after(position, "push")
            assert [push for push in pushes if push[0] == "W"] == [f"W to {i + 1}" for i in allowed]
            assert [push for push in pushes if push[0] == "E"] == [f"E to {i + 1}" for i in allowed]


def test_neighbouring_sides_do_not_matter(new: Callable) -> None:
    """Only the two ends of a line face each other (ruling R10b)."""
    position = with_markers(new(2), 0, 1, 2, 2)
    assert "N to c" in legal_after(position, "push") and "W to 1" in legal_after(position, "push")


def test_number_of_pushes_8_6_4(new: Callable) -> None:
    """8 while both axes are aligned, 6 while one has been broken, 4 from then on."""
    position = new(2)
    assert len(legal_after(position, "push")) == 8
    play_texts(position, "push N to c", "place at c3 turned 0")
    assert legal_after(position, "push") == ["N to a", "S to a", "W to 1", "W to 3", "E to 1", "E to 3"]
    play_texts(position, "push W to 1", "place at c3 turned 0")
    assert legal_after(position, "push") == ["N to a", "S to a", "W to 3", "E to 3"]


def test_a_broken_axis_never_lines_up_again(new: Callable) -> None:
    generator = np.random.default_rng(1)
    for seed in range(20):
        position, broken = new(5, seed=seed), [False, False]
        while not position.over:
            position.play(generator.choice(position.legal_actions()))
            north, south, west, east = position.g.markers
            apart = [north != south, west != east]
            assert all(now for now, before in zip(apart, broken, strict=True) if before)
            broken = apart
            if position.g.decision == TAKE and not position.over:
                assert len(legal_after(position, "push")) == 8 - 2 * sum(broken)


# ---------------------------------------------------------------------------------------------------- push (§4, §5.1 A)

PUSHES = {  # push, the map after it, the tile taken
    "N to a": ("_ b c / a e f / d h i", "g"),
    "N to c": ("a b _ / d e c / g h f", "i"),
    "S to a": ("d b c / g e f / _ h i", "a"),
    "S to c": ("a b f / d e i / g h _", "c"),
    "W to 1": ("_ a b / d e f / g h i", "c"),
    "W to 3": ("a b c / d e f / _ g h", "i"),
    "E to 1": ("b c _ / d e f / g h i", "a"),
    "E to 3": ("a b c / d e f / h i _", "g"),
}
MIDDLE_PUSHES = {
    "N to b": ("a _ c / d b f / g e i", "h"),
    "S to b": ("a e c / d h f / g _ i", "b"),
    "W to 2": ("a b c / _ d e / g h i", "f"),
    "E to 2": ("a b c / e f _ / g h i", "d"),
}


@pytest.mark.parametrize("push", [*PUSHES, *MIDDLE_PUSHES])
def test_push_lane(push: str, new: Callable) -> None:
    """The lane moves away from the marker: the third cell's tile is taken, the first cell is empty (ruling R10)."""
    position = new(2)
    if push in MIDDLE_PUSHES:
        with_markers(position, 0, 2, 0, 2)
    lay(position, "a b c / d e f / g h i")
    before = position.g.markers.tolist()
    play_texts(position, f"push {push}")
    after, taken = {**PUSHES, **MIDDLE_PUSHES}[push]
    assert map_text(position) == after and position.g.hand == LETTERS[taken]
    assert divmod(int(position.g.hole), 3) == tuple(np.argwhere(position.g.map == NONE)[0])
    side = "NSWE".index(push[0])  # only this one marker moves, and stays on its side
    assert position.g.markers.tolist() == [
        "abc123".index(push[-1]) % 3 if k == side else index for k, index in enumerate(before)
    ]
    assert position.g.decision == PLACE and position.actor == 0


def test_worked_example_of_two_pushes(new: Callable) -> None:
    """Rules §9."""
    position = new(2)
    lay(position, "a b c / d e f / g h i")
    drawn = int(position.g.stacks[0, position.g.heights[0] - 1])
    play_texts(position, "push N to c")
    assert map_text(position) == "a b _ / d e c / g h f" and position.g.hand == LETTERS["i"]
    play_texts(position, "place at c3 turned 0")
    refilled = int(position.g.map[0, 2])
    assert refilled == drawn
    assert legal_after(position, "push") == ["N to a", "S to a", "W to 1", "W to 3", "E to 1", "E to 3"]
    play_texts(position, "push W to 1")
    assert map_text(position).startswith("_ a b /") and position.g.hand == refilled
    assert position.g.markers.tolist() == [2, 1, 0, 1]


# ---------------------------------------------------------------------------------------------------- token (§5.1 B)


def with_token(position: Position, god: int) -> Position:
    """Give seat 0 the token of a god."""
    tokens = position.g.tokens
    owner = int(np.flatnonzero(tokens == god)[0])
    tokens[0], tokens[owner] = tokens[owner], tokens[0]
    position.refresh()
    return position


@pytest.mark.parametrize("god", range(5))
def test_token_takes_tiles_with_the_statue_or_the_terrain(god: int, new: Callable) -> None:
    position = with_token(new(5, seed=god), god)
    tiles = position.game.components["tiles"]
    expected = []
    for cell, tile in enumerate(position.g.map.flat):
        if god in tiles[tile]["statues"] or any(god in row for row in tiles[tile]["squares"]):
            expected.append("abc"[cell % 3] + "123"[cell // 3])
    assert legal_after(position, "token takes") == expected and 0 < len(expected) < 9


def test_token_moves_nothing_else(new: Callable) -> None:
    position = with_token(new(3), 1)
    before, cell = position.g.map.copy(), legal_after(position, "token takes")[0]
    row, column = int(cell[1]) - 1, "abc".index(cell[0])
    play_texts(position, f"token takes {cell}")
    g = position.g
    assert g.hand == before[row, column] and g.hole == 3 * row + column and g.spent.tolist() == [1, 0, 0, 0, 0]
    before[row, column] = NONE
    assert (g.map == before).all() and g.markers.tolist() == [1, 1, 1, 1] and g.decision == PLACE


def test_token_is_spent_once(new: Callable) -> None:
    position = with_token(new(2), 1)
    play_texts(position, f"token takes {legal_after(position, 'token takes')[0]}", "place at c3 turned 0")
    play_texts(position, "push N to a", "place at c3 turned 0")
    assert position.actor == 0 and legal_after(position, "token") == []
    position.g.actor = 1  # the other seat still has its own
    position.refresh()
    assert legal_after(position, "token") != []


def test_no_token_without_a_matching_tile(new: Callable) -> None:
    """Ruling R15: with nothing to take, only pushes are legal."""
    position = with_token(new(5), 0)
    position.g.map[:] = matchless(position, 0)
    position.refresh()
    assert legal_after(position, "token") == [] and len(legal_after(position, "push")) == 8
    with pytest.raises(IllegalAction, match="token takes a1"):
        play_texts(position, "token takes a1")


def matchless(position: Position, god: int) -> np.ndarray:
    t = position.tables[0]
    return np.flatnonzero(t.shows[:, god] == 0)[:9].reshape(3, 3)


def test_no_push_after_the_token(new: Callable) -> None:
    """Ruling R15b: the token replaces the push."""
    position = with_token(new(2), 1)
    play_texts(position, f"token takes {legal_after(position, 'token takes')[0]}")
    assert not legal_texts(position, "push") and not legal_texts(position, "token") and legal_texts(position, "place")


# ---------------------------------------------------------------------------------------------------- refill (§5.3)


def test_automatic_refill_from_the_lowest_stack(new: Callable) -> None:
    """Ruling R12: the top of the lowest-numbered stack that is not empty; after placing (ruling R11)."""
    position = new(3)
    g = position.g
    g.heights[:2], g.stacks[:2] = [0, 2], NONE
    g.stacks[1, :2] = [33, 21]
    position.refresh()
    play_texts(position, "push N to c")
    assert position.g.map[0, 2] == NONE and position.g.heights[1] == 2  # not before the tile is placed
    play_texts(position, "place at c3 turned 0")
    assert position.g.map[0, 2] == 21 and position.g.heights.tolist()[:2] == [0, 1]
    assert position.g.hole == NONE and position.g.decision == TAKE and position.actor == 1
    play_texts(position, "push W to 3", "place at c3 turned 0")
    assert position.g.map[2, 0] == 33 and position.g.heights.tolist()[:2] == [0, 0]


def test_chosen_refill(new: Callable) -> None:
    """Ruling R12b: a third decision of the turn, among the stacks that are not empty."""
    position = new(2, refill="choose")
    top = int(position.g.stacks[2, position.g.heights[2] - 1])
    play_texts(position, "push S to a", "place at c3 turned 3")
    assert (
        position.g.decision == REFILL
        and position.actor == 0
        and legal_after(position, "refill from") == ["0", "1", "2"]
    )
    play_texts(position, "refill from 2")
    assert position.g.map[2, 0] == top and position.actor == 1 and position.g.decision == TAKE
    position.g.heights[:] = [0, 3, 0]
    play_texts(position, "push S to c", "place at c3 turned 0")
    assert legal_after(position, "refill from") == ["1"]  # asked even when one is left


# ---------------------------------------------------------------------------------------------------- end (§6)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("refill", "decisions"), [("auto", 18), ("choose", 27)])
def test_nine_turns_each(players: int, refill: str, decisions: int, new: Callable) -> None:
    """9 turns a seat, clockwise; the last refill is made as well (ruling R14): 3, 4, 5 or 1 tiles are never drawn."""
    position = new(players, refill=refill, first_player="random", seed=4)
    first, generator = position.actor, np.random.default_rng(0)
    seats = []
    while not position.over:
        seats.append(position.actor)
        position.play(generator.choice(position.legal_actions()))
    turn = decisions // 9
    assert seats == [(first + k // turn) % players for k in range(decisions * players)]
    assert position.g.placed[:players].tolist() == [9] * players
    assert position.g.heights.sum() == {2: 3, 3: 4, 4: 5, 5: 1}[players] and (position.g.map != NONE).all()
    assert not position.mask.any()
    with pytest.raises(IllegalAction, match="the game is over"):
        position.play(0)
