"""Players tell games apart: a number that stays as long as a game, and says nothing of it."""

import copy
import pickle
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.benchmark.agents import views_of
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.players import PlayerError, Views, make_player
from theogony.envs.core.position import Position
from theogony.training.rating.evaluate import evaluate

GAME = load("push_of_faith").configure({"players": 2})


class Remembers:
    """The first legal action. It notes how far every game was each time that it was asked."""

    name = "remembers"
    needs_positions = True

    def __init__(self) -> None:
        self.memory: dict[tuple[int, int], list[int]] = defaultdict(list)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        for view in views:
            self.memory[view.episode_id, view.seat].append(int(view.sample(rng).g.ply))
        return views.masks.argmax(1)

    def check(self, games: int) -> None:
        """Every memory is of one game, from its beginning on."""
        assert len({episode for episode, _ in self.memory}) >= games
        for plies in self.memory.values():
            assert plies[0] < 20 and plies == sorted(set(plies))


def id_of(position: Position) -> int:
    return int(Views.at(position).episode_ids[0])


def test_a_game_keeps_its_number_and_no_other_has_it() -> None:
    position = Position(GAME, 7)
    number = id_of(position)
    position.play(int(position.legal_actions()[0]))
    assert id_of(position) == number == views_of(position, "observation-only")[0].episode_id
    position.undo()
    assert id_of(position) == number
    others = [position.clone(), pickle.loads(pickle.dumps(position)), Position(GAME, 7)]
    others.append(Views.at(position)[0].sample(np.random.default_rng(0)))
    position.reset(7)
    assert len({number, id_of(position), *map(id_of, others)}) == 6


def test_a_row_of_a_batch_has_another_number_for_every_game() -> None:
    batch = Batch(GAME, 3, 0)
    first = Views.of(batch).episode_ids
    assert len(set(first)) == 3 and first.dtype == np.int64 and (first >= 0).all()
    assert (Views.of(batch, np.array([2])).episode_ids == first[2]).all()
    kept, seen = batch.state_dict(), first.copy()
    for _ in range(300):
        batch.step(batch.sample())
        found = Views.of(batch).episode_ids
        assert ((found != seen) == (batch.rows["over"] > 0)).all()
        seen = found
    copies = [copy.deepcopy(batch), Batch(GAME, 3, 0)]
    batch.load_state_dict(kept)
    assert not set(first) & {int(one) for some in (batch, *copies) for one in Views.of(some).episode_ids}


def test_views_of_a_batch_name_the_games_that_were_played_when_they_were_made() -> None:
    batch = Batch(GAME, 1, 0)
    views, number = Views.of(batch), int(Views.of(batch).episode_ids[0])
    while not batch.rows["over"][0]:
        batch.step(batch.sample())
    assert views[0].episode_id == number


def test_a_player_with_a_memory_finds_its_games_in_an_evaluation() -> None:
    player = Remembers()
    evaluate(player, "random", GAME, games=12, seed=3)
    player.check(12)


def test_an_opponent_with_a_memory_finds_its_games() -> None:
    player = Remembers()
    batch = Batch(GAME, 4, 1, seat=0, opponents=player)
    for _ in range(60):
        batch.step(batch.sample())
    player.check(4 + int(batch.rows["episode"].sum()))


def test_the_recurrent_policy_of_the_guide_remembers_each_game() -> None:
    pytest.importorskip("torch")
    guide = (Path(__file__).parents[2] / "docs" / "own_players.md").read_text("utf-8")
    code = next(block for block in re.findall(r"```python\n(.*?)```", guide, re.S) if "class Remembers" in block)
    made: dict[str, Any] = {}
    exec(code, made)
    player = make_player(made["Remembers"](GAME), GAME)
    assert evaluate(player, "random", GAME, games=10).games == 10
    assert len(player.memory) >= 10  # pyright: ignore[reportAttributeAccessIssue]


def test_views_without_a_game_say_so() -> None:
    position = Position(GAME, 0)
    with pytest.raises(PlayerError, match="games are not told apart here"):
        _ = Views(position.observation, position.mask, np.zeros(1, np.int8)).episode_ids
