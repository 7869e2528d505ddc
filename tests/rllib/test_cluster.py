"""`engine: td`, `distil` and `sb3` with workers on a local Ray cluster. `make rllib` installs Ray and runs this."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ray = pytest.importorskip("ray", reason="make rllib installs it")

from tests.training.loaded import loaded  # noqa: E402
from theogony.envs.core.gamerecord import write_record  # noqa: E402
from theogony.envs.core.position import Position  # noqa: E402
from theogony.envs.core.registry import load  # noqa: E402
from theogony.training.config import ConfigError  # noqa: E402
from theogony.training.config.engines import TdConfig  # noqa: E402
from theogony.training.learning.cluster import ClusterPlay  # noqa: E402
from theogony.training.learning.distil import DistilTraining  # noqa: E402
from theogony.training.learning.sb3 import Sb3Training  # noqa: E402
from theogony.training.learning.td import TdTraining  # noqa: E402
from theogony.training.learning.train import run  # noqa: E402
from theogony.training.storage import checkpoint  # noqa: E402
from theogony.training.storage.checkpoint import OPTIMIZER, POLICY  # noqa: E402

TINY: dict[str, Any] = {
    "game": "push_of_faith",
    "engine": "td",
    "environment": {"num_envs": 16},
    "algorithm": {"total_steps": 1500, "batch_size": 128},
    "td": {"widths": [16]},
    "evaluation": {"every": 10**6, "games": 4, "against": ["random"], "final_games": 6},
}


PPO: dict[str, Any] = {
    "game": "push_of_faith",
    "engine": "sb3",
    "shaping": "margin",
    "environment": {"num_envs": 24},
    "algorithm": {"total_steps": 24 * 18 * 3, "n_steps": 18, "batch_size": 72, "net_arch": {"shared": [16]}},
    "opponents": [{"player": "self"}, {"player": "curriculum"}, {"player": "random"}],
    "self_play": {"every": 500},
    "curriculum": {"games": 20, "raise_above": 0.0},
    "evaluation": {"every": 10**6, "games": 4, "against": ["random"], "final_games": 6},
}


DISTIL: dict[str, Any] = {
    **TINY,
    "engine": "distil",
    "algorithm": {"total_steps": 1500, "batch_size": 128, "net_arch": {"shared": [16]}},
    "distil": {"teacher": "greedy", "explore": 0.5},
}
DISTIL.pop("td")


def write(place: Path, name: str, usual: dict[str, Any] = TINY, **changes: Any) -> Path:
    path = place / f"{name}.yaml"
    path.write_text(yaml.safe_dump({**usual, "folder": str(place / name), **changes}), "utf-8")
    return path


def same_agent(one: Path, other: Path) -> bool:
    """Whether two runs end with the same bits, of the optimiser too."""
    last = [checkpoint.latest(run) for run in (one, other)]
    return all((last[0] / name).read_bytes() == (last[1] / name).read_bytes() for name in (POLICY, OPTIMIZER))


def losing(
    patch: pytest.MonkeyPatch, kind: Any, begun: Callable[[Any], bool], played_by: Callable[[Any], Any]
) -> list[int]:
    """Kill a worker of a training of this kind once it has begun. Returns the process, when it is killed."""
    iterate, lost = kind.iterate, list[int]()

    def kill(training: Any) -> None:
        if begun(training) and not lost:
            lost.append(ray.get(played_by(training).cluster.workers[0].process.remote()))
            os.kill(lost[0], signal.SIGKILL)
        iterate(training)

    patch.setattr(kind, "iterate", kill)
    return lost


def test_workers_learn_what_threads_learn_though_one_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker is killed in mid-run; the run, in which half of the games begin from a recorded one, ends with the
    bits of a run without Ray."""
    position = Position(load("push_of_faith").configure({"players": 2}), 1)
    for _ in range(9):
        position.play(int(position.legal_actions()[0]))
    write_record(position, tmp_path / "game.jsonl")
    td = {**TINY["td"], "starts": {"share": 0.5, "files": [str(tmp_path / "game.jsonl")]}}
    run(write(tmp_path, "alone", td=td), [], None)
    lost = losing(monkeypatch, TdTraining, lambda one: one.games >= 16, lambda one: one.selfplay)
    run(write(tmp_path, "together", td=td, ray={"workers": 2}), [], None)
    assert lost and not ray.is_initialized()
    assert same_agent(tmp_path / "alone", tmp_path / "together")


def test_a_policy_is_taught_the_same_by_workers_though_one_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(write(tmp_path, "alone", DISTIL), [], None)
    lost = losing(monkeypatch, DistilTraining, lambda one: one.games >= 16, lambda one: one.teaching)
    run(write(tmp_path, "together", DISTIL, ray={"workers": 2}), [], None)
    assert lost and not ray.is_initialized()
    assert same_agent(tmp_path / "alone", tmp_path / "together")


def test_rows_on_workers_learn_what_rows_here_learn_though_one_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PPO against past selves, whom the learner's process plays, and a curriculum, which workers play; with shaping."""
    run(write(tmp_path, "alone", PPO), [], None)
    lost = losing(monkeypatch, Sb3Training, lambda one: one.steps > 0, lambda one: one.cluster)
    run(write(tmp_path, "together", PPO, ray={"workers": 2}), [], None)
    assert lost and not ray.is_initialized()
    assert same_agent(tmp_path / "alone", tmp_path / "together")


def test_when_no_worker_is_left_the_learner_plays(tmp_path: Path) -> None:
    config = loaded(TdConfig, write(tmp_path, "run", ray={"workers": 2}))
    training = TdTraining(config, tmp_path / "run")
    play = training.selfplay
    assert isinstance(play, ClusterPlay)
    ray.get([worker.process.remote() for worker in play.cluster.workers])
    play.play(training.table(), 0, 8)
    for worker in play.cluster.workers:
        ray.kill(worker)  # for good
    played = play.play(training.table(), 0, 8)
    assert played.games == 8 and play.cluster.lost == 2
    training.close()


def test_an_address_where_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")
    with pytest.raises(ConfigError, match=r"ray.address: no Ray cluster answers at '127.0.0.1:1'"):
        run(write(tmp_path, "run", ray={"workers": 1, "address": "127.0.0.1:1"}), [], None)
