"""How wide the intervals of a suite's scores are, and how often they hold what they should.

    python tools/intervals.py medium greedy mcts-100 td

Of each task: the deals, half the interval in the median entry and in the worst one, and the coverage. For that the
deals that an entry has played are taken for all there are; as many are drawn anew, again and again, each time with an
interval as the benchmark makes it, and counted is how often it holds the score of all. 95 % would be right.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.results import LEAST, Results, read_results
from theogony.benchmark.score import means_of
from theogony.benchmark.tasks import shipped

RESULTS = Path(__file__).parents[1] / "leaderboard" / "results"
DRAWS, REPETITIONS, SEED = 400, 500, 1


class Played(NamedTuple):
    """What an agent, the player that is 0 and the one that is 1 got: float64 (3, deals, opponents)."""

    task: str
    rewards: np.ndarray


def played(run: Results) -> list[Played]:
    """The tasks of a results file, of their opponents those against whom 0 and 1 are told apart."""
    found = []
    for task in run.tasks:
        assert task.anchor is not None
        pairs = [task.anchor.deals[against] for against in task.opponents]
        zero, one = (np.array([pair[k] for pair in pairs]).T for k in range(2))
        known = one.mean(0) - zero.mean(0) >= LEAST
        found.append(Played(task.id, np.stack([means_of(task, run.games), zero, one])[:, :, known]))
    return found


def scores(rewards: np.ndarray) -> np.ndarray:
    """The score of mean rewards, float64 (3, ..., opponents)."""
    mine, zero, one = rewards
    return ((mine - zero) / np.maximum(one - zero, LEAST)).mean(axis=-1)


def drawn_anew(rewards: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Scores on deals drawn anew, float64 (repetitions,)."""
    columns = np.concatenate(list(rewards), axis=1)
    again = statistics.resampled_means(columns, rng, REPETITIONS)
    return scores(again.reshape(REPETITIONS, 3, -1).transpose(1, 0, 2))


def coverage(run: Results, rng: np.random.Generator) -> dict[str, float]:
    """How often an interval holds the score of all deals, by task, and that of all tasks under ``."""
    tasks = played(run)
    true = {one.task: float(scores(one.rewards.mean(axis=1))) for one in tasks}
    true[""], held = statistics.iqm(np.array([[*true.values()]])), dict.fromkeys([*true, ""], 0)
    for _ in range(DRAWS):
        again = {}
        for task, rewards in tasks:
            deals = rng.integers(rewards.shape[1], size=rewards.shape[1])
            again[task] = drawn_anew(rewards[:, deals], rng)
        again[""] = np.array([statistics.iqm(one) for one in np.stack(list(again.values()), axis=1)])
        counts = {task: rewards.shape[1] for task, rewards in tasks}
        for task, values in again.items():
            low, high = statistics.interval(values, counts.get(task))
            held[task] += low <= true[task] <= high
    return {task: count / DRAWS for task, count in held.items()}


def halves(suite: str) -> dict[str, list[float]]:
    """Half the intervals of all entries, by task, but of who is 0 or 1 by definition."""
    found: dict[str, list[float]] = {}
    for file in sorted(RESULTS.glob(f"*/{suite}-0.json.gz")):
        for one in read_results(file).scores:
            if one.high > one.low:
                found.setdefault(one.task, []).append((one.high - one.low) / 2)
    return found


def main(suite: str, entries: list[str]) -> None:
    """Print a line each task, and one for the interquartile mean over all."""
    rng, wide = np.random.default_rng(SEED), halves(suite)
    held = [coverage(read_results(RESULTS / name / f"{suite}-0.json.gz"), rng) for name in entries]
    deals = {task.id: task.deals for task in shipped().suite(suite)}
    print(f"{'task':<30}{'deals':>6}{'half':>7}{'worst':>7}  held in: {', '.join(entries)}")
    for task in [*deals, ""]:
        said = f"{np.median(wide[task]):>7.2f}{max(wide[task]):>7.2f}" if task else " " * 14
        shown = "  ".join(f"{one[task]:.1%}" for one in held)
        print(f"{task or 'interquartile mean':<30}{deals.get(task, ''):>6}{said}  {shown}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit("usage: python tools/intervals.py SUITE ENTRY ...")
    main(sys.argv[1], sys.argv[2:])
