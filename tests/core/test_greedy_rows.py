"""Greedy decisions of a batch in one call: those that positions alone would have made, with the same random numbers."""

import numpy as np
import pytest
from bluff.game import SPEC as BLUFF

from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Views, make_player

GAMES = [
    (BLUFF.configure({"players": 3}), "greedy"),
    (load("orbis").configure({"players": 2, "components": "random:0-3"}), "greedy"),
    (load("push_of_faith").configure({"players": 3}), "greedy:0.5"),
    pytest.param(load("innovation").configure({"players": 2}), "greedy@reference", marks=pytest.mark.slow),
    pytest.param(load("god_of_war").configure({"players": 2}), "greedy", marks=pytest.mark.slow),
]


def one_by_one(views: Views) -> Views:
    """The same views, of which each is asked for a position of its own."""
    return Views(views.seen, views.masks, views.seats, views.sampler)


@pytest.mark.parametrize(("game", "name"), GAMES)
def test_a_batch_decides_as_its_positions_do(game: Game, name: str) -> None:
    batch, player = Batch(game, 12, seed=3), make_player(name, game)
    assert isinstance(player, GreedyPlayer)
    rows = np.array([0, 3, 4, 11])
    for seed in range(30):
        for views in (Views.of(batch), Views.of(batch, rows)):
            together = player.act(views, np.random.default_rng(seed))
            alone = player.act(one_by_one(views), np.random.default_rng(seed))
            assert np.array_equal(together, alone)
        batch.step(batch.sample())


def test_positions_of_the_batch_stay_as_they_are() -> None:
    batch = Batch(BLUFF.configure({"players": 3}), 4, seed=3)
    before = batch.states.tobytes(), batch.masks.tobytes()
    GreedyPlayer(batch.game).act(Views.of(batch), np.random.default_rng(0))
    assert (batch.states.tobytes(), batch.masks.tobytes()) == before


def test_what_a_seat_cannot_know_makes_no_difference() -> None:
    """The hands of others are replaced by others that are possible: the same decisions, drawn with the same numbers."""
    batch, player = Batch(BLUFF.configure({"players": 3}), 64, seed=3), GreedyPlayer(BLUFF.configure({"players": 3}))
    batch.step(batch.sample())
    first = player.act(Views.of(batch), np.random.default_rng(8))
    hidden = batch.states.copy()
    for row in range(batch.size):
        position = batch.position(row)
        position.resample(position.actor, np.array([row + 1], np.uint64))
        batch.states[row : row + 1] = position.states[:1]
    assert batch.states.tobytes() != hidden.tobytes()
    assert np.array_equal(player.act(Views.of(batch), np.random.default_rng(8)), first)
