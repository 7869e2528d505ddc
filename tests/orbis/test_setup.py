"""Setup for 2, 3 and 4 players (rules §2)."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from theogony.envs.orbis.components import GOD_NAMES
from theogony.envs.orbis.state import NONE

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
USED = {2: (11, 11, 15), 3: (15, 15, 21), 4: (20, 20, 25)}


@PLAYERS
def test_tiles_in_use_by_level(players: int, table: Callable) -> None:
    """37, 51 or 65 tiles: white stars are out with three players, purple ones also with two."""
    game = table(players)
    tiles = [int(tile) for part in (game.g.display, game.g.pile) for tile in part if tile != NONE]
    regions = game.game.components["regions"]
    assert Counter(regions[tile]["level"] for tile in tiles) == dict(enumerate(USED[players], 1))
    assert len(set(tiles)) == len(tiles) == 14 * players + 9
    stars = {regions[tile]["stars"] for tile in tiles}
    assert stars == {2: {"none"}, 3: {"none", "purple"}, 4: {"none", "purple", "white"}}[players]


@PLAYERS
def test_display_of_nine_level_1_tiles_without_worshippers(players: int, table: Callable) -> None:
    """A36."""
    game = table(players, seed=4)
    assert [game.t.level[tile] for tile in game.g.display] == [1] * 9
    assert game.g.lying.sum() == 0


@PLAYERS
def test_piles_lie_by_level(players: int, table: Callable) -> None:
    game = table(players, seed=2)
    levels = [int(game.t.level[tile]) for tile in game.g.pile if tile != NONE]
    assert levels == sorted(levels) and len(levels) == 14 * players


@pytest.mark.slow
@PLAYERS
def test_gods_on_offer(players: int, table: Callable) -> None:
    """One more than players, each god equally often."""
    offers = [[name for name in table(players, seed).legal("take") if "tile" not in name] for seed in range(300)]
    counts = Counter(god for offer in offers for god in offer)
    assert all(len(offer) == players + 1 for offer in offers)
    assert len(counts) == len(GOD_NAMES)
    expected = 300 * (players + 1) / len(GOD_NAMES)
    assert all(0.7 * expected < count < 1.3 * expected for count in counts.values())


@PLAYERS
def test_temple_tokens(players: int, table: Callable) -> None:
    tokens = table(players).t.tokens.tolist()
    assert tokens == {2: [7, 2, 0, 0], 3: [9, 4, 2, 0], 4: [11, 7, 4, 2]}[players]


def test_nobody_starts_with_worshippers_and_seat_0_begins(table: Callable) -> None:
    """A29."""
    game = table(3, seed=9)
    assert game.g.realm.sum() == 0 and game.position.actor == 0
    assert {table(3, seed, first_player="random").position.actor for seed in range(40)} == {0, 1, 2}


@pytest.mark.slow
def test_every_tile_comes_to_every_place(table: Callable) -> None:
    games = [table(2, seed) for seed in range(600)]
    first = Counter(int(game.g.display[0]) for game in games)
    drawn = Counter(int(game.g.pile[5]) for game in games)
    assert len(first) == 11 and min(first.values()) > 25
    assert len(drawn) == 11 and min(drawn.values()) > 25


def test_setup_depends_on_the_seed_alone(table: Callable) -> None:
    assert table(4, seed=5).position.key() == table(4, seed=5).position.key()
    assert len({table(4, seed).position.key() for seed in range(40)}) == 40


def test_resample_redraws_only_the_order_of_each_level(table: Callable) -> None:
    """A30: nothing else is hidden, and what is drawn does not depend on the truth."""
    game, rng = table(2, seed=3), np.array([11], np.uint64)
    game.play("take tile from b2", "wilderness", "place bottom right")
    before, draws = game.g.pile.copy(), set()
    for _ in range(50):
        game.position.resample(0, rng)
        pile = game.g.pile
        assert pile[0] == NONE and sorted(pile[1:2]) == sorted(before[1:2])
        for first, last in ((2, 13), (13, 28)):
            assert sorted(pile[first:last]) == sorted(before[first:last])
        draws.add(pile.tobytes())
    assert len(draws) == 50
