"""Plots of the report, as SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from theogony.benchmark.score import profile, resampled_means

if TYPE_CHECKING:
    from theogony.benchmark.regret.figures import Row

# The same picture whenever it is drawn, with text that can be searched, in which nothing is a formula.
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "theogony",
    "text.parse_math": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "savefig.bbox": "tight",
}
PANELS = 3  # of learning curves, in a row
SEED = 3  # of the rng that draws seeds anew
PATH, DIGITS = re.compile(r' d="[^"]*"'), re.compile(r"(\.\d)\d+")  # a tenth of a point is exact enough


def intervals_svg(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Names with a dot and an interval each: (name, middle, low, high)."""
    names, (middle, low, high) = [name for name, *_ in rows], np.array([row[1:] for row in rows]).T
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6, 0.6 + 0.28 * len(rows)))
        axes = figure.subplots()
        places = range(len(rows))
        axes.errorbar(middle, places, xerr=[np.maximum(middle - low, 0), np.maximum(high - middle, 0)], fmt="o", lw=2)
        for place, value in zip(places, middle, strict=True):
            axes.annotate(f"{value:.2f}", (1.02, place), xycoords=("axes fraction", "data"), va="center")
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.set_xlabel("score")
        for mark in (0.0, 1.0):
            axes.axvline(mark, color="0.85", zorder=0)
        return svg_of(figure)


def spending_svg(rows: Sequence[Row], ratings: Mapping[tuple[str, str], tuple[float, float, float]]) -> str:
    """What a decision costs each agent, and ratings where there are any, over tokens a decision and dollars a game.

    Agents that write no tokens have no place on these axes: theirs are lines across. A row of panels for each table.
    """
    tables = list(dict.fromkeys(row.table for row in rows))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 2.6 * len(tables) * (2 if ratings else 1) + 0.6), layout="constrained")
        panels = figure.subplots(len(tables) * (2 if ratings else 1), 2, squeeze=False)
        for number, (table, what) in enumerate((table, what) for table in tables for what in range(1 + bool(ratings))):
            points = [
                (row, (row.cost.mean, row.cost.low, row.cost.high)) if what == 0 else (row, ratings.get(row[:2]))
                for row in rows
                if row.table == table
            ]
            for axes, over in zip(panels[number], ("tokens", "dollars"), strict=True):
                _spending(axes, points, over)
                axes.set(xlabel={"tokens": "tokens written a decision", "dollars": "dollars a game"}[over])
                axes.set(title=table, ylabel="rating" if what else f"cost of a decision, {points[0][0].unit}")
        _legend_below(figure)
        return svg_of(figure)


def _spending(axes: Any, points: Sequence[tuple[Row, tuple[float, float, float] | None]], over: str) -> None:
    for number, (row, height) in enumerate(points):
        spent, colour = getattr(row, over), f"C{number % 10}"
        if height is not None and spent is None:
            axes.axhline(height[0], color=colour, lw=1, ls="--", label=_label(row.agent))
            axes.axhspan(height[1], height[2], color=colour, alpha=0.1, lw=0)
        elif height is not None:
            middle, low, high = height
            ends = [[max(middle - low, 0)], [max(high - middle, 0)]]
            axes.errorbar([spent], [middle], yerr=ends, fmt="o", color=colour, label=_label(row.agent))


def profiles_svg(entries: Sequence[tuple[str, np.ndarray]]) -> str:
    """The share of runs and tasks that score more than each threshold, a line each agent."""
    scores = np.concatenate([matrix.ravel() for _, matrix in entries])
    thresholds = np.linspace(min(0.0, float(scores.min())) - 0.05, max(1.0, float(scores.max())) + 0.05, 201)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6, 3))
        axes = figure.subplots()
        for name, matrix in entries:
            axes.plot(thresholds, profile(matrix, thresholds), label=_label(name))
        axes.set(xlabel="score", ylabel="share above it", ylim=(0, 1.02))
        for mark in (0.0, 1.0):
            axes.axvline(mark, color="0.85", zorder=0)
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        return svg_of(figure)


def curves_svg(curves: pd.DataFrame, over: str, unit: str) -> str:
    """Shares of games won over what was spent on learning, a panel for each task: seeds thin, their mean thick, with a
    band for its 95 % interval over seeds. `curves` has a row for each task, agent, seed and point."""
    tasks, agents = list(curves["task"].unique()), list(curves["agent"].unique())
    wide = min(PANELS, len(tasks))
    tall = -(-len(tasks) // wide)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(3.2 * wide, 2.2 * tall + 0.4), layout="constrained")
        panels = figure.subplots(tall, wide, squeeze=False).ravel()
        for axes, task in zip(panels, tasks, strict=False):
            axes.set(title=task, xlabel=unit, ylim=(0, 1))
            for number, agent in enumerate(agents):
                rows = curves.query("task == @task and agent == @agent")
                seeds = [(np.array(one[over], float), np.array(one["won"], float)) for _, one in rows.groupby("seed")]
                if seeds:
                    _draw(axes, seeds, f"C{number % 10}", _label(agent))
        for axes in panels[len(tasks) :]:
            axes.set_axis_off()
        _legend_below(figure)
        return svg_of(figure)


def _draw(axes: Any, seeds: Sequence[tuple[np.ndarray, np.ndarray]], colour: str, label: str) -> None:
    common = np.linspace(max(x[0] for x, _ in seeds), min(x[-1] for x, _ in seeds), 50)
    won = np.array([np.interp(common, x, y) for x, y in seeds])
    axes.plot(common, won.mean(axis=0), color=colour, label=label, gid=f"mean-{len(axes.lines)}")
    if len(seeds) > 1:
        axes.fill_between(common, *band(won), color=colour, alpha=0.15)
        for x, y in seeds:
            axes.plot(x, y, color=colour, lw=0.5)


def band(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % interval of the mean over seeds, at each point: float64 (points,) each, of (seeds, points)."""
    again = resampled_means(values, np.random.default_rng(SEED))
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    return low, high


def _label(name: str) -> str:
    """A name for a legend, which leaves out those that begin with an underline."""
    return f"\u200b{name}" if name.startswith("_") else name


def _legend_below(figure: Figure) -> None:
    """One legend for all panels."""
    lines: dict[str, Any] = {}
    for axes in figure.axes:
        for line, label in zip(*axes.get_legend_handles_labels(), strict=True):
            lines.setdefault(label, line)
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=3, frameon=False)


def svg_of(figure: Figure) -> str:
    """Return a figure as SVG that is the same whenever it is drawn in `STYLE`."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    short = PATH.sub(lambda path: DIGITS.sub(r"\1", path[0]), out.getvalue())
    return "".join(f"{line.rstrip()}\n" for line in short.splitlines())
