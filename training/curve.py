"""The learning curve of a run as a picture."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from theogony.envs.core.files import replace_file


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The lines of `metrics.jsonl`, up to the first that is not whole."""
    lines = []
    for line in (folder / "metrics.jsonl").read_text("utf-8").splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            break
    return lines


def draw_curve(folder: Path) -> None:
    """Write `curve.png`: games won against each fixed player and against the opponents of training, over the steps."""
    metrics = read_metrics(folder)
    figure = Figure(figsize=(8, 4.5), dpi=100, layout="constrained")
    axes = figure.add_subplot()
    steps = [line["steps"] / 1e6 for line in metrics]
    if any("won" in line for line in metrics):
        won = [100 * line.get("won", 0.0) for line in metrics]
        axes.plot(steps, won, color="0.75", label="opponents in training")
    if any("greedy_share" in line for line in metrics):
        share = [100 * line.get("greedy_share", 0.0) for line in metrics]
        axes.plot(steps, share, color="0.4", linestyle=":", label="share of greedy decisions they make")
    evaluated = [line for line in metrics if "evaluation" in line]
    for name in evaluated[-1]["evaluation"] if evaluated else ():
        points = [(line["steps"] / 1e6, 100 * line["evaluation"][name]["won"]) for line in evaluated]
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=f"against {name}")
    axes.set(xlabel="million steps", ylabel="% of games won", ylim=(-2, 102), title=folder.name)
    axes.grid(alpha=0.3)
    axes.legend(loc="best", fontsize=8)
    picture = io.BytesIO()
    FigureCanvasAgg(figure).print_png(picture)
    replace_file(folder / "curve.png", picture.getvalue())
