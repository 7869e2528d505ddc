"""How wide the intervals of a suite's scores are, and how often they hold what they should.

    python tools/intervals.py medium greedy mcts-100 td

Of each task: the deals, half the interval in the median entry and in the worst one, and the coverage. For that the
deals that an entry has played are taken for all there are; as many are drawn anew, again and again, each time with an
interval as the benchmark makes it, and counted is how often it holds the score of all. 95 % would be right.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from shared import ROOT

from theogony.benchmark import score as statistics
from theogony.benchmark.results import LEAST, Results, read_results
from theogony.benchmark.tasks import shipped

RESULTS = ROOT / "leaderboard" / "results"
DRAWS, REPETITIONS, SEED = 400, 500, 1
ALL = ""  # tasks


def played(run: Results) -> dict[str, np.ndarray]:
    """Return what an agent, the player that is 0 and the one that is 1 got: by task float64 (3, deals, opponents), of
    the opponents those against whom 0 and 1 are told apart."""
    found = {}
    for task in run.tasks:
        assert task.anchor is not None
        pairs = [task.anchor.deals[against] for against in task.opponents]
        zero, one = (np.array([pair[k] for pair in pairs]).T for k in range(2))
        known = one.mean(0) - zero.mean(0) >= LEAST
        found[task.id] = np.stack([statistics.means_of(task, run.games), zero, one])[:, :, known]
    return found


def scores(rewards: np.ndarray) -> np.ndarray:
    """Return the score of mean rewards, float64 (3, ..., opponents)."""
    mine, zero, one = rewards
    return ((mine - zero) / np.maximum(one - zero, LEAST)).mean(axis=-1)


def drawn_anew(rewards: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return scores on deals drawn anew, float64 (repetitions,)."""
    again = statistics.resampled_means(np.concatenate(list(rewards), axis=1), rng, REPETITIONS)
    return scores(again.reshape(REPETITIONS, 3, -1).transpose(1, 0, 2))


def coverage(run: Results, rng: np.random.Generator) -> pd.Series:
    """Return how often an interval holds the score of all deals, by task, and that of all tasks."""
    tasks = played(run)
    true = {task: float(scores(rewards.mean(axis=1))) for task, rewards in tasks.items()}
    true[ALL] = statistics.iqm(np.array([[*true.values()]]))
    held = []
    for _ in range(DRAWS):
        again = {}
        for task, rewards in tasks.items():
            deals = rng.integers(rewards.shape[1], size=rewards.shape[1])
            again[task] = drawn_anew(rewards[:, deals], rng)
        again[ALL] = np.array([statistics.iqm(one) for one in np.stack(list(again.values()), axis=1)])
        bounds = {
            task: statistics.interval(values, tasks[task].shape[1] if task else None) for task, values in again.items()
        }
        held.append({task: low <= true[task] <= high for task, (low, high) in bounds.items()})
    return pd.DataFrame(held).mean()


def halves(suite: str) -> pd.DataFrame:
    """Return half the intervals of all entries, by task, but of who is 0 or 1 by definition."""
    files = sorted(RESULTS.glob(f"*/{suite}-0.json.gz"))
    found = [(one.task, (one.high - one.low) / 2) for file in files for one in read_results(file).scores]
    frame = pd.DataFrame(found, columns=pd.Index(["task", "half"]))
    return frame[frame["half"] > 0].groupby("task")["half"].agg(["median", "max"])


def main(suite: str, entries: list[str]) -> None:
    """Print a table."""
    wide, rng = halves(suite), np.random.default_rng(SEED)
    held = [coverage(read_results(RESULTS / name / f"{suite}-0.json.gz"), rng) for name in entries]
    deals = {task.id: task.deals for task in shipped().suite(suite)}
    print(f"{'task':<30}{'deals':>6}{'half':>7}{'worst':>7}  held in: {', '.join(entries)}")
    for task in [*deals, ALL]:
        said = f"{wide['median'][task]:>7.2f}{wide['max'][task]:>7.2f}" if task else " " * 14
        shown = "  ".join(f"{one[task]:.1%}" for one in held)
        print(f"{task or 'interquartile mean':<30}{deals.get(task, ''):>6}{said}  {shown}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit("usage: python tools/intervals.py SUITE ENTRY ...")
    main(sys.argv[1], sys.argv[2:])
