"""Leagues of past selves: hard ones play more often, ratings fit the games, circles are noticed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.training.loaded import loaded
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.config import ConfigError
from theogony.training.config.engines import Sb3Config
from theogony.training.learning.opponent_pool import League
from theogony.training.learning.train import run
from theogony.training.storage.curve import read_metrics

Write = Callable[..., Path]


def league(write: Write, game: Game, won: dict[str, dict[str, float]] | None = None, **settings: Any) -> League:
    found = League(loaded(Sb3Config, write(league={"games": 100, **settings})), game)
    found.load_state({"members": list(won or {}), "won": won or {}}, "state")
    return found


def test_real_players_are_measured(write: Write, game: Game) -> None:
    found = league(write, game, games=40)
    players = [make_player(name, game) for name in ("greedy:0.1", "greedy:0.9", "greedy:0.5")]
    for index, player in enumerate(players):
        found.measure(player, players[:index])
    assert list(found.won["greedy:0.5"]) == ["random", "greedy", "greedy:0.1", "greedy:0.9"]
    points = found.ratings()
    assert points["greedy:0.1"] < points["greedy:0.5"] < points["greedy:0.9"] < 60
    easy, hard, itself = found.weights(["greedy:0.1", "greedy:0.9", "greedy:0.5"])
    assert easy < itself < hard and easy + itself + hard == pytest.approx(1)
    assert found.circle() is None
    assert found.metrics() == {"rating": points["greedy:0.5"]}


def test_weights_follow_the_chance_to_lose(write: Write, game: Game) -> None:
    won = {"a": {"random": 1.0, "greedy": 0.0}, "b": {"a": 0.8}, "c": {"a": 1.0, "b": 0.4}}
    assert league(write, game, won, power=1.0).weights(["a", "b", "c"]) == pytest.approx(
        [0.01 / 1.11, 0.6 / 1.11, 0.5 / 1.11]
    )
    assert league(write, game, won, power=0.0).weights(["a", "b"]) == [0.5, 0.5]


def test_ratings_count_from_the_last_anchor(write: Write, game: Game) -> None:
    won = {"a": {"random": 0.75, "greedy": 0.5}, "b": {"random": 0.9, "greedy": 0.75, "a": 0.75}}
    points = league(write, game, won).ratings()
    assert points["a"] == pytest.approx(0, abs=25)
    assert points["b"] == pytest.approx(400 * 0.477, abs=25), "odds of three to one"


def test_a_pool_that_goes_round_in_circles(write: Write, game: Game) -> None:
    won = {"a": {}, "b": {"a": 0.7}, "c": {"a": 0.3, "b": 0.7}}
    found = league(write, game, won)
    assert found.circle() == "c loses to a (won 30%), which b had beaten (won 70%)"
    assert found.metrics()["circle"] == found.circle()
    assert league(write, game, {**won, "c": {"a": 0.45, "b": 0.7}}).circle() is None, "that may be chance"
    assert league(write, game, {**won, "b": {"a": 0.55}}).circle() is None


def test_even_means_a_fair_share_at_a_larger_table(write: Write, game: Game) -> None:
    found = League(
        loaded(Sb3Config, write(options={"players": 3}, league={"anchors": ["random"]})),
        game.spec.configure({"players": 3}),
    )
    found.load_state({"members": ["a"], "won": {"a": {"random": 1 / 3}}}, "state")
    assert found.ratings()["a"] == pytest.approx(0, abs=0.1)


@pytest.mark.slow
def test_a_run_with_a_league_goes_on_as_if_nothing_had_happened(write: Write, tmp_path: Path) -> None:
    algorithm = {**yaml.safe_load(write().read_text())["algorithm"], "learning_rate": 1e-3}
    path = write(league={"games": 4, "anchors": ["random"]}, algorithm=algorithm)
    run(path, [f"folder={tmp_path / 'whole'}"], None)
    run(path, [f"folder={tmp_path / 'cut'}", "algorithm.total_steps=240"], None)
    run(None, ["algorithm.total_steps=480"], tmp_path / "cut")
    whole, cut = ((tmp_path / name / "pool" / "league.json").read_text() for name in ("whole", "cut"))
    assert whole == cut
    members = [f"{steps:012d}" for steps in range(0, 481, 80)]
    assert list(json.loads(whole)["ratings"]) == members
    assert list(json.loads(whole)["won"][members[-1]]) == ["random", *members[-3:-1]], "two are in the pool"
    ratings = [line["rating"] for line in read_metrics(tmp_path / "cut")[1:]]
    assert ratings[-1] == json.loads(whole)["ratings"][members[-1]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"league": {"anchors": ["nobody"]}}, r"^league\.anchors\.0: there is no player 'nobody'"),
        ({"league": {"anchors": []}}, r"league\.anchors: .*at least 1"),
        ({"league": {"powers": 1}}, r"league\.powers: there is no such key; did you mean power\?"),
        ({"league": {}, "opponents": [{"player": "random"}]}, "league: it is of past selves; expected the player self"),
    ],
)
def test_bad_leagues(write: Write, game: Game, changes: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        League(loaded(Sb3Config, write(**changes)), game)
