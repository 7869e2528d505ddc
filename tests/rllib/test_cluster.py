"""`engine: td` with workers on a local Ray cluster. `make rllib` installs Ray and runs this."""

from __future__ import annotations

import os
import signal
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
from theogony.training.learning.td import TdTraining  # noqa: E402
from theogony.training.learning.train import run  # noqa: E402
from theogony.training.storage import checkpoint  # noqa: E402

TINY: dict[str, Any] = {
    "game": "push_of_faith",
    "engine": "td",
    "environment": {"num_envs": 16},
    "algorithm": {"total_steps": 1500, "batch_size": 128},
    "td": {"widths": [16]},
    "evaluation": {"every": 10**6, "games": 4, "against": ["random"], "final_games": 6},
}


def write(place: Path, name: str, **changes: Any) -> Path:
    path = place / f"{name}.yaml"
    path.write_text(yaml.safe_dump({**TINY, "folder": str(place / name), **changes}), "utf-8")
    return path


def test_workers_learn_what_threads_learn_though_one_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker is killed in mid-run; the run, in which half of the games begin from a recorded one, ends with the
    bits of a run without Ray."""
    position = Position(load("push_of_faith").configure({"players": 2}), 1)
    for _ in range(9):
        position.play(int(position.legal_actions()[0]))
    write_record(position, tmp_path / "game.jsonl")
    td = {**TINY["td"], "starts": {"share": 0.5, "files": [str(tmp_path / "game.jsonl")]}}
    run(write(tmp_path, "alone", td=td), [], None)
    iterate, lost = TdTraining.iterate, []

    def kill(training: TdTraining) -> None:
        assert isinstance(training.selfplay, ClusterPlay)
        if training.games >= 16 and not lost:
            lost.append(ray.get(training.selfplay.cluster.workers[0].process.remote()))
            os.kill(lost[0], signal.SIGKILL)
        iterate(training)

    monkeypatch.setattr(TdTraining, "iterate", kill)
    run(write(tmp_path, "together", td=td, ray={"workers": 2}), [], None)
    assert lost and not ray.is_initialized()
    last = [checkpoint.latest(tmp_path / name) for name in ("alone", "together")]
    for name in (checkpoint.POLICY, checkpoint.OPTIMIZER):
        same = (last[0] / name).read_bytes() == (last[1] / name).read_bytes()
        assert same, name  # without a listing of what differs


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
