"""From games to figures: counts, mean rewards, scores, and honest intervals of all of them."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from theogony.benchmark.results import LEAST, Figure, Overall, PlayedTask, Results, Score, Series, rounded

# ---- Aggregates over runs and tasks as Agarwal et al. (NeurIPS 2021) recommend them, in NumPy
#
# A matrix of scores is float64 (runs, tasks): each run, with a seed of its own, on every task.

REPETITIONS = 2000
LEVEL = 0.95


def iqm(scores: np.ndarray) -> float:
    """Interquartile mean over all entries: a quarter of them, rounded down, is left out at either end."""
    flat = np.sort(np.asarray(scores, np.float64), axis=None)
    cut = int(0.25 * len(flat))
    return float(flat[cut : len(flat) - cut].mean())


def optimality_gap(scores: np.ndarray, goal: float = 1.0) -> float:
    """How far scores are below `goal` on average; what is above it does not make up for what is below."""
    return float(goal - np.minimum(scores, goal).mean())


def profile(scores: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """The share of entries above each threshold, float64 (thresholds,)."""
    return (np.asarray(scores).reshape(-1, 1) > np.asarray(thresholds)).mean(axis=0)


def probability_of_improvement(ours: np.ndarray, theirs: np.ndarray) -> float:
    """How likely a run of ours is better than one of theirs in a task drawn at random; equal scores count half.

    Raises ValueError when the matrices are of other tasks.
    """
    if ours.shape[1] != theirs.shape[1]:
        raise ValueError(f"{ours.shape[1]} tasks and {theirs.shape[1]}: expected the same tasks for both")
    above = (ours[:, None, :] > theirs[None, :, :]) + 0.5 * (ours[:, None, :] == theirs[None, :, :])
    return float(above.mean())


def interval(values: np.ndarray, deals: int | None = None) -> tuple[float, float]:
    """The middle 95 % of bootstrapped values; a little more of those of one task with few `deals`.

    Of few deals drawn with replacement the middle 95 % are too narrow: their spread is that of a sample and not of
    all there is, and the ends are those of a normal distribution where Student's is meant. The "expanded percentile
    interval" of Hesterberg (The American Statistician, 2015) takes the share that makes up for both.
    """
    level = LEVEL if deals is None else expanded(deals)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def expanded(deals: int) -> float:
    """The share of bootstrapped means to take, so that 95 % of intervals hold the mean: 0.978 for 12 deals."""
    if deals <= 2:
        return 1.0
    normal, free = NormalDist(), deals - 1
    z = normal.inv_cdf((1 + LEVEL) / 2)
    student = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)  # Cornish and Fisher
    return 2 * normal.cdf(student * (deals / free) ** 0.5) - 1


def runs_again(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Runs drawn anew, with replacement, for each repetition and task: float64 (repetitions, runs, tasks) as given."""
    return np.take_along_axis(values, rng.integers(values.shape[1], size=values.shape), axis=1)


def resampled_means(values: np.ndarray, rng: np.random.Generator, repetitions: int = REPETITIONS) -> np.ndarray:
    """Means of deals drawn anew, float64 (repetitions, columns), from float64 (deals, columns).

    The columns of a deal stay together, since games of one deal are alike.
    """
    return counts_again(len(values), rng, repetitions) @ values / len(values)


def counts_again(deals: int, rng: np.random.Generator, repetitions: int = REPETITIONS) -> np.ndarray:
    """How often each deal is drawn where as many are drawn anew, with replacement: int64 (repetitions, deals)."""
    return rng.multinomial(deals, np.full(deals, 1 / deals), size=repetitions)


@functools.lru_cache(maxsize=64)
def _counts(seed: int, deals: int) -> np.ndarray:
    """The same for every agent of a task; drawing them takes longer than all that is made of them."""
    return counts_again(deals, np.random.default_rng(seed)).astype(np.uint16)


# ---- From games to figures: counts, mean rewards, scores with intervals. The same games always give the same figures


class Figures(NamedTuple):
    """All that follows from games."""

    figures: list[Figure]
    scores: list[Score]
    overall: Overall | None


def figures_of(tasks: Sequence[PlayedTask], games: Sequence[Series]) -> Figures:
    """The figures of a results file."""
    figures, scores, drawn = [], [], []
    for task in tasks:
        means, known = means_of(task, games), dict[int, float]()
        again = scores_again(task, means[None])[0]
        for k, against in enumerate(task.opponents):
            reward = float(means[:, k].mean())
            said: dict[str, Any] = {"score": None, "low": None, "high": None}
            if (score := task.score(against, reward)) is not None:
                known[k] = score
                said = {"score": rounded(score), **_bounds(again[:, k], len(means))}
            counts = _counts_of(task, against, games)
            figures.append(Figure(task=task.id, against=against, reward=rounded(reward), **counts, **said))
        if known and task.anchor is not None:
            drawn.append(again[:, list(known)].mean(axis=1))
            score, bounds = rounded(np.mean(list(known.values()))), _bounds(drawn[-1], len(means))
            scores.append(Score(task=task.id, one=task.anchor.player, score=score, **bounds))
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
    drawn = _counts(zlib.crc32(task.digest.encode()), deals)
    again = (drawn @ columns / deals).reshape(REPETITIONS, count + 2, opponents)
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
        if task.anchor is not None and task.score(against, 0.0) is not None:
            single = task.anchor.deals.get(against)
            both[:, :, k] = np.array(task.anchor.opponents[against])[:, None] if single is None else single
    return both[0], both[1]


def _counts_of(task: PlayedTask, against: str, games: Sequence[Series]) -> dict[str, list[int]]:
    """How many games ended so, by the agent's seat."""
    letters = {"wins": "W", "draws": "D", "losses": "LC", "crashes": "C"}
    series = [one.results for one in games if (one.task, one.against) == (task.id, against)]
    return {name: [sum(map(results.count, of)) for results in series] for name, of in letters.items()}


def _overall(scores: list[Score], drawn: list[np.ndarray]) -> Overall | None:
    if not scores:
        return None
    row, again = np.array([[one.score for one in scores]]), np.stack(drawn, axis=1)
    spread = np.array([iqm(one) for one in again])
    gap = optimality_gap(row)
    return Overall(tasks=len(scores), iqm=rounded(iqm(row)), optimality_gap=rounded(gap), **_bounds(spread))


def _bounds(values: np.ndarray, deals: int | None = None) -> dict[str, float]:
    low, high = interval(values, deals)
    return {"low": rounded(low), "high": rounded(high)}
