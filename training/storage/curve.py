"""The learning curve of a run as a picture."""

from __future__ import annotations

import io
import math
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from theogony.envs.core.untrusted.files import replace_file
from theogony.training.storage.folder import read_metrics


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


def _plain(text: str) -> str:
    """Text in which matplotlib sees no formula."""
    return text.replace("$", r"\$")
