"""Plots of the report, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from theogony.benchmark.score import profile, resampled_means
from theogony.envs.core.draw.svg import FAINT, INK, circle, element, line, picture, text

WIDTH, ROW, MARGIN = 420, 28, 24
HEIGHT = 240  # of a plot of profiles
PANELS, PANEL, TALL = 3, 240, 130  # of learning curves: in a row, and the size of one
SEED = 3  # of the rng that draws seeds anew
COLOURS = ("#1f6fb2", "#c4501e", "#2c8a4b", "#7a4fa3", "#a88400", "#4d4d4d", "#b03a6f", "#2a8f8f")


# A task and, by agent, a line for each seed: (x, y).
Panel = tuple[str, list[tuple[str, list[tuple[np.ndarray, np.ndarray]]]]]


def intervals_svg(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Names with a dot and an interval each: (name, middle, low, high)."""
    left = MARGIN + 9 * max(len(name) for name, *_ in rows)
    low, high = min(0.0, *(row[2] for row in rows)), max(1.0, *(row[3] for row in rows))
    bottom = MARGIN + ROW * len(rows)

    def at(value: float) -> float:
        return left + WIDTH * (value - low) / (high - low)

    parts = [line(at(mark), MARGIN - 8, at(mark), bottom, FAINT) for mark in (0.0, 1.0)]
    parts += [text(at(mark), bottom + 16, mark, 12, text_anchor="middle") for mark in (0.0, 1.0)]
    for k, (name, middle, begin, end) in enumerate(rows):
        y = MARGIN + ROW * (k + 0.5)
        parts.append(text(left - 12, y + 5, name, text_anchor="end"))
        parts.append(line(at(begin), y, at(end), y, INK, stroke_width=3))
        parts.append(circle(at(middle), y, 5, INK))
        parts.append(text(left + WIDTH + 12, y + 5, f"{middle:.2f}"))
    return picture(left + WIDTH + 80, bottom + 28, *parts)


def profiles_svg(entries: Sequence[tuple[str, np.ndarray]]) -> str:
    """The share of runs and tasks that score more than each threshold, a line each agent."""
    scores = np.concatenate([matrix.ravel() for _, matrix in entries])
    low, high = min(0.0, float(scores.min())) - 0.05, max(1.0, float(scores.max())) + 0.05
    thresholds = np.linspace(low, high, 201)
    x = MARGIN + 20 + WIDTH * (thresholds - low) / (high - low)
    parts = [line(x[0], MARGIN + HEIGHT * k / 4, x[-1], MARGIN + HEIGHT * k / 4, FAINT) for k in range(5)]
    parts += [text(x[0] - 6, MARGIN + HEIGHT * (1 - k / 4) + 4, f"{k / 4:g}", 11, text_anchor="end") for k in (0, 2, 4)]
    for mark in (0.0, 1.0):
        place = float(np.interp(mark, thresholds, x))
        parts.append(line(place, MARGIN, place, MARGIN + HEIGHT, FAINT))
        parts.append(text(place, MARGIN + HEIGHT + 16, f"score {mark:g}", 11, text_anchor="middle"))
    for k, (name, matrix) in enumerate(entries):
        colour = COLOURS[k % len(COLOURS)]
        y = MARGIN + HEIGHT * (1 - profile(matrix, thresholds))
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        parts.append(element("polyline", points=points, fill="none", stroke=colour, stroke_width=2))
        parts.append(text(x[-1] + 12, MARGIN + 16 * (k + 1), name, 13, colour))
    return picture(float(x[-1]) + 40 + 9 * max(len(name) for name, _ in entries), MARGIN + HEIGHT + 28, *parts)


def curves_svg(panels: Sequence[Panel], unit: str) -> str:
    """Shares of games won, from 0 to 1, over what was spent on learning: seeds thin, their mean thick, with a band for
    its 95 % interval over seeds."""
    names = list(dict.fromkeys(name for _, agents in panels for name, _ in agents))
    parts: list[str] = []
    wide, tall = PANEL + 70, TALL + 70
    for k, (task, agents) in enumerate(panels):
        parts += _panel(MARGIN + 20 + wide * (k % PANELS), MARGIN + tall * (k // PANELS), task, agents, names, unit)
    bottom = MARGIN + tall * -(-len(panels) // PANELS)
    for k, name in enumerate(names):
        parts.append(text(MARGIN, bottom + 18 * k, name, 13, COLOURS[k % len(COLOURS)]))
    return picture(MARGIN + wide * min(PANELS, len(panels)) + 20, bottom + 18 * len(names), *parts)


def _panel(
    left: float,
    top: float,
    task: str,
    agents: Sequence[tuple[str, list[tuple[np.ndarray, np.ndarray]]]],
    names: list[str],
    unit: str,
) -> list[str]:
    most = max(float(x[-1]) for _, seeds in agents for x, _ in seeds) or 1.0
    parts = [text(left, top, task, 13)]
    for share in (0.0, 0.5, 1.0):
        y = top + 12 + TALL * (1 - share)
        parts += [line(left, y, left + PANEL, y, FAINT), text(left - 6, y + 4, f"{share:g}", 11, text_anchor="end")]
    parts.append(text(left + PANEL, top + TALL + 28, f"{most:,.0f} {unit}", 11, text_anchor="end"))

    def points(x: np.ndarray, y: np.ndarray) -> str:
        spots = zip(left + PANEL * x / most, top + 12 + TALL * (1 - y), strict=True)
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)

    def drawn(x: np.ndarray, y: np.ndarray, colour: str, width: float) -> str:
        return element("polyline", points=points(x, y), fill="none", stroke=colour, stroke_width=width)

    for name, seeds in agents:
        colour = COLOURS[names.index(name) % len(COLOURS)]
        common = np.linspace(max(x[0] for x, _ in seeds), min(x[-1] for x, _ in seeds), 50)
        won = np.array([np.interp(common, x, y) for x, y in seeds])
        if len(seeds) > 1:
            low, high = band(won)
            round_it = points(np.concatenate([common, common[::-1]]), np.concatenate([high, low[::-1]]))
            parts.append(element("polygon", points=round_it, fill=colour, fill_opacity=0.15))
            parts += [drawn(x, y, colour, 0.5) for x, y in seeds]
        parts.append(drawn(common, won.mean(axis=0), colour, 2))
    return parts


def band(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % interval of the mean over seeds, at each point: float64 (points,) each, of (seeds, points)."""
    again = resampled_means(values, np.random.default_rng(SEED))
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    return low, high
