"""`engine: td`: what is learnt, that it helps, and that a run goes on as if nothing had happened."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.toy.tictactoe import SPEC
from tests.training.ahead import Write, check_it_goes_on, files, writer
from tests.training.loaded import loaded
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.envs.core.record import to_bytes
from theogony.envs.core.registry import load as load_game
from theogony.training.config import ConfigError
from theogony.training.config.engines import TdConfig
from theogony.training.learning.selfplay import ENDS, SelfPlay, SelfPlayTable
from theogony.training.learning.td import Searched, SearchPlay, TdTraining, lambda_returns
from theogony.training.learning.train import run
from theogony.training.networks.weights import CheckpointError
from theogony.training.players.names import load_player
from theogony.training.rating.evaluate import evaluate
from theogony.training.storage import checkpoint

TOY: dict[str, Any] = {
    "game": "tests.toy.tictactoe",
    "engine": "td",
    "environment": {"num_envs": 32, "threads": 2},
    "algorithm": {"total_steps": 2000, "batch_size": 64, "learning_rate": {"start": 3e-3, "end": 1e-3}},
    "td": {"widths": [32], "own_value": False, "explore": 0.1},
    "evaluation": {"every": 10**6, "games": 8, "against": ["random"], "final_games": 10},
    "checkpoint_every": 500,
}


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    return writer(tmp_path, monkeypatch, TOY)


def table(net: np.ndarray, **changes: Any) -> SelfPlayTable:
    """The learner alone at the table."""
    usual = SelfPlayTable(net, np.array([len(net)]), np.zeros(1), np.ones(1), 0.0, 0.0, 0.0, 0.5, 0, False, 0.0, 0, 0.0)
    return usual._replace(**changes)


def toy() -> Game:
    return SPEC.configure({"players": 2})


def toy_net(write) -> np.ndarray:
    training = TdTraining(loaded(TdConfig, write()), Path("nowhere"))
    training.close()
    return training.packed()


# ---------------------------------------------------------------------------------------------------- what is learnt


def test_targets_are_lambda_returns_of_each_seats_own_chain(write) -> None:
    net = toy_net(write)
    played = SelfPlay([toy()], 1, 3).play(table(net), 0, 1)
    samples = played.samples
    assert len(samples) >= 4
    for seat in range(2):
        chain = samples[samples["seat"] == seat]
        reward = chain["target"][-1]
        assert reward in (-1.0, 0.0, 1.0)
        ahead = reward
        for sample in chain[::-1]:
            assert sample["target"] == pytest.approx(ahead)
            ahead = 0.5 * sample["best"] + 0.5 * sample["target"]
    ends = [samples[samples["seat"] == seat]["target"][-1] for seat in range(2)]
    assert ends[0] == -ends[1]


def test_behind_a_random_decision_only_the_best_one_counts(write) -> None:
    net = toy_net(write)
    samples = SelfPlay([toy()], 1, 3).play(table(net, explore=1.0, td_lambda=1.0), 0, 1).samples
    assert samples["explored"].all()
    for seat in range(2):
        chain = samples[samples["seat"] == seat]
        assert chain["target"][:-1] == pytest.approx(chain["best"][1:])


@pytest.mark.parametrize("searched", [False, True])
def test_a_game_that_is_cut_off_teaches_what_was_thought_of_it_or_what_it_counts(write, searched: bool) -> None:
    net, game = toy_net(write), SPEC.configure({"players": 2, "max_decisions": 4})
    games = SearchPlay([game], Searched(8), 1, 3) if searched else SelfPlay([game], 1, 3)
    bootstrap, terminal = (games.play(table(net, truncation=worth), 0, 1).samples for worth in (np.nan, -1.0))
    assert len(bootstrap) == len(terminal) == 3, "the end itself is no afterstate"
    last = [len(terminal) - 1, len(terminal) - 2]  # of either seat
    assert (bootstrap["target"][last] == bootstrap["best"][last]).all()
    assert (terminal["target"][last] == -1.0).all()
    assert terminal["target"][0] == pytest.approx(0.5 * terminal["best"][2] - 0.5)


def test_games_do_not_depend_on_the_number_of_threads(write) -> None:
    net = toy_net(write)
    one, three = (SelfPlay([toy()], threads, 3).play(table(net, explore=0.2), 5, 23) for threads in (1, 3))
    assert to_bytes(one.states) == to_bytes(three.states)
    assert to_bytes(one.samples) == to_bytes(three.samples)
    assert one.reward == pytest.approx(three.reward)


def test_opponents_play_a_share_of_the_games(write) -> None:
    net = toy_net(write)
    alone = SelfPlay([toy()], 1, 3).play(table(net), 0, 30)
    shared = SelfPlay([toy()], 1, 3).play(table(net, share=1.0, ends=np.array([len(net)] * 2)), 0, 30)
    assert 0 < len(shared.samples) < 0.7 * len(alone.samples)


@pytest.mark.slow
def test_it_learns_to_beat_random_play(write, tmp_path: Path) -> None:
    steps = {"total_steps": 60_000, "batch_size": 64, "learning_rate": {"start": 1e-2, "end": 1e-3}}
    network = {"widths": [64], "own_value": False, "explore": 0.3}
    run(write(algorithm=steps, td=network, checkpoint_every=10**6), [], None)
    game = toy()
    player = load_player(tmp_path / "run", game)
    assert evaluate(player, "random", game, 400).win_rate > 0.92  # a draw counts half
    assert evaluate(player, make_player("mcts:400:random", game), game, 20).win_rate > 0.3  # which plays perfectly


# ---------------------------------------------------------------------------------------------------- going on


@pytest.mark.slow
def test_a_run_goes_on_as_if_nothing_had_happened(write) -> None:
    check_it_goes_on(write, 1200)


def test_a_network_of_another_game_or_with_nan_is_refused(write, tmp_path: Path) -> None:
    run(write(), ["algorithm.total_steps=100"], None)
    other = write("other", game="push_of_faith", start_from=str(tmp_path / "run"))
    with pytest.raises(CheckpointError, match="the agent plays tictactoe with 2 players, not push_of_faith with 2"):
        run(other, [], None)
    training = TdTraining(loaded(TdConfig, write("nan")), tmp_path / "nan")
    training.net.first.data[0, 0] = float("nan")
    with pytest.raises(CheckpointError, match="not finite"):
        training.write_checkpoint()
    training.close()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shaping": "value"}, "shaping: engine td does not read it; sb3 and distil do"),
        ({"td": {"widths": [4096]}}, "td.widths.0: .* 512"),
        ({"td": {"opponents": 0.5}, "opponents": [{"player": "mcts:4"}]}, "does not play in compiled code"),
        (
            {"td": {"search": 4, "opponents": 0.5}, "opponents": [{"player": "greedy"}]},
            "td.search: searched games have",
        ),
        ({"td": {"heads": {"margin": 0.1}}}, "td.heads: there is no such key"),
        ({"td": {"search": 8, "plan": {"width": 2}}}, "td.plan: a game is searched or planned"),
        ({"td": {"variants": [{}, {"players": 9}]}}, "td.variants.1: tictactoe is for 2 players"),
        ({"td": {"other_table": True}}, "td.other_table: says where start_from may come from"),
        (
            {"engine": "sb3", "device": "auto"},
            "device: engine sb3 does not read it; td and distil do; .*: td.explore: engine sb3",
        ),
        ({"environment": {"num_envs": 1_000_000, "threads": 2}, "game": "god_of_war"}, "num_envs: what is kept"),
    ],
)
def test_what_does_not_go_is_refused_in_one_line(write, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TdTraining(loaded(TdConfig, write(**changes)), Path("nowhere"))


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="of an environment without Ray")
def test_a_file_for_a_cluster_runs_without_ray(write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(write("alone"), ["algorithm.total_steps=300"], None)
    run(write("together", ray={"workers": 2}), ["algorithm.total_steps=300"], None)
    assert "Ray is not installed here" in capsys.readouterr().out
    assert files(tmp_path / "alone") == files(tmp_path / "together")


# ---------------------------------------------------------------------------------------------------- search


def test_searched_games_have_the_values_of_the_search(write) -> None:
    net = toy_net(write)
    one, two = (SearchPlay([toy()], Searched(30), threads, 3).play(table(net), 0, 6) for threads in (1, 2))
    assert to_bytes(one.states) == to_bytes(two.states) and to_bytes(one.samples) == to_bytes(two.samples)
    game = SearchPlay([toy()], Searched(30), 1, 3).play(table(net), 0, 1)
    for seat, reward in ((0, game.reward), (1, -game.reward)):
        chain = game.samples[game.samples["seat"] == seat]
        assert chain["target"][-1] == reward
        ahead = 0.5 * chain["best"][1:] + 0.5 * chain["target"][1:]
        assert chain["target"][:-1] == pytest.approx(ahead, abs=1e-6)
    plain = SelfPlay([toy()], 1, 3).play(table(net), 0, 1).samples
    assert game.reward != 0 and abs(game.samples["best"][-1]) > 0.3 > abs(plain["best"]).max(), "it sees the end coming"


def test_what_else_a_search_tried_is_learnt_as_well(write) -> None:
    """The games stay the same, and so does what they teach; other actions come behind, as the search found them."""
    net = toy_net(write)
    played, both = (SearchPlay([toy()], Searched(30, tried), 1, 3).play(table(net), 0, 1) for tried in (0, 2))
    count = len(played.samples)
    assert to_bytes(both.samples[:count]) == to_bytes(played.samples)
    assert to_bytes(both.states[:count]) == to_bytes(played.states)
    others = both.samples[count:]
    assert len(others) > count and (others["target"] == others["best"]).all() and not others["explored"].any()
    stones = (both.states["board"] >= 0).sum(tuple(range(1, both.states["board"].ndim)))
    assert (others["seat"] == (stones[count:] - 1) % 2).all(), "afterstates of the seat that chose"
    assert len(np.unique(both.states["board"].reshape(len(both.states), -1), axis=0)) == len(both.states)
    rarely = SearchPlay([toy()], Searched(30, 30), 1, 3).play(table(net), 0, 1)
    assert len(rarely.samples) < len(both.samples), "those with few simulations are left out"


def test_the_same_targets_as_in_compiled_games(write) -> None:
    samples = SelfPlay([toy()], 1, 3).play(table(toy_net(write), explore=0.3), 0, 1).samples
    again = samples.copy()
    again["target"] = 0.0
    rewards = np.array([samples["target"][samples["seat"] == seat][-1] for seat in range(2)])
    lambda_returns(again, rewards, 0.5)
    assert again["target"] == pytest.approx(samples["target"], abs=1e-6)


@pytest.mark.slow
def test_a_run_with_search_goes_on(write, tmp_path: Path) -> None:
    """The learning rate is constant, since a schedule follows the length of a run: so both learn the same."""
    steady = {**TOY["algorithm"], "learning_rate": 1e-3}
    searched = {"td": {**TOY["td"], "search": 8}, "environment": {"num_envs": 8, "threads": 2}, "algorithm": steady}
    run(write("whole", **searched), ["algorithm.total_steps=200", "checkpoint_every=60"], None)
    run(write("parted", **searched), ["algorithm.total_steps=100", "checkpoint_every=60"], None)
    run(None, ["algorithm.total_steps=200"], tmp_path / "parted")
    parted, whole = (checkpoint.latest(tmp_path / name) for name in ("parted", "whole"))
    assert parted.name == whole.name
    assert (parted / checkpoint.POLICY).read_bytes() == (whole / checkpoint.POLICY).read_bytes()


# ---------------------------------------------------------------------------------------------------- plans, variants


def test_planned_games_play_what_the_plan_says(write) -> None:
    """In tic-tac-toe a plan is one decision, and ends with what is worth most: the same games as by comparing."""
    net = toy_net(write)
    plain, planned = (SelfPlay([toy()], 1, 3).play(table(net, planned=n, width=2), 0, 6) for n in (0.0, 1.0))
    assert np.array_equal(plain.states["board"], planned.states["board"])
    assert planned.samples["best"] == pytest.approx(plain.samples["best"], abs=1e-6)
    one, two = (SelfPlay([toy()], n, 3).play(table(net, planned=0.5, width=2), 0, 12).samples for n in (1, 2))
    assert to_bytes(one) == to_bytes(two)


def test_ends_of_plans_are_samples_with_the_target_of_their_decision(write) -> None:
    """In tic-tac-toe a plan ends behind its one decision: each end is the afterstate that follows it."""
    net = toy_net(write)
    usual, more = (
        SelfPlay([toy()], 1, 3).play(table(net, planned=1.0, width=2, plan_ends=n), 0, 6) for n in (0.0, 1.0)
    )
    ends = np.flatnonzero(more.samples["chain"] == ENDS)
    assert len(ends) == len(usual.samples) and np.array_equal(more.states["board"][ends], usual.states["board"])
    rest = np.setdiff1d(np.arange(len(more.samples)), ends)
    assert to_bytes(more.samples[rest]) == to_bytes(usual.samples)
    assert np.array_equal(more.samples["target"][ends], more.samples["target"][ends + 1])


def test_ends_of_plans_lie_behind_their_decisions() -> None:
    """Orbis: a turn has several decisions, of which a plan has all; a game that is not planned, and a decision that was
    drawn at random, have none."""
    game, net = load_game("orbis").configure({"players": 2}), np.zeros(0, np.float32)
    players = SelfPlay([game], 1, 3)
    played = players.play(table(net, planned=1.0, width=2, plan_ends=1.0), 0, 1)
    ends = np.flatnonzero(played.samples["chain"] == ENDS)
    ahead = played.states["ply"][ends].astype(int) - played.states["ply"][ends + 1].astype(int)
    assert (ahead >= 0).all() and (ahead > 0).any()
    for changes in ({"planned": 0.0}, {"explore": 1.0}):
        others = players.play(table(net, **{"planned": 1.0, "width": 2, "plan_ends": 1.0, **changes}), 0, 1)
        assert ENDS not in others.samples["chain"]


def test_games_are_played_with_each_variant_in_turn() -> None:
    """Bluff over three rounds and over one: a game has the options of its number, and the same decisions as alone."""
    long, short = (load_game("bluff.game").configure({"players": 2, "rounds": rounds}) for rounds in (3, 1))
    net = np.zeros(0, np.float32)
    both = SelfPlay([long, short], 1, 3).play(table(net, explore=0.3), 0, 8)
    alone = [SelfPlay([game], 1, 3).play(table(net, explore=0.3), 0, 8).states for game in (long, short)]
    assert set(both.samples["variant"]) == {0, 1} and both.samples["variant"][0] == 0
    for variant, states in enumerate(alone):
        played = both.states[both.samples["variant"] == variant]
        assert len(played) and {*map(to_bytes, played)} <= {*map(to_bytes, states)}


def test_a_run_learns_from_planned_games_of_variants(write, tmp_path: Path) -> None:
    td = {**TOY["td"], "plan": {"width": 2, "share": 0.5, "ends": 0.5}, "variants": [{}, {"max_decisions": 6}]}
    run(write("whole", td=td), ["algorithm.total_steps=400", "checkpoint_every=150"], None)
    run(write("parted", td=td), ["algorithm.total_steps=200", "checkpoint_every=150"], None)
    run(None, ["algorithm.total_steps=400"], tmp_path / "parted")
    assert checkpoint.latest(tmp_path / "parted").name == checkpoint.latest(tmp_path / "whole").name
