"""Setup for 2 to 5 players (rules §3)."""

from collections import Counter
from collections.abc import Callable

import pytest

from theogony.envs.push_of_faith.state import NONE, TAKE

SPLITS = {2: (10, 10, 10), 3: (14, 13, 13), 4: (17, 17, 16), 5: (19, 18, 18)}
PLAYERS = pytest.mark.parametrize("players", SPLITS)


@PLAYERS
def test_tiles_in_use(players: int, new: Callable) -> None:
    """Step 1: tiles with a printed player count up to N: 30, 40, 50, 55."""
    position = new(players)
    expected = {tile["id"] for tile in position.game.components["tiles"] if tile["players"] <= players}
    g = position.g
    stacks = [g.stacks[s, : g.heights[s]].tolist() for s in range(3)]
    assert sorted([*g.map.flat, *sum(stacks, start=[])]) == sorted(expected)  # noqa: RUF017
    assert len(expected) == {2: 30, 3: 40, 4: 50, 5: 55}[players]


@PLAYERS
def test_stacks_of_nearly_equal_size_and_nine_tiles_on_the_map(players: int, new: Callable) -> None:
    """Steps 2 and 3: larger stacks first; each gives three tiles to the map."""
    g = new(players).g
    assert tuple(g.heights + 3) == SPLITS[players]
    assert (g.map != NONE).all()
    for stack, height in enumerate(g.heights):
        assert (g.stacks[stack, :height] != NONE).all() and (g.stacks[stack, height:] == NONE).all()


def test_shuffle_and_layout_depend_on_the_seed_alone(new: Callable) -> None:
    assert new(3, seed=5).key() == new(3, seed=5).key()
    assert len({new(3, seed=seed).key() for seed in range(50)}) == 50


def test_every_tile_comes_to_every_place(new: Callable) -> None:
    """Steps 2 and 3: over many games each tile lies on each map cell about equally often (9 of 30 are on the map)."""
    games = 3_000
    position = new(2)
    corner, tops = Counter(), Counter()
    for seed in range(games):
        position.reset(seed)
        corner[int(position.g.map[0, 0])] += 1
        tops[int(position.g.stacks[1, position.g.heights[1] - 1])] += 1
    for seen in (corner, tops):  # 100 expected for each; four standard deviations are 40
        assert set(seen) == set(range(30)) and 60 <= min(seen.values()) and max(seen.values()) <= 140


@PLAYERS
def test_markers_in_the_middle(players: int, new: Callable) -> None:
    """Step 4: all four at index 1, face to face (ruling R8)."""
    assert new(players).g.markers.tolist() == [1, 1, 1, 1]


@PLAYERS
def test_one_token_each_the_others_stay_out(players: int, new: Callable) -> None:
    """Step 5: five different gods; those behind the last seat are out of the game (ruling R16)."""
    dealt = Counter()
    position = new(players)
    for seed in range(1_000):
        position.reset(seed)
        assert sorted(position.g.tokens) == [0, 1, 2, 3, 4] and not position.g.spent.any()
        dealt[int(position.g.tokens[players - 1])] += 1
    assert set(dealt) == {0, 1, 2, 3, 4} and min(dealt.values()) > 140  # 200 expected


@PLAYERS
def test_first_player(players: int, new: Callable) -> None:
    """Step 6: seat 0, or any seat by the seed (ruling R23)."""
    assert {new(players, seed=seed).actor for seed in range(20)} == {0}
    position = new(players, first_player="random")
    seen = Counter()
    for seed in range(600):
        position.reset(seed)
        seen[position.actor] += 1
    assert set(seen) == set(range(players)) and min(seen.values()) > 400 / players


@PLAYERS
def test_worlds_are_empty_and_a_take_is_due(players: int, new: Callable) -> None:
    position = new(players)
    g = position.g
    assert g.decision == TAKE and g.hand == NONE and g.hole == NONE and not position.over
    assert not g.placed.any() and (g.tiles == NONE).all() and not position.scores().any()
