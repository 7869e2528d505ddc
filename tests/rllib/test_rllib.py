"""`engine: rllib` on a local Ray cluster. `make rllib` installs Ray and runs this."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

ray = pytest.importorskip("ray", reason="make rllib installs it")

from tests.training.loaded import loaded  # noqa: E402
from theogony.envs import load  # noqa: E402
from theogony.envs.core.actions import IllegalAction  # noqa: E402
from theogony.envs.core.players import make_player  # noqa: E402
from theogony.training.config import ConfigError  # noqa: E402
from theogony.training.config.engines import RllibConfig  # noqa: E402
from theogony.training.learning import train  # noqa: E402
from theogony.training.learning.rllib import (  # noqa: E402
    GameMultiAgentEnv,
    RllibTraining,
    plain,
    ppo_config,
)
from theogony.training.networks.weights import optimizer_tensors  # noqa: E402
from theogony.training.rating.evaluate import evaluate  # noqa: E402
from theogony.training.storage import checkpoint  # noqa: E402

TINY: dict[str, Any] = {
    "game": "push_of_faith",
    "engine": "rllib",
    "environment": {"num_envs": 4},
    "algorithm": {
        "total_steps": 288,
        "n_steps": 36,
        "batch_size": 72,
        "n_epochs": 1,
        "learning_rate": {"start": 1e-3, "end": 1e-4},
        "net_arch": {"shared": [16], "policy": [8], "value": [8]},
    },
    "opponents": [{"player": "self", "weight": 2.0}, {"player": "random", "weight": 1.0}],
    "evaluation": {"every": 200, "games": 4, "against": ["random"], "final_games": 6},
    "checkpoint_every": 144,
}


def write(place: Path, **changes: Any) -> Path:
    path = place / "tiny.yaml"
    path.write_text(yaml.safe_dump({**TINY, "folder": str(place / "run"), **changes}), "utf-8")
    return path


def lines(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run with two workers and one network."""
    folder = tmp_path_factory.mktemp("shared")
    train.run(write(folder), ["ray.workers=2"], None)
    yield folder / "run"


def test_two_workers_train_a_checkpoint_that_plays(shared: Path) -> None:
    metrics = lines(shared)
    assert metrics[-1]["steps"] >= 288 and len(metrics) == 3 and not metrics[0]["steps"]
    assert {"reward", "train/policy_loss", "train/vf_loss", "train/entropy"} <= metrics[-1].keys()
    assert 0 <= metrics[-1]["evaluation"]["random"]["won"] <= 1
    assert json.loads((shared / "evaluation.json").read_text())[0]["games"] == 6
    assert json.loads((shared / "versions.json").read_text())["ray"] == ray.__version__
    game = load("push_of_faith").configure({"players": 2})
    result = evaluate(make_player(str(shared), game), "random", game, 8)
    assert result.games == 8
    names = sorted(path.name for path in (shared / "checkpoints").iterdir() if path.is_dir())
    first, last = (checkpoint.read_weights(shared / "checkpoints" / name) for name in (names[0], names[-1]))
    assert any((first[name] != last[name]).any() for name in first), "the network learns"
    assert not [path for path in shared.rglob("*") if path.suffix in (".pkl", ".pickle")]


def test_going_on(shared: Path) -> None:
    before = lines(shared)
    train.run(None, ["algorithm.total_steps=432"], shared)
    after = lines(shared)
    assert after[: len(before)] == before and after[-1]["steps"] >= 432 > before[-1]["steps"]


def test_a_run_that_goes_on_has_the_moments_of_its_optimiser(shared: Path, tmp_path: Path) -> None:
    shutil.copytree(shared, tmp_path / "run")
    last = checkpoint.latest(tmp_path / "run")
    saved = checkpoint.read(last).optimizer
    assert saved and all(name.partition(".")[2] in ("step", "exp_avg", "exp_avg_sq") for name in saved)
    config = loaded(RllibConfig, write(tmp_path))
    ray.init("local", num_cpus=3, include_dashboard=False, logging_level="ERROR")
    try:
        with closing(RllibTraining(config, tmp_path / "run")) as training:
            assert training._of_optimizer("shared", optimizer_tensors) == {}
            training.load_last()
            found = training._of_optimizer("shared", optimizer_tensors)
    finally:
        ray.shutdown()
    assert found.keys() == saved.keys() and all((found[name] == saved[name]).all() for name in saved)


