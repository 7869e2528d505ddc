"""Learning curves as pictures: of one run, and of several together."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config import ConfigError
from theogony.training.config.file import read_yaml
from theogony.training.storage.folder import CONFIG, METRICS, read_metrics


def draw_curve(folder: Path) -> None:
    """Write `curve.png`: games won against each fixed player and against the opponents of training, over the steps."""
    metrics = read_metrics(folder)
    figure = Figure(figsize=(8, 4.5), dpi=100, layout="constrained")
    axes = figure.add_subplot()
    steps = [line["steps"] / 1e6 for line in metrics]
    if any(line.get("won") is not None for line in metrics):
        won = [math.nan if line.get("won") is None else 100 * line["won"] for line in metrics]  # nan leaves a gap
        axes.plot(steps, won, color="0.75", label="opponents in training")
    if any(line.get("greedy_share") is not None for line in metrics):
        share = [100 * (line.get("greedy_share") or 0.0) for line in metrics]
        axes.plot(steps, share, color="0.4", linestyle=":", label="share of greedy decisions they make")
    evaluated = [line for line in metrics if "evaluation" in line]
    for name in evaluated[-1]["evaluation"] if evaluated else ():
        points = [
            (line["steps"] / 1e6, 100 * line["evaluation"][name]["won"])
            for line in evaluated
            if name in line["evaluation"]  # the players may change when a run goes on
        ]
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=_plain(f"against {name}"))
    axes.set(xlabel="million steps", ylabel="% of games won", ylim=(-2, 102), title=_plain(folder.name))
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(loc="best", fontsize=8)
    picture = io.BytesIO()
    FigureCanvasAgg(figure).print_png(picture)
    replace_file(folder / "curve.png", picture.getvalue())


def draw_curves(folders: Sequence[Path], out: Path) -> None:
    """Draw the evaluations of several runs into one picture, a panel for each fixed player.

    Runs that differ in nothing but seed and folder are one line, their mean, in a band from the worst to the best.

    Args:
        folders: of runs.
        out: the picture, `.png` or `.svg`.

    Raises ConfigError where a folder is no run or was never evaluated, and for another kind of picture.
    """
    if out.suffix not in (".png", ".svg"):
        raise ConfigError(f"{out}: expected a picture, .png or .svg")
    runs = [(folder, _evaluated(folder)) for folder in folders]
    against = list(dict.fromkeys(name for _, found in runs for _, shares in found for name in shares))
    groups: dict[str, list[tuple[Path, list]]] = {}
    for run in runs:
        groups.setdefault(_but_for_the_seed(run[0]), []).append(run)
    figure = Figure(figsize=(1 + 5 * len(against), 4.5), dpi=100, layout="constrained")
    panels = figure.subplots(1, len(against), sharey=True, squeeze=False)[0]
    for panel, name in zip(panels, against, strict=True):
        for group in groups.values():
            _draw_group(panel, name, group)
        panel.set(xlabel="million steps", ylim=(-2, 102), title=_plain(f"against {name}"))
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("% of games won")
    panels[0].legend(loc="best", fontsize=8)
    picture = io.BytesIO()
    figure.savefig(picture, format=out.suffix[1:])
    replace_file(out, picture.getvalue())


def _evaluated(folder: Path) -> list[tuple[float, dict[str, float]]]:
    """Million steps and shares won, by fixed player, of each evaluation. Raises ConfigError."""
    if not (folder / METRICS).is_file():
        raise ConfigError(f"{folder}: is no run; expected a folder with {METRICS}")
    lines = [line for line in read_metrics(folder) if "evaluation" in line]
    if not lines:
        raise ConfigError(f"{folder}: has no evaluation yet")
    return [(line["steps"] / 1e6, {k: 100 * v["won"] for k, v in line["evaluation"].items()}) for line in lines]


def _but_for_the_seed(folder: Path) -> str:
    """The training file of a run without seed and folder; runs with the same are one group."""
    path = folder / CONFIG
    content = read_yaml(path)[0] if path.is_file() else {"run": str(folder)}
    return str({key: value for key, value in content.items() if key not in ("seed", "folder")})


def _draw_group(panel: Any, name: str, group: Sequence[tuple[Path, list]]) -> None:
    """The mean of runs, at the steps that all of them were evaluated at, and the band between them."""
    found = [{steps: shares[name] for steps, shares in evaluated if name in shares} for _, evaluated in group]
    steps = sorted(set.intersection(*map(set, found)))
    if not steps:
        return
    lines = np.array([[shares[at] for at in steps] for shares in found])
    label = group[0][0].name + (f" ({len(group)} seeds)" if len(group) > 1 else "")
    (drawn,) = panel.plot(steps, lines.mean(0), marker="o", markersize=3, label=_plain(label))
    if len(group) > 1:
        panel.fill_between(steps, lines.min(0), lines.max(0), alpha=0.2, color=drawn.get_color())


def _plain(text: str) -> str:
    """Text in which matplotlib sees no formula."""
    return text.replace("$", r"\$")
