"""God of War's reference player is a policy: a page plays it in NumPy, as PyTorch does."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.training.players.search.options import parse_search
from theogony.training.players.search_player import SearchPlayer
from theogony.web.players import POLICY, PlainPolicy, learnt_file, learnt_files, read_policy

pytest.importorskip("torch")
GAMES, STEPS, SEARCHED = 64, 40, 6


@pytest.fixture(scope="module", params=[1, 2, 3, 4])
def game(request: pytest.FixtureRequest) -> Game:
    return load("god_of_war").configure({"players": request.param})


@pytest.fixture(scope="module")
def plain(game: Game, tmp_path_factory: pytest.TempPathFactory) -> PlainPolicy:
    """The policy as a page reads it."""
    return read_policy(written(game, tmp_path_factory.mktemp("weights")), "reference", game)


def written(game: Game, folder: Path) -> Path:
    ((name, content),) = learnt_files([game])
    assert name == learnt_file(game, POLICY)
    (folder / name).write_bytes(content)
    return folder / name


@pytest.mark.slow
def test_decisions_are_those_of_pytorch(game: Game, plain: PlainPolicy) -> None:
    """In games that the policy plays, some thousand positions."""
    theirs: Any = make_player("greedy@reference", game)
    batch, rng = Batch(game, GAMES, seed=3), np.random.default_rng(0)
    for _ in range(STEPS):
        views = Views.of(batch)
        chosen = theirs.act(views, rng)
        np.testing.assert_array_equal(plain.act(views, rng), chosen)
        np.testing.assert_allclose(plain.probabilities(views, rng), theirs.probabilities(views, rng), atol=2e-5)
        batch.step(chosen)


@pytest.mark.slow
def test_searches_are_those_of_pytorch(game: Game, plain: PlainPolicy) -> None:
    """Visits and values of `mcts:64@reference`."""
    theirs: Any = make_player("mcts:64@reference", game)
    ours = SearchPlayer("mcts:64@reference", game, parse_search("mcts:64")[0], plain)
    position, found = Position(game, 11), 0
    while found < SEARCHED:
        views = Views.at(position)
        action, same = (int(player.act(views, np.random.default_rng(4))[0]) for player in (theirs, ours))
        if position.mask.sum() > 1:
            assert ours.search.results() == theirs.search.results()
            found += 1
        assert action == same
        position.play(action)


def test_a_file_is_the_same_at_every_build(tmp_path: Path) -> None:
    game = load("god_of_war").configure({})
    first = written(game, tmp_path).read_bytes()
    time.sleep(2.1)  # an archive counts time in two seconds
    assert written(game, tmp_path).read_bytes() == first


def test_a_policy_of_another_game_or_damaged_is_refused(tmp_path: Path) -> None:
    path, other = written(load("god_of_war").configure({}), tmp_path), load("god_of_war").configure({"players": 1})
    with pytest.raises(PlayerError, match="which are not for"):
        read_policy(path, "reference", other)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(PlayerError, match="the policy of 'reference' cannot be read"):
        read_policy(path, "reference", other)
