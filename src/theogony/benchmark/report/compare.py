"""`theogony benchmark compare`: one agent beside others, paired by the deals that they all played."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.benchmark.results import statistics
from theogony.benchmark.results.file import PlayedTask, Results, read_results
from theogony.benchmark.results.score import means_of
from theogony.benchmark.results.submission import results_files
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


class Difference(NamedTuple):
    """How far one agent is ahead of another in a task, in rewards, with the 95 % interval."""

    task: str
    mine: float
    theirs: float
    low: float
    high: float


def read_agents(path: Path) -> list[Agent]:
    """The results of a file, or those of a folder, which may have played several suites: an agent for each set of
    tasks. Raises BenchmarkError."""
    found: dict[tuple[str, ...], list[Results]] = {}
    for file in results_files(path) if path.is_dir() else [path]:
        run = read_results(file)
        found.setdefault((run.suite, *(task.digest for task in run.tasks)), []).append(run)
    return [Agent(runs[0].agent.name, runs) for runs in found.values()]


def differences(mine: Agent, theirs: Agent) -> list[Difference]:
    """Task by task, of the tasks that both played. Raises BenchmarkError where there is none."""
    shared = [(task, other) for task in mine.runs[0].tasks if (other := theirs.task(task.id)) is not None]
    for task, other in shared:
        if (task.digest, task.first_seed, task.components) != (other.digest, other.first_seed, other.components):
            raise BenchmarkError(f"{task.id}: {mine.name} and {theirs.name} played it in other forms")
    if not shared:
        raise BenchmarkError(f"{mine.name} and {theirs.name} have no task in common")
    return [_difference(task, mine.rewards(task), theirs.rewards(task)) for task, _ in shared]


def _difference(task: PlayedTask, mine: np.ndarray, theirs: np.ndarray) -> Difference:
    """Deals are drawn anew for both at once, runs for each."""
    rng = np.random.default_rng(SEED)
    again = statistics.resampled_means(np.concatenate([mine, theirs], axis=1), rng)
    split = mine.shape[1]
    ahead = _runs_again(again[:, :split], rng) - _runs_again(again[:, split:], rng)
    return Difference(task.id, float(mine.mean()), float(theirs.mean()), *statistics.interval(ahead))


def _runs_again(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Means over runs that are drawn anew, (repetitions,) of (repetitions, runs)."""
    return np.take_along_axis(values, rng.integers(values.shape[1], size=values.shape), axis=1).mean(axis=1)


def table(mine: Agent, theirs: Agent) -> str:
    """The comparison as text, a line a task; a star is where the interval leaves out zero."""
    rows = differences(mine, theirs)
    wide = max(len(row.task) for row in rows)
    seeds = f", {len(mine.runs)} and {len(theirs.runs)} seeds" if len(mine.runs) + len(theirs.runs) > 2 else ""
    lines = [
        f"{mine.name} beside {theirs.name} in {mine.runs[0].suite}, mean rewards{seeds}",
        f"{'task':<{wide}}  {'mine':>7}{'theirs':>8}  ahead by",
    ]
    for row in rows:
        clear = " *" if row.low > 0 or row.high < 0 else ""
        ahead = f"{row.mine - row.theirs:+.3f} ({row.low:+.3f} to {row.high:+.3f}){clear}"
        lines.append(f"{row.task:<{wide}}  {row.mine:>7.3f}{row.theirs:>8.3f}  {ahead}")
    left = {task.id for agent in (mine, theirs) for task in agent.runs[0].tasks} - {row.task for row in rows}
    lines += [f"played by one of them only: {', '.join(sorted(left))}"] if left else []
    return "\n".join(lines)


def compared(paths: Sequence[Path]) -> str:
    """The first agent beside each of the others, in the suite of which both have played most. Raises BenchmarkError."""
    mine, *others = [read_agents(path) for path in paths]
    return "\n\n".join(table(*max(itertools.product(mine, theirs), key=_in_common)) for theirs in others)


def _in_common(agents: tuple[Agent, Agent]) -> tuple[int, int]:
    """How many tasks two agents share, then how many seeds they have."""
    mine, theirs = agents
    shared = sum(theirs.task(task.id) is not None for task in mine.runs[0].tasks)
    return shared, len(mine.runs) + len(theirs.runs)
