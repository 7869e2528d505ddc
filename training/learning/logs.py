"""Where the figures of a run go besides `metrics.jsonl`: TensorBoard, CSV, Weights & Biases, MLflow.

`logging: [csv, tensorboard, wandb, mlflow]` of a training file names them. A library is imported when it is named, and
whether it is there is asked before the run begins. Where W&B and MLflow send figures is theirs to say, by their own
environment variables (WANDB_MODE=offline, MLFLOW_TRACKING_URI); the run's folder is the default of both.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from theogony.envs.core.untrusted.files import naming, replace_file
from theogony.training.config.engines import LocalConfig
from theogony.training.storage.folder import read_metrics

CSV, BOARD, WANDB, MLFLOW = "metrics.csv", "tensorboard", "wandb", "mlflow"
PROJECT = "theogony"
IDENTITY = "logging.json"  # in the run: the ids under which W&B and MLflow know it, so that it goes on there


class Log:
    """One place where figures go, for a run in its folder that has made so many steps."""

    def __init__(self, config: LocalConfig, folder: Path, steps: int) -> None:
        raise NotImplementedError

    def write(self, steps: int, figures: Mapping[str, float]) -> None:
        """The figures after so many steps."""
        raise NotImplementedError

    def flush(self) -> None:
        """Have everything on its way, where that takes more than `write`."""

    def close(self) -> None:
        """The run has ended."""


def missing(config: LocalConfig) -> str | None:
    """What to install for the places that a training file names, if anything."""
    for name in config.logging:
        library = LIBRARIES[name]
        if library and importlib.util.find_spec(library) is None:
            return f"logging: {name} needs {library}, which is not installed here: pip install {library}"
    return None


def logs(config: LocalConfig, folder: Path, steps: int) -> list[Log]:
    """The places that a training file names, for a run that has made so many steps."""
    return [LOGS[name](config, folder, steps) for name in config.logging]


def figures_of(metrics: Mapping[str, Any]) -> dict[str, float]:
    """A line of metrics as figures by name: `run/won`, `train/loss`, `evaluation/greedy`."""
    found = {
        name if "/" in name else f"run/{name}": float(value)
        for name, value in metrics.items()
        if isinstance(value, int | float) and name != "steps"
    }
    for name, result in metrics.get("evaluation", {}).items():
        found[f"evaluation/{name.replace(':', '_')}"] = float(result["won"])
    return found


# ---------------------------------------------------------------------------------------------------- the places


class CsvFile(Log):
    """`metrics.csv`: a line a rollout. Columns that come later are added, the lines before have none of them."""

    def __init__(self, config: LocalConfig, folder: Path, steps: int) -> None:
        self._path = folder / CSV
        self._rows = [{"steps": line["steps"], **figures_of(line)} for line in read_metrics(folder)]
        self._columns: list[str] = []
        self._write_all()

    def write(self, steps: int, figures: Mapping[str, float]) -> None:
        row = {"steps": steps, **figures}
        self._rows.append(row)
        if any(name not in self._columns for name in row):
            return self._write_all()
        with naming(self._path), self._path.open("a", newline="") as file:
            csv.DictWriter(file, self._columns).writerow(row)

    def _write_all(self) -> None:
        self._columns = list(dict.fromkeys(name for row in self._rows for name in row)) or ["steps"]
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, self._columns)
        writer.writeheader()
        writer.writerows(self._rows)
        replace_file(self._path, text.getvalue().encode())


class Board(Log):
    """TensorBoard's event files."""

    def __init__(self, config: LocalConfig, folder: Path, steps: int) -> None:
        writer = importlib.import_module("torch.utils.tensorboard").SummaryWriter
        self._folder = folder / BOARD
        self._writer = writer(str(self._folder), purge_step=steps + 1)

    def write(self, steps: int, figures: Mapping[str, float]) -> None:
        with naming(self._folder):
            for name, value in figures.items():
                self._writer.add_scalar(name, value, steps)

    def flush(self) -> None:
        with naming(self._folder):
            self._writer.flush()

    def close(self) -> None:
        self._writer.close()


class Wandb(Log):
    """A run of Weights & Biases."""

    def __init__(self, config: LocalConfig, folder: Path, steps: int) -> None:
        wandb = importlib.import_module("wandb")
        known = _identity(folder).get(WANDB)
        self._run = wandb.init(
            project=os.environ.get("WANDB_PROJECT", PROJECT),
            name=folder.name,
            id=known,
            resume="allow",
            dir=str(folder),
            config=config.model_dump(mode="json"),
        )
        _remember(folder, WANDB, self._run.id)

    def write(self, steps: int, figures: Mapping[str, float]) -> None:
        self._run.log(dict(figures), step=steps)

    def close(self) -> None:
        self._run.finish()


class Mlflow(Log):
    """A run of MLflow, by default in `mlflow.db` of the run's folder."""

    def __init__(self, config: LocalConfig, folder: Path, steps: int) -> None:
        self._mlflow = importlib.import_module("mlflow")
        if not os.environ.get("MLFLOW_TRACKING_URI"):
            self._mlflow.set_tracking_uri(f"sqlite:///{(folder / 'mlflow.db').absolute()}")
        self._mlflow.set_experiment(os.environ.get("MLFLOW_EXPERIMENT_NAME", PROJECT))
        known = _identity(folder).get(MLFLOW)
        self._run = self._mlflow.start_run(run_id=known, run_name=None if known else folder.name)
        if known is None:
            self._mlflow.log_dict(config.model_dump(mode="json"), "config.json")
            _remember(folder, MLFLOW, self._run.info.run_id)

    def write(self, steps: int, figures: Mapping[str, float]) -> None:
        self._mlflow.log_metrics(dict(figures), step=steps)

    def close(self) -> None:
        self._mlflow.end_run()


def _identity(folder: Path) -> dict[str, str]:
    path = folder / IDENTITY
    try:
        content = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    except ValueError:
        content = {}
    return content if isinstance(content, dict) else {}


def _remember(folder: Path, name: str, number: str) -> None:
    replace_file(folder / IDENTITY, json.dumps({**_identity(folder), name: number}).encode())


LOGS: dict[str, type[Log]] = {"csv": CsvFile, "tensorboard": Board, "wandb": Wandb, "mlflow": Mlflow}
LIBRARIES = {"csv": "", "tensorboard": "tensorboard", "wandb": "wandb", "mlflow": "mlflow"}
