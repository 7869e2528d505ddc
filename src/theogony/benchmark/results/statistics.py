"""Aggregates over runs and tasks as Agarwal et al. (NeurIPS 2021) recommend them, in NumPy.

A matrix of scores is float64 (runs, tasks): each run, with a seed of its own, on every task.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

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
    deals = len(values)
    counts = rng.multinomial(deals, np.full(deals, 1 / deals), size=repetitions)
    return counts @ values / deals
