"""Runs: what they write, that they go on bit-equal after a kill, and what the learner is told."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from tests.training.loaded import loaded
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.rng import mixed
from theogony.envs.push_of_faith.game import SPEC
from theogony.training.config import ConfigError
from theogony.training.config.engines import Sb3Config
from theogony.training.config.file import load_config
from theogony.training.learning.opponent_pool import Opposition
from theogony.training.learning.sb3 import Sb3Training
from theogony.training.learning.train import run
from theogony.training.networks.policy import act
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.disk import InUse
from theogony.training.storage.folder import new_folder, read_metrics

Write = Callable[..., Path]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "theogony", "train", *map(str, arguments)]


def figures(folder: Path) -> list[dict[str, Any]]:
    """The metrics without the time they took."""
    times = ("seconds", "cpu")
    return [{name: value for name, value in line.items() if name not in times} for line in read_metrics(folder)]


def last(folder: Path) -> Path:
    return checkpoint.latest(folder)


def train_and_kill(path: Path, folder: Path, after: int) -> None:
    """Start a run in a process of its own and kill it when so many rollouts were written."""
    process = subprocess.Popen(command(path, f"folder={folder}"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    metrics, deadline = folder / "metrics.jsonl", time.monotonic() + 300
    while not metrics.exists() or metrics.read_bytes().count(b"\n") < after:
        assert process.poll() is None, "the run ended before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


@pytest.mark.slow
def test_a_killed_run_goes_on_as_if_nothing_had_happened(write: Write, tmp_path: Path) -> None:
    path = write(algorithm={**load_raw(write)["algorithm"], "total_steps": 1200})
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    run(path, [f"folder={whole}"], None)
    train_and_kill(path, cut, after=9)
    killed_at = int(last(cut).name)
    assert 0 < killed_at < 1200, "killed in the middle"
    done = subprocess.run(command("--resume", cut), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert figures(cut) == figures(whole)
    for name in ("policy.safetensors", "optimizer.safetensors"):
        assert (last(cut) / name).read_bytes() == (last(whole) / name).read_bytes(), name
    one, other = checkpoint.read(last(cut)), checkpoint.read(last(whole))
    assert one.arrays.keys() == other.arrays.keys()
    for name, array in one.arrays.items():
        assert array.tobytes() == other.arrays[name].tobytes(), name
    assert {**one.numbers, "seconds": 0} == {**other.numbers, "seconds": 0}
    assert (cut / "evaluation.json").read_text() == (whole / "evaluation.json").read_text()


def load_raw(write: Write) -> dict[str, Any]:
    import yaml

    return yaml.safe_load(write().read_text())


@pytest.mark.slow
def test_a_run_writes_everything_into_its_folder(write: Write, tmp_path: Path, capsys: Any) -> None:
    run(write(), ["export_sb3=true", "curriculum.raise_above=0.0"], None)
    folder = tmp_path / "run"
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "config.yaml", "versions.json", "metrics.jsonl", "curve.png", "tensorboard", "checkpoints", "pool",
        "evaluation.json", "sb3.zip", ".lock",
    }  # fmt: skip
    assert loaded(Sb3Config, folder / "config.yaml").export_sb3
    assert json.loads((folder / "versions.json").read_text())["torch"] == torch.__version__
    before, *lines = read_metrics(folder)
    assert before["steps"] == 0 and set(before["evaluation"]) == {"random"}, "the agent before it learns"
    assert [line["steps"] for line in lines] == list(range(40, 481, 40))
    assert [line["steps"] for line in lines if "evaluation" in line] == [160, 320, 480]
    assert all(0 <= line["evaluation"]["random"]["drawn"] <= 1 for line in lines if "evaluation" in line)
    assert all(np.isfinite(line["train/value_loss"]) for line in lines)
    shares = [line["greedy_share"] for line in lines]
    assert shares == sorted(shares) and shares[-1] > 0, "the curriculum became harder"
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert any((folder / "tensorboard").iterdir())
    results = json.loads((folder / "evaluation.json").read_text())
    assert [(result["against"], result["games"]) for result in results] == [("random", 10)]
    printed = capsys.readouterr().out
    assert "before learning: " in printed and "% against random" in printed and "steps/s" in printed
    check_export(folder)


def check_export(folder: Path) -> None:
    """SB3 itself loads the export, and it chooses as our agent does."""
    game = SPEC.configure({"players": 2})
    batch = Batch(game, 16, seed=0)
    model = MaskablePPO.load(folder / "sb3.zip", device="cpu")
    chosen, _ = model.predict(batch.observations, action_masks=batch.masks, deterministic=True)
    assert np.array_equal(chosen, act(checkpoint.read_policy(last(folder), game), batch.observations, batch.masks))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_agent_and_another_one_another(write: Write, tmp_path: Path) -> None:
    content = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        run(
            write(
                algorithm={**load_raw(write)["algorithm"], "total_steps": 120}, seed=seed, folder=str(tmp_path / name)
            ),
            [],
            None,
        )
        content.append((last(tmp_path / name) / "policy.safetensors").read_bytes())
    assert content[0] == content[1] != content[2]


@pytest.mark.slow
def test_more_steps_for_a_run_that_is_over(write: Write, tmp_path: Path) -> None:
    run(write(), [], None)
    run(None, ["algorithm.total_steps=560"], tmp_path / "run")
    assert read_metrics(tmp_path / "run")[-1]["steps"] == 560
    assert last(tmp_path / "run").name == "000000000560"


def test_the_steps_that_are_made_are_announced(write: Write, tmp_path: Path, capsys: Any) -> None:
    run(write(), ["algorithm.total_steps=50", "evaluation.final_games=2"], None)
    assert "80 steps (total_steps 50, in whole rollouts of 40), run folder" in capsys.readouterr().out
    run(None, [], tmp_path / "run")
    printed = capsys.readouterr().out
    assert f"{tmp_path / 'run'} has made all its 80 steps; for more: theogony train --resume" in printed
    assert last(tmp_path / "run").name == "000000000080"


def test_settings_of_opponents_that_nobody_plays_are_told(write: Write, capsys: Any) -> None:
    settings = {"opponents": [{"player": "random"}], "self_play": {"size": 3}, "curriculum": {}}
    run(write(**settings), ["algorithm.total_steps=40", "evaluation.final_games=2"], None)
    said = capsys.readouterr().out
    assert "self_play: its settings do nothing, since `self` is not among the opponents\n" in said
    assert "curriculum:" not in said


def test_the_learning_rate_goes_from_start_to_end_and_not_beyond(write: Write, tmp_path: Path) -> None:
    """Each update has that of the beginning of its rollout, as in the other engines; the last may go past the steps."""
    run(write(), ["algorithm.total_steps=90", "evaluation.final_games=2"], None)
    rates = [line["train/learning_rate"] for line in read_metrics(tmp_path / "run")[1:]]
    assert rates == pytest.approx([1e-3 - 9e-4 * steps / 90 for steps in (0, 40, 80)])


def test_a_run_that_was_killed_before_its_first_checkpoint_begins(write: Write, tmp_path: Path) -> None:
    run(write(), ["algorithm.total_steps=40", "evaluation.final_games=2"], None)
    folder = tmp_path / "run"
    begun = (last(folder) / "policy.safetensors").read_bytes()
    for path in folder.iterdir():
        if path.name != "config.yaml":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (folder / ".metrics.jsonl.7.0123abcd.tmp").write_bytes(b"half")
    run(None, [], folder)
    assert (last(folder) / "policy.safetensors").read_bytes() == begun
    assert not list(folder.glob(".*.tmp"))


@pytest.mark.slow
def test_a_run_falls_back_to_its_last_whole_checkpoint(write: Write, tmp_path: Path) -> None:
    """And ends as it did: weights, and the metrics without the lines that came after that checkpoint."""
    run(write(), [], None)
    folder = tmp_path / "run"
    weights, lines = (last(folder) / "policy.safetensors").read_bytes(), figures(folder)
    damaged = last(folder) / "state.npz"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    with pytest.warns(UserWarning, match=r"000000000480/state\.npz: is damaged.*the checkpoint before it is taken"):
        run(None, [], folder)
    assert (last(folder) / "policy.safetensors").read_bytes() == weights
    assert figures(folder) == lines


@pytest.mark.slow
def test_two_at_once(write: Write, tmp_path: Path) -> None:
    """The second is refused, and the lock ends with its process, however that ends."""
    run(write(), ["algorithm.total_steps=40", "evaluation.final_games=2"], None)
    folder = tmp_path / "run"
    code = "import sys, time; from pathlib import Path; from theogony.training.storage.disk import only_here\n"
    code += "with only_here(Path(sys.argv[1])): print('held', flush=True); time.sleep(600)"
    holder = subprocess.Popen([sys.executable, "-c", code, folder], stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    with pytest.raises(InUse, match="another process works in this folder"):
        run(None, [], folder)
    holder.kill()
    holder.wait()
    run(None, [], folder)


def test_metrics_that_are_none(write: Write, tmp_path: Path) -> None:
    run(write(), ["algorithm.total_steps=80"], None)
    path = tmp_path / "run" / "metrics.jsonl"
    bad = ["[]", "7", '{"steps": "many"}', "[" * 100_000, '{"steps": 60, "won": "x"}', '{"steps": NaN}', "\x1b[31m"]
    path.write_text("\n".join([*bad, *path.read_text().splitlines(), '{"steps": 1']))
    with pytest.warns(UserWarning) as said:
        found = read_metrics(tmp_path / "run")
    assert [line["steps"] for line in found] == [0, 40, 80]
    assert [str(w.message).split(": ")[1] for w in said] == [f"line {n}" for n in range(1, len(bad) + 1)]


@pytest.mark.slow
def test_the_players_of_an_evaluation_may_change(write: Write, tmp_path: Path) -> None:
    run(write(), [], None)
    run(None, ["algorithm.total_steps=640", "evaluation.against=[greedy]", "evaluation.every=80"], tmp_path / "run")
    assert (tmp_path / "run" / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_run_may_begin_with_the_network_of_another(write: Write, tmp_path: Path) -> None:
    run(write(), [], None)
    first = checkpoint.read(last(tmp_path / "run")).policy
    config = loaded(Sb3Config, write(start_from=str(tmp_path / "run")))
    training = Sb3Training(config, tmp_path / "second")
    training.begin()
    found = checkpoint.read(last(tmp_path / "second")).policy
    assert all(torch.equal(first[name], found[name]) for name in first)
    with pytest.raises(CheckpointError, match=r"its network has shared \[16\], that of this run shared \[9\]"):
        run(write(start_from=str(tmp_path / "run")), ["algorithm.net_arch.shared=[9]"], None)


@pytest.mark.slow
def test_errors_of_run(write: Write, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a training file or a run to resume, one of the two"):
        run(None, [], None)
    with pytest.raises(ConfigError, match="is no run"):
        run(None, [], tmp_path)
    with pytest.raises(ConfigError, match=r"opponents\.0\.player: there is no player 'runs/none'"):
        run(write(opponents=[{"player": "runs/none"}]), [], None)
    with pytest.raises(ConfigError, match=r"opponents\.0\.player: player 'greedy:x'"):
        run(write(opponents=[{"player": "greedy:x"}]), [], None)
    done = subprocess.run(command(tmp_path / "none.yaml"), capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.strip().endswith("none.yaml: cannot be read: No such file or directory")


@pytest.mark.slow
def test_a_run_of_other_options_cannot_go_on(write: Write, tmp_path: Path) -> None:
    run(write(), [], None)
    folder = tmp_path / "run"
    text = (folder / "config.yaml").read_text()
    (folder / "config.yaml").write_text(text.replace("options: {}", "options: {players: 3}"))
    with pytest.raises(CheckpointError, match=r"observation_length is \d+, but this game has"):
        run(None, [], folder)
    (folder / "config.yaml").write_text(text.replace("num_envs: 8", "num_envs: 4"))
    with pytest.raises(CheckpointError, match=r"array 'env/\w+' is .* was expected"):
        run(None, [], folder)


def test_a_new_run_never_overwrites_another(write: Write, tmp_path: Path) -> None:
    config = load_config(write())
    assert new_folder(config, tmp_path / "x.yaml") == tmp_path / "run"
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "metrics.jsonl").touch()
    assert new_folder(config, tmp_path / "x.yaml") == tmp_path / "run-2"
    assert new_folder(config.model_copy(update={"folder": None}), Path("a/x.yaml")) == Path("runs/x")


# ---------------------------------------------------------------------------------------------------- the learner


def test_evaluations_play_other_deals_than_training(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Batch] = []

    class Noted(Batch):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            made.append(self)

    def deals(batch: Batch) -> set[int]:
        return {mixed(int(batch.rows["seed"][row]), row, k) for row in range(batch.size) for k in range(50)}

    monkeypatch.setattr("theogony.training.rating.evaluate.Batch", Noted)
    training = Sb3Training(loaded(Sb3Config, write()), tmp_path)
    training.results(8)
    assert len(made) == 4, "each seat, the likeliest actions and drawn ones"
    assert all(deals(batch) == deals(made[0]) for batch in made), "the same in each"
    assert not deals(training.env.batch) & deals(made[0])


# ---------------------------------------------------------------------------------------------------- opponents


@pytest.mark.slow
def test_curriculum_rises_with_wins(write: Write, game: Game, tmp_path: Path) -> None:
    opposition = Opposition(loaded(Sb3Config, write()), game, tmp_path)
    assert not opposition.note([1.0] * 7), "not enough games yet"
    assert opposition.note([1.0]) and opposition.greed == 0.25
    assert opposition.measured == 1.0, "games that raised it were won"
    assert not opposition.note([0.0] * 8), "lost games do not raise it"
    for expected in (0.5, 0.75, 1.0):
        assert opposition.note([1.0] * 8) and opposition.greed == expected
    assert not opposition.note([1.0] * 8), "it is as hard as can be"
    assert (1.0, "greedy:1") in opposition.spec()


def test_pool_of_past_selves(write: Write, tmp_path: Path) -> None:
    training = Sb3Training(loaded(Sb3Config, write(folder=None)), tmp_path)
    training.begin()
    opposition, weights = training.opposition, weights_of(training.model.policy)
    for steps in (80, 160):
        opposition.join(weights, steps)
    assert [member.name for member in opposition.pool] == ["000000000080", "000000000160"], "two at most, the last ones"
    assert [weight for weight, player in opposition.spec() if player in opposition.pool] == [0.5, 0.5]
    state = json.loads(json.dumps(opposition.state(training.env.batch.players)))
    again = Opposition(training.config, training.game, tmp_path)
    policies = again.load_state(state, "state")
    assert [policy.name for policy in policies.values()] == ["000000000000"], "one that left still plays"  # pyright: ignore
    assert again.state(training.env.batch.players) == opposition.state(training.env.batch.players)


@pytest.mark.slow
def test_a_trained_run_as_opponent(write: Write, tmp_path: Path) -> None:
    run(write(), [], None)
    second = write(folder=str(tmp_path / "second"), opponents=[{"player": str(tmp_path / "run")}])
    run(second, ["evaluation.against=[random, " + str(tmp_path / "run") + "]"], None)
    results = json.loads((tmp_path / "second" / "evaluation.json").read_text())
    assert [result["against"] for result in results] == ["random", str(tmp_path / "run")]
