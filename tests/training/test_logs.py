"""Where figures of a run go: CSV and TensorBoard for real; W&B and MLflow where they are installed."""

import csv
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from theogony.training.config import ConfigError
from theogony.training.learning import train

FILE: dict[str, Any] = {
    "game": "tictactoe:SPEC",
    "engine": "td",
    "environment": {"num_envs": 16},
    "algorithm": {"total_steps": 400, "batch_size": 64},
    "td": {"widths": [8]},
    "evaluation": {"every": 200, "games": 4, "against": ["greedy"], "final_games": 2},
    "checkpoint_every": 200,
}


@pytest.fixture(autouse=True)
def _allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")


def trained(folder: Path, *places: str) -> Path:
    file = folder / "agent.yaml"
    file.write_text(yaml.safe_dump({**FILE, "logging": list(places), "folder": str(folder / "run")}), "utf-8")
    train.run(file, [], None)
    return folder / "run"


def lines(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_csv_holds_every_figure_also_after_going_on(tmp_path: Path) -> None:
    run = trained(tmp_path, "csv")
    train.run(None, ["algorithm.total_steps=800"], run)
    with (run / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    metrics = lines(run)
    assert [int(row["steps"]) for row in rows] == [line["steps"] for line in metrics]
    assert rows[0]["train/error"] == "" and metrics[0]["steps"] == 0, "before learning there is no error"
    assert [float(row["train/error"]) for row in rows[1:]] == [line["train/error"] for line in metrics[1:]]
    found = [line["evaluation"]["greedy"]["won"] for line in metrics if "evaluation" in line]
    assert [float(row["evaluation/greedy"]) for row in rows if row["evaluation/greedy"]] == found and found
    assert not (run / "tensorboard").exists()


def test_a_library_that_is_missing_is_named_before_anything_is_made(tmp_path: Path, monkeypatch: Any) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "wandb" else find(name, *more))
    with pytest.raises(ConfigError, match="logging: wandb needs wandb, which is not installed here: pip install wandb"):
        trained(tmp_path, "csv", "wandb")
    assert not (tmp_path / "run").exists()


def test_an_unknown_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"line \d+: logging\.0: input should be 'csv', 'tensorboard', 'wandb'"):
        trained(tmp_path, "paper")


@pytest.mark.slow
def test_what_is_not_asked_for_is_not_imported(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom theogony.training.config.engines import Sb3Config, Sb3Ppo\n"
        "from theogony.training.learning.logs import logs\nfrom pathlib import Path\n"
        f"logs(Sb3Config(game='orbis', algorithm=Sb3Ppo(total_steps=1), logging=['csv']), Path({str(tmp_path)!r}), 0)\n"
        "print([name for name in ('tensorboard', 'wandb', 'mlflow') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_mlflow_keeps_a_run_in_its_folder(tmp_path: Path) -> None:
    mlflow: Any = pytest.importorskip("mlflow")
    run = trained(tmp_path, "mlflow")
    train.run(None, ["algorithm.total_steps=800"], run)
    mlflow.set_tracking_uri(f"sqlite:///{run / 'mlflow.db'}")
    (one,) = mlflow.search_runs(experiment_names=["theogony"], output_format="list")
    history = mlflow.MlflowClient().get_metric_history(one.info.run_id, "train/error")
    assert [point.step for point in history] == [line["steps"] for line in lines(run)]


def test_wandb_keeps_a_run_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    run = trained(tmp_path, "wandb")
    assert list(run.glob("wandb/offline-run-*/*.wandb"))
