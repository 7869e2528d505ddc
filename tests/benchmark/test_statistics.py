"""Aggregates against values worked out by hand, those that rliable publishes, and a simulation of coverage."""

import numpy as np
import pytest

from theogony.benchmark.results.statistics import (
    bootstrap_interval,
    interval,
    iqm,
    optimality_gap,
    probability_of_improvement,
    profile,
    resampled_means,
)

# The matrices of rliable's own tests (tests/rliable/metrics_test.py), and what it finds for them.
X = np.array([[1, 2], [2, 2], [1, 1], [2, 1]])
Y = np.array([[1, 1], [2, 2], [3, 3]])


def test_published_values() -> None:
    assert iqm(X) == 1.5
    assert iqm(Y) == 2
    assert probability_of_improvement(X, Y) == pytest.approx(1 / 3)


def test_iqm_by_hand() -> None:
    assert iqm(np.array([[100.0, 1.0, 2.0, 3.0, -50.0, 4.0, 5.0, 6.0]])) == (2 + 3 + 4 + 5) / 4
    assert iqm(np.array([[0.0, 1.0, 8.0]])) == 3, "of fewer than four nothing is left out"


def test_others_by_hand() -> None:
    scores = np.array([[0.5, 1.5], [0.0, 1.0]])
    assert optimality_gap(scores) == pytest.approx(1 - (0.5 + 1 + 0 + 1) / 4)
    assert profile(scores, np.array([-1.0, 0.0, 0.75, 2.0])).tolist() == [1.0, 0.75, 0.5, 0.0]
    assert probability_of_improvement(scores, scores) == 0.5
    with pytest.raises(ValueError, match="the same tasks"):
        probability_of_improvement(scores, scores[:, :1])


def test_resampling_stays_within_a_task() -> None:
    scores = np.array([[0.0, 10.0], [0.0, 10.0], [0.0, 10.0]])
    low, high = bootstrap_interval(scores, lambda matrix: float(matrix.mean()), np.random.default_rng(0), 50)
    assert low == high == 5.0


def test_intervals_of_runs_cover() -> None:
    """With ten runs a percentile interval of a mean is a little narrow: about 91 % is what theory expects."""
    rng, hits, trials = np.random.default_rng(3), 0, 300
    truth = np.array([0.2, 0.5, 0.9])
    for _ in range(trials):
        scores = truth + 0.3 * rng.standard_normal((10, 3))
        low, high = bootstrap_interval(scores, lambda matrix: float(matrix.mean()), rng, 200)
        hits += low <= truth.mean() <= high
    assert 0.87 < hits / trials < 0.98


def test_intervals_of_deals_cover() -> None:
    """The two games of a deal are alike, so that drawing games in place of deals would not cover."""
    rng, hits, trials = np.random.default_rng(4), 0, 400
    for _ in range(trials):
        deals = rng.random((60, 1)) < 0.4
        low, high = interval(resampled_means(deals.astype(float), rng, 300)[:, 0])
        hits += low <= 0.4 <= high
    assert 0.90 < hits / trials < 0.98
