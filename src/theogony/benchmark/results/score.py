"""From games to figures: counts, mean rewards, scores with intervals. The same games always give the same figures."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from theogony.benchmark.figures import rounded
from theogony.benchmark.results import statistics
from theogony.benchmark.results.anchors import LEAST
from theogony.benchmark.results.file import Figure, Overall, PlayedTask, Results, Score, Series


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
        means = means_of(task, games)
        again = scores_again(task, means[None])[0]
        found = [
            _figure(task, against, series, means[:, k], again[:, k]) for k, (against, series) in enumerate(mine.items())
        ]
        figures += found
        known = [k for k, figure in enumerate(found) if figure.score is not None]
        if known and task.anchor is not None:
            opponents, spread = list(mine), again[:, known].mean(axis=1)
            score = float(np.mean([_scored(task, opponents[k], means[:, k].mean()) for k in known]))
            drawn.append(spread)
            bounds = _bounds(spread, len(means))
            scores.append(Score(task=task.id, one=task.anchor.player, score=rounded(score), **bounds))
    return Figures(figures, scores, _overall(scores, drawn))


def means_of(task: PlayedTask, games: Sequence[Series]) -> np.ndarray:
    """The rewards of each deal, the mean over the agent's seats: float64 (deals, opponents)."""
    columns = [
        np.mean([one.rewards for one in games if (one.task, one.against) == (task.id, against)], axis=0)
        for against in task.opponents
    ]
    return np.stack(columns, axis=1)


def scores_again(task: PlayedTask, runs: np.ndarray) -> np.ndarray:
    """Scores as they would be on other deals, float64 (runs, repetitions, opponents).

    `runs`, float64 (runs, deals, opponents), are what `means_of` gives for each run of an agent. Deals are drawn anew,
    with replacement. The agent, what scores 0 and what scores 1 played the same deals, so all are drawn together: a
    deal that is hard for the agent and for the reference player alike widens no interval. NaN against opponents for
    whom 0 and 1 are not known or not told apart.
    """
    count, deals, opponents = runs.shape
    columns = np.concatenate([*runs, *_anchor_deals(task, deals)], axis=1)
    rng = np.random.default_rng(zlib.crc32(task.digest.encode()))
    again = statistics.resampled_means(columns, rng).reshape(statistics.REPETITIONS, count + 2, opponents)
    zero, one = again[:, count], np.maximum(again[:, count + 1], again[:, count] + LEAST)
    return ((again[:, :count] - zero[:, None]) / (one - zero)[:, None]).transpose(1, 0, 2)


def task_scores_again(task: PlayedTask, runs: Sequence[Results]) -> np.ndarray:
    """Scores of a task as they would be on other deals, the mean over opponents: float64 (runs, repetitions).

    The same deals are drawn for all runs, whichever agents they are of, and whenever it is asked.
    """
    again = scores_again(task, np.stack([means_of(task, run.games) for run in runs]))
    return np.nanmean(again, axis=2)


def _anchor_deals(task: PlayedTask, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """What 0 and 1 got in every deal, float64 (deals, opponents) each; their means where no more is known."""
    both = np.full((2, deals, len(task.opponents)), np.nan)
    for k, against in enumerate(task.opponents):
        if _is_known(task, against):
            assert task.anchor is not None
            single = task.anchor.deals.get(against)
            both[:, :, k] = np.array(task.anchor.opponents[against])[:, None] if single is None else single
    return both[0], both[1]


def _is_known(task: PlayedTask, against: str) -> bool:
    return task.anchor is not None and task.anchor.score(against, 0.0) is not None


def _figure(task: PlayedTask, against: str, series: list[Series], means: np.ndarray, again: np.ndarray) -> Figure:
    counts = {letter: [one.results.count(letter) for one in series] for letter in "WDLC"}
    known = _is_known(task, against)
    losses = [lost + crashed for lost, crashed in zip(counts["L"], counts["C"], strict=True)]
    return Figure(
        task=task.id,
        against=against,
        wins=counts["W"],
        draws=counts["D"],
        losses=losses,
        crashes=counts["C"],
        reward=rounded(means.mean()),
        score=rounded(_scored(task, against, means.mean())) if known else None,
        **(_bounds(again, len(means)) if known else {"low": None, "high": None}),
    )


def _scored(task: PlayedTask, against: str, reward: float) -> float:
    assert task.anchor is not None
    score = task.anchor.score(against, reward)
    assert score is not None
    return score


def _overall(scores: list[Score], drawn: list[np.ndarray]) -> Overall | None:
    if not scores:
        return None
    row, again = np.array([[one.score for one in scores]]), np.stack(drawn, axis=1)
    spread = np.array([statistics.iqm(one) for one in again])
    gap = statistics.optimality_gap(row)
    return Overall(tasks=len(scores), iqm=rounded(statistics.iqm(row)), optimality_gap=rounded(gap), **_bounds(spread))


def _bounds(values: np.ndarray, deals: int | None = None) -> dict[str, float]:
    low, high = statistics.interval(values, deals)
    return {"low": rounded(low), "high": rounded(high)}