def test_a_run_that_goes_on_keeps_its_learning_rate(tmp_path: Path) -> None:
    """RLlib counts steps from zero again; the rate goes on from where it was."""
    config = loaded(RllibConfig, write(tmp_path))
    assert ppo_config(config).lr == [[0, 1e-3], [288, 1e-4]]
    assert ppo_config(config, 144).lr == [[0, pytest.approx(5.5e-4)], [144, 1e-4]]


def test_a_network_for_each_seat(tmp_path: Path) -> None:
    alone = {"ray": {"workers": 0}, "rllib": {"policies": "separate"}, "opponents": [{"player": "self"}]}
    train.run(write(tmp_path, **alone), ["algorithm.total_steps=144"], None)
    run = tmp_path / "run"
    found = json.loads((run / "evaluation.json").read_text())
    assert sorted(found) == ["player_0", "player_1"] and len(found["player_1"][0]["seats"]) == 1
    weights = [checkpoint.read_weights(checkpoint.latest(run / name)) for name in found]
    assert any((weights[0][name] != weights[1][name]).any() for name in weights[0])
    assert {"train/entropy/player_0", "train/entropy/player_1"} <= lines(run)[-1].keys()
    shutil.rmtree(run / "player_1")  # as a kill between the first checkpoints of both leaves it
    train.run(None, [], run)
    assert lines(run)[-1]["steps"] == 144 and (run / "player_1" / "checkpoints").is_dir()


def test_an_address_where_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")  # a cluster can execute code here
    with pytest.raises(ConfigError, match=r"ray.address: no Ray cluster answers at '127.0.0.1:1'"):
        train.run(write(tmp_path, ray={"address": "127.0.0.1:1"}), [], None)


def test_an_unknown_opponent(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"opponents.0.player: there is no player 'nobody'"):
        train.run(write(tmp_path, opponents=[{"player": "nobody"}]), [], None)


# ---------------------------------------------------------------------------------------------------- the environment


def make_env(folder: Path, **changes: Any) -> GameMultiAgentEnv:
    return GameMultiAgentEnv(plain(loaded(RllibConfig, write(folder, **changes))))


def play(env: GameMultiAgentEnv, seed: int) -> tuple[dict[str, float], set[str]]:
    """A random game: the final rewards, and who decided something."""
    rng = np.random.default_rng(seed)
    views, _ = env.reset(seed=seed)
    total: dict[str, float] = {}
    decided: set[str] = set()
    while True:
        ((agent, view),) = views.items()
        assert view in env.get_observation_space(agent) and view["action_mask"].any()
        decided.add(agent)
        views, rewards, terminated, _, _ = env.step({agent: int(rng.choice(np.flatnonzero(view["action_mask"])))})
        total = {name: total.get(name, 0.0) + reward for name, reward in rewards.items()}
        if terminated["__all__"]:
            assert views.keys() == rewards.keys() == decided == terminated.keys() - {"__all__"}
            return total, decided


def test_all_seats_learn_by_self_play(tmp_path: Path) -> None:
    env = make_env(tmp_path, options={"players": 3}, opponents=[{"player": "self"}])
    rewards, decided = play(env, 1)
    assert decided == set(env.possible_agents) and sum(rewards.values()) == pytest.approx(0)
    assert play(env, 1)[0] == rewards and play(env, 2)[0] != rewards


def test_fixed_players_play_inside(tmp_path: Path) -> None:
    env = make_env(tmp_path, options={"players": 3}, opponents=[{"player": "random"}])
    seats = {agent for seed in range(12) for agent in play(env, seed)[1]}
    assert seats == set(env.possible_agents), "the seat that learns is drawn"
    assert all(len(play(env, seed)[1]) == 1 for seed in range(5))
    fixed = make_env(tmp_path, environment={"num_envs": 4, "seat": 1}, opponents=[{"player": "greedy"}])
    assert all(play(fixed, seed)[1] == {"player_1"} for seed in range(3))


def test_lookahead_scores_are_behind_the_observation(tmp_path: Path) -> None:
    network = {**TINY["algorithm"], "net_arch": {"lookahead": 1.0}}
    env = make_env(tmp_path, algorithm=network)
    views, _ = env.reset(seed=0)
    (view,) = views.values()
    game = env.env.game
    assert len(view["observation"]) == game.features.length + 4 * game.actions.size
    play(env, 3)


def test_illegal_actions_are_refused(tmp_path: Path) -> None:
    env = make_env(tmp_path)
    ((agent, view),) = env.reset(seed=0)[0].items()
    with pytest.raises(IllegalAction):
        env.step({agent: int(np.flatnonzero(view["action_mask"] == 0)[0])})
