"""From games to figures: counts, mean rewards, scores with intervals. The same games always give the same figures."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from theogony.benchmark.results import statistics
from theogony.benchmark.results.file import Figure, Overall, PlayedTask, Score, Series

DIGITS = 6  # of figures: the last bits of a mean are not the same on every machine


class Figures(NamedTuple):
    """All that follows from games."""

    figures: list[Figure]
    scores: list[Score]
    overall: Overall | None


def figures_of(tasks: Sequence[PlayedTask], games: Sequence[Series]) -> Figures:
    """The figures of a results file."""
    figures, scores, drawn = [], [], []
    for task in tasks:
        mine = {against: [s for s in games if (s.task, s.against) == (task.id, against)] for against in task.opponents}
        means = np.stack([np.mean([one.rewards for one in series], axis=0) for series in mine.values()], axis=1)
        rng = np.random.default_rng(zlib.crc32(task.digest.encode()))
        again = statistics.resampled_means(means, rng)
        found = [
            _figure(task, against, series, means[:, k], again[:, k]) for k, (against, series) in enumerate(mine.items())
        ]
        figures += found
        known = [k for k, figure in enumerate(found) if figure.score is not None]
        if known and task.anchor is not None:
            opponents = list(mine)
            spread = np.mean([_scored(task, opponents[k], again[:, k]) for k in known], axis=0)
            score = float(np.mean([_scored(task, opponents[k], means[:, k].mean()) for k in known]))
            drawn.append(spread)
            scores.append(Score(task=task.id, one=task.anchor.player, score=_r(score), **_bounds(spread)))
    return Figures(figures, scores, _overall(scores, drawn))


def _figure(task: PlayedTask, against: str, series: list[Series], means: np.ndarray, again: np.ndarray) -> Figure:
    counts = {letter: [one.results.count(letter) for one in series] for letter in "WDLC"}
    reward = _r(means.mean())
    known = task.anchor is not None and task.anchor.score(against, 0.0) is not None
    score = _r(_scored(task, against, means.mean())) if known else None
    bounds = _bounds(_scored(task, against, again)) if known else {"low": None, "high": None}
    losses = [lost + crashed for lost, crashed in zip(counts["L"], counts["C"], strict=True)]
    return Figure(
        task=task.id,
        against=against,
        wins=counts["W"],
        draws=counts["D"],
        losses=losses,
        crashes=counts["C"],
        reward=reward,
        score=score,
        **bounds,
    )


def _scored(task: PlayedTask, against: str, rewards: np.ndarray) -> np.ndarray:
    assert task.anchor is not None
    zero, one = task.anchor.opponents[against]
    return (rewards - zero) / (one - zero)


def _overall(scores: list[Score], drawn: list[np.ndarray]) -> Overall | None:
    if not scores:
        return None
    row, again = np.array([[one.score for one in scores]]), np.stack(drawn, axis=1)
    spread = np.array([statistics.iqm(one) for one in again])
    gap = statistics.optimality_gap(row)
    return Overall(tasks=len(scores), iqm=_r(statistics.iqm(row)), optimality_gap=_r(gap), **_bounds(spread))


def _bounds(values: np.ndarray) -> dict[str, float]:
    low, high = statistics.interval(values)
    return {"low": _r(low), "high": _r(high)}


def _r(number: float | np.ndarray) -> float:
    return round(float(number), DIGITS) + 0.0  # no -0.0
