"""`theogony benchmark compare`: one agent beside others, paired by the deals that they all played."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.results import PlayedTask, Results, read_results, results_files
from theogony.benchmark.score import means_of, task_scores_again
from theogony.benchmark.tasks import BenchmarkError

SEED = 7  # of the rng by which deals and runs are drawn anew


class Agent(NamedTuple):
    """The runs of one agent, a results file for each seed."""

    name: str
    runs: list[Results]

    def task(self, name: str) -> PlayedTask | None:
        """A task as it was played, None for one that was not."""
        return next((task for task in self.runs[0].tasks if task.id == name), None)

    def rewards(self, task: PlayedTask) -> np.ndarray:
        """Float64 (deals, runs): the mean reward of each deal over seats and opponents."""
        return np.stack([means_of(task, run.games).mean(axis=1) for run in self.runs], axis=1)

    def scores(self, tasks: Sequence[str]) -> np.ndarray:
        """Float64 (runs, tasks)."""
        found = [{one.task: one.score for one in run.scores} for run in self.runs]
        return np.array([[scores[task] for task in tasks] for scores in found])


class Ahead(NamedTuple):
    """How far one agent is ahead of another, with the 95 % interval of the difference."""

    mine: float
    theirs: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """Above 0 where the first is better."""
        return self.mine - self.theirs

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


class Difference(NamedTuple):
    """Two agents in a task: mean rewards, and scores where 0 and 1 are known."""

    task: str
    rewards: Ahead
    scores: Ahead | None


class Overall(NamedTuple):
    """Two agents over the tasks that both have scores of: interquartile means, and the probability of improvement,
    each with its 95 % interval."""

    tasks: int
    iqm: Ahead
    better: float
    low: float
    high: float


class Comparison(NamedTuple):
    """Two agents in a suite; `left` are tasks that one of them alone has played, `also` other suites of both."""

    mine: Agent
    theirs: Agent
    rows: list[Difference]
    overall: Overall | None
    left: list[str]
    also: Sequence[str] = ()


def read_agents(path: Path, suite: str = "") -> list[Agent]:
    """The results of a file, or those of a folder, which may have played several suites: one agent, for each set of
    tasks with the runs that played it. `suite` leaves out all others. Raises BenchmarkError."""
    files = {file: read_results(file) for file in (results_files(path) if path.is_dir() else [path])}
    found: dict[tuple[str, ...], dict[Path, Results]] = {}
    for file, run in files.items():
        if suite in ("", run.suite):
            found.setdefault((run.suite, *(task.digest for task in run.tasks)), {})[file] = run
    if not found:
        others = ", ".join(sorted({run.suite for run in files.values()}))
        raise BenchmarkError(f"{path}: has played {others}, not {suite}")
    for runs in found.values():
        _check_one_agent(path, runs)
    return [Agent(next(iter(runs.values())).agent.name, list(runs.values())) for runs in found.values()]


def _check_one_agent(path: Path, runs: Mapping[Path, Results]) -> None:
    """Files that count as the seeds of one agent are of one, and none counts twice. Raises BenchmarkError."""
    (first, one), *others = runs.items()
    for file, run in others:
        if (run.agent.name, run.agent.track) != (one.agent.name, one.agent.track):
            mine, theirs = (f"{of.name!r} (track: {of.track or 'none'})" for of in (one.agent, run.agent))
            raise BenchmarkError(
                f"{path}: holds results of {mine} in {first.name} and of {theirs} in {file.name}: expected one agent, "
                "a file for each of its seeds"
            )
    for (file, run), (other, same) in itertools.combinations(runs.items(), 2):
        if run.agent == same.agent:
            raise BenchmarkError(f"{path}: {file.name} and {other.name} are the same agent with the same seed")


def comparisons(paths: Sequence[Path], suite: str = "") -> list[Comparison]:
    """The first agent beside each of the others, in that suite, or in the one of which both have played most.

    Raises BenchmarkError.
    """
    mine, *others = [read_agents(path, suite) for path in paths]
    return [_compared(list(itertools.product(mine, theirs))) for theirs in others]


def _compared(pairs: Sequence[tuple[Agent, Agent]]) -> Comparison:
    """The pair with most tasks in common, and in which suites the others are that have some."""
    best = max(pairs, key=_in_common)
    if not _in_common(best)[0]:
        raise BenchmarkError(" and ".join(map(_played, zip(*pairs, strict=True))) + " have no task in common")
    also = [mine.runs[0].suite for mine, theirs in pairs if _in_common((mine, theirs))[0]]
    return compare(*best)._replace(also=sorted({*also} - {best[0].runs[0].suite}))


def compare(mine: Agent, theirs: Agent) -> Comparison:
    """Task by task, of the tasks that both played, and over all. Raises BenchmarkError where there is none."""
    shared = [(task, other) for task in mine.runs[0].tasks if (other := theirs.task(task.id)) is not None]
    for task, other in shared:
        if task.deals != other.deals:
            raise BenchmarkError(
                f"{task.id}: {mine.name} has played {task.deals} deals of it and {theirs.name} {other.deals}: a trial "
                "(`run --deals`) is compared with one of as many deals"
            )
        if (task.digest, task.first_seed, task.components) != (other.digest, other.first_seed, other.components):
            raise BenchmarkError(
                f"{task.id}: {mine.name} and {theirs.name} played it in other forms: its deals, "
                "opponents, rules or components were of another version"
            )
    if not shared:
        raise BenchmarkError(f"{mine.name} and {theirs.name} have no task in common")
    scored = [task for task, other in shared if task.anchor == other.anchor and _has_score(task, mine, theirs)]
    drawn = [_drawn(task, mine, theirs) for task in scored]
    scores = {
        task.id: _ahead(task.deals, mine.scores([task.id]), theirs.scores([task.id]), *again)
        for task, again in zip(scored, drawn, strict=True)
    }
    rows = [Difference(task.id, _of_rewards(task, mine, theirs), scores.get(task.id)) for task, _ in shared]
    left = {task.id for agent in (mine, theirs) for task in agent.runs[0].tasks} - {row.task for row in rows}
    return Comparison(mine, theirs, rows, _overall(list(scores), mine, theirs, drawn), sorted(left))


def _has_score(task: PlayedTask, *agents: Agent) -> bool:
    return all(any(one.task == task.id for one in run.scores) for agent in agents for run in agent.runs)


def _of_rewards(task: PlayedTask, mine: Agent, theirs: Agent) -> Ahead:
    """Deals are drawn anew for both at once, runs for each."""
    rng, ours, others = np.random.default_rng(SEED), mine.rewards(task), theirs.rewards(task)
    again = statistics.resampled_means(np.concatenate([ours, others], axis=1), rng)[:, :, None]
    split = len(mine.runs)
    drawn = (statistics.runs_again(one, rng) for one in (again[:, :split], again[:, split:]))
    return _ahead(task.deals, ours, others, *drawn)


def _drawn(task: PlayedTask, mine: Agent, theirs: Agent) -> tuple[np.ndarray, np.ndarray]:
    """Scores of a task, of both on the same deals drawn anew, runs for each: float64 (repetitions, runs, 1)."""
    again = task_scores_again(task, [*mine.runs, *theirs.runs]).T[:, :, None]
    split, rng = len(mine.runs), np.random.default_rng([SEED, int(task.digest, 16)])
    return statistics.runs_again(again[:, :split], rng), statistics.runs_again(again[:, split:], rng)


def _ahead(deals: int, mine: np.ndarray, theirs: np.ndarray, again: np.ndarray, their_again: np.ndarray) -> Ahead:
    """Means, and the interval of their difference from float64 (repetitions, runs, 1)."""
    spread = again.mean(axis=(1, 2)) - their_again.mean(axis=(1, 2))
    return Ahead(float(mine.mean()), float(theirs.mean()), *statistics.interval(spread, deals))


def _overall(
    tasks: list[str], mine: Agent, theirs: Agent, drawn: Sequence[tuple[np.ndarray, np.ndarray]]
) -> Overall | None:
    """Over all tasks with scores: what was drawn of each stands side by side. None where there is none."""
    if not tasks:
        return None
    ours, others = mine.scores(tasks), theirs.scores(tasks)
    again, their_again = (np.concatenate(some, axis=2) for some in zip(*drawn, strict=True))
    pairs = list(zip(again, their_again, strict=True))
    spread = np.array([statistics.iqm(one) - statistics.iqm(other) for one, other in pairs])
    better = np.array([statistics.probability_of_improvement(one, other) for one, other in pairs])
    iqm = Ahead(statistics.iqm(ours), statistics.iqm(others), *statistics.interval(spread))
    likely = statistics.probability_of_improvement(ours, others)
    return Overall(len(tasks), iqm, likely, *statistics.interval(better))


def _played(agents: Sequence[Agent]) -> str:
    """What an agent is called, and the suites that it has played."""
    return f"{agents[0].name} ({', '.join(dict.fromkeys(one.runs[0].suite for one in agents))})"


def _in_common(agents: tuple[Agent, Agent]) -> tuple[int, int]:
    """How many tasks two agents share, then how many seeds they have."""
    mine, theirs = agents
    shared = sum(theirs.task(task.id) is not None for task in mine.runs[0].tasks)
    return shared, len(mine.runs) + len(theirs.runs)
