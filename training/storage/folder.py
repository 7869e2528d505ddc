"""The folder of a run: its configuration, what it was made with, and its metrics. Checkpoints are in `checkpoint.py`.

config.yaml      the training file in force          curve.png        games won, see `curve.py`
versions.json    what the run was made with          tensorboard/     the metrics again
metrics.jsonl    a line a rollout                    pool/            past selves, see `learning/opponent_pool.py`
evaluation.json  the evaluation at the end           .lock            held while a process works here
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import os
import platform
import warnings
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, Field

from theogony import __version__
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import naming, replace_file
from theogony.envs.core.untrusted.outside import parse_json, read_bytes
from theogony.training.config.engines import Config
from theogony.training.storage.disk import is_used, remove_leftovers
from theogony.training.storage.mirrors import local

CONFIG, METRICS = "config.yaml", "metrics.jsonl"
LIBRARIES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "safetensors")
LARGEST = 1 << 30  # bytes of metrics
LONGEST = 1 << 20  # bytes of a line of them


def new_folder(config: Config, config_path: Path) -> Path:
    """Where a new run goes: the folder of the file, or `runs/` and its name, with a number when that is taken."""
    wanted = Path(config.folder) if config.folder else Path("runs") / config_path.stem
    folder, number = local(wanted, writes=True), 1
    while is_used(folder):
        number += 1
        folder = local(wanted.with_name(f"{wanted.name}-{number}"), writes=True)
    return folder


def write_config(config: Config, folder: Path) -> None:
    """The configuration in force, as a training file."""
    text = yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False)
    replace_file(folder / CONFIG, text.encode())


def write_versions(folder: Path, **more: str) -> None:
    """What a run was made with."""
    versions = {
        "theogony": __version__,
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in LIBRARIES},
        **more,
        "platform": platform.platform(),
        "processors": os.cpu_count(),
    }
    replace_file(folder / "versions.json", json.dumps(versions, indent=1).encode())


def tidy(folder: Path) -> None:
    """Remove what killed processes left half-written."""
    for part in (folder, folder / "pool", folder / "checkpoints"):
        remove_leftovers(part)


# ---------------------------------------------------------------------------------------------------- metrics


class Won(BaseModel, extra="allow", strict=True):
    """An evaluation in short."""

    won: float


class Line(BaseModel, extra="allow", strict=True):
    """What is read of a line of metrics; the other figures may be anything."""

    steps: Annotated[int, Field(ge=0, lt=10**12)]
    seconds: float = 0.0
    won: float | None = None
    greedy_share: float | None = None
    evaluation: dict[str, Won] = {}


def add_metrics(folder: Path, metrics: dict[str, Any]) -> None:
    """Write a line of metrics. A figure that is not finite is null."""
    strange = {name for name, value in metrics.items() if isinstance(value, float) and not math.isfinite(value)}
    path = folder / METRICS
    with naming(path), path.open("ab") as file:
        file.write(json.dumps(metrics | dict.fromkeys(strange)).encode() + b"\n")


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The lines of metrics. A last one that a kill cut off is left out, others that are none with a warning."""
    path = folder / METRICS
    if not path.exists():
        return []
    *lines, _ = read_bytes(path, str(path), ValueError, LARGEST).split(b"\n")
    found = []
    for number, line in enumerate(lines, 1):
        what = f"{path}: line {number}"
        try:
            content = parse_json(line, what, ValueError, LONGEST)
            checked(Line, content, what, ValueError)
        except ValueError as error:
            warnings.warn(f"{error}; the line is left out", stacklevel=2)
            continue
        found.append(content)
    return found


def forget_metrics_after(folder: Path, steps: int) -> list[dict[str, Any]]:
    """Drop the lines that were written after so many steps. Returns the others."""
    kept = [line for line in read_metrics(folder) if line["steps"] <= steps]
    replace_file(folder / METRICS, "".join(json.dumps(line) + "\n" for line in kept).encode())
    return kept
