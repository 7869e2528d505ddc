"""Aggregates against values worked out by hand, those that rliable publishes, and a simulation of coverage."""

from statistics import NormalDist

import numpy as np
import pytest

from theogony.benchmark.results import Anchor, PlayedTask
from theogony.benchmark.score import (
    expanded,
    interval,
    iqm,
    optimality_gap,
    probability_of_improvement,
    profile,
    resampled_means,
    scores_again,
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


def test_intervals_of_deals_cover() -> None:
    """The two games of a deal are alike, so that drawing games in place of deals would not cover."""
    rng, hits, trials = np.random.default_rng(4), 0, 400
    for _ in range(trials):
        deals = rng.random((60, 1)) < 0.4
        low, high = interval(resampled_means(deals.astype(float), rng, 300)[:, 0])
        hits += low <= 0.4 <= high
    assert 0.90 < hits / trials < 0.98


def test_the_middle_of_few_deals_is_wider() -> None:
    """Student's 97.5 % point of 11 and of 39 degrees is 2.201 and 2.023 (any table), the normal one 1.960."""
    for deals, student in ((12, 2.201), (40, 2.023)):
        normal = NormalDist().cdf(student * (deals / (deals - 1)) ** 0.5)
        assert expanded(deals) == pytest.approx(2 * normal - 1, abs=2e-4)
    assert expanded(10_000) == pytest.approx(0.95, abs=1e-4) and expanded(1) == expanded(2) == 1


def test_intervals_of_few_deals_cover() -> None:
    """As often as they should only with the wider middle."""
    rng, trials, hits = np.random.default_rng(6), 2000, np.zeros(2)
    for _ in range(trials):
        again = resampled_means(rng.standard_normal((12, 1)), rng, 1000)[:, 0]
        hits += [low <= 0 <= high for low, high in (interval(again), interval(again, 12))]
    plain, wide = hits / trials
    assert plain < 0.925 and 0.93 < wide < 0.97


def made_up_task(rng: np.random.Generator, alike: float, known: bool) -> tuple[PlayedTask, np.ndarray]:
    """A task of 40 deals and the rewards of an agent of score 0.6 in it; `alike`: how much deals are hard or easy for
    all players, `known`: whether the task holds what 0 and 1 got in each of them."""
    hard = alike * rng.standard_normal(40)
    zero, agent, one = (mean + hard + 0.5 * rng.standard_normal(40) for mean in (-0.5, 0.1, 0.5))
    means = {"random": (float(zero.mean()), float(one.mean()))}
    singles = {"random": (zero.tolist(), one.tolist())} if known else {}
    anchor = Anchor(player="reference", task_digest="", theogony="", opponents=means, deals=singles)
    facts = {"id": "made-up", "digest": "", "game": "", "version": 1, "components": "", "first_seed": 0}
    return PlayedTask(**facts, deals=40, opponents={"random": None}, anchor=anchor), agent[None, :, None]


@pytest.mark.parametrize(
    ("alike", "known", "least", "most"), [(0, True, 0.91, 0.98), (0.5, True, 0.91, 0.98), (0, False, 0, 0.905)]
)
def test_intervals_of_scores_cover_where_0_and_1_are_measured(
    alike: float, known: bool, least: float, most: float
) -> None:
    """0 and 1 come from the same deals as the agent; with their means alone, intervals are too narrow."""
    rng, hits, trials = np.random.default_rng(5), 0, 300
    for _ in range(trials):
        low, high = interval(scores_again(*made_up_task(rng, alike, known))[0, :, 0])
        hits += low <= 0.6 <= high
    assert least <= hits / trials < most
