"""`theogony benchmark compare`: one agent beside others, paired by the deals that they all played.

What is found is told as text, and written as CSV and as LaTeX.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.report.render import HEAD, NONE, as_csv, one_line, signed, tabular
from theogony.benchmark.results import MIN_SEEDS, PlayedTask, Results, read_results, results_files
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
    return [_compared(mine, theirs) for theirs in others]


def _compared(ours: Sequence[Agent], others: Sequence[Agent]) -> Comparison:
    """The pair with most tasks in common, and in which suites the others are that have some."""
    pairs = list(itertools.product(ours, others))
    best = max(pairs, key=_in_common)
    if not _in_common(best)[0]:
        sides = [(one[0].name, dict.fromkeys(agent.runs[0].suite for agent in one)) for one in (ours, others)]
        played = " and ".join(f"{name} ({', '.join(suites)})" for name, suites in sides)
        raise BenchmarkError(f"{played} have no task in common")
    also = [mine.runs[0].suite for mine, theirs in pairs if _in_common((mine, theirs))[0]]
    return compare(*best)._replace(also=sorted({*also} - {best[0].runs[0].suite}))


def compare(mine: Agent, theirs: Agent) -> Comparison:
    """Task by task, of the tasks that both played, and over all. Raises BenchmarkError for one in two forms."""
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
    known = set.intersection(*({one.task for one in run.scores} for run in (*mine.runs, *theirs.runs)))
    scored = [task for task, other in shared if task.anchor == other.anchor and task.id in known]
    drawn = [_drawn(task, mine, theirs) for task in scored]
    scores = {
        task.id: _ahead(task.deals, mine.scores([task.id]), theirs.scores([task.id]), *again)
        for task, again in zip(scored, drawn, strict=True)
    }
    rows = [Difference(task.id, _of_rewards(task, mine, theirs), scores.get(task.id)) for task, _ in shared]
    left = {task.id for agent in (mine, theirs) for task in agent.runs[0].tasks} - {row.task for row in rows}
    return Comparison(mine, theirs, rows, _overall(list(scores), mine, theirs, drawn), sorted(left))


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


def _in_common(agents: tuple[Agent, Agent]) -> tuple[int, int]:
    """How many tasks two agents share, then how many seeds they have."""
    mine, theirs = agents
    shared = sum(theirs.task(task.id) is not None for task in mine.runs[0].tasks)
    return shared, len(mine.runs) + len(theirs.runs)


# ---- As text

WIDTH = 27  # of a difference with its interval
ALL = "interquartile mean"
HEADS = (
    *("suite", "mine", "theirs", "my_seeds", "their_seeds", "task"),
    *("my_reward", "their_reward", "reward_ahead", "reward_low", "reward_high"),
    *("my_score", "their_score", "score_ahead", "score_low", "score_high"),
    *("improvement", "improvement_low", "improvement_high"),
)


def as_text(found: Comparison) -> str:
    """A line a task, then what holds over all; a star is where an interval leaves out zero."""
    wide = max(len(row.task) for row in found.rows)
    lines = [
        f"{found.mine.name} beside {found.theirs.name} in {found.mine.runs[0].suite}{_seeds(found)}",
        f"{'task':<{wide}} {'reward':>7} {'theirs':>7}  {'ahead by':<{WIDTH}} {'score':>6} {'theirs':>6}  ahead by",
    ]
    for row in found.rows:
        rewards = f"{row.rewards.mine:>7.3f} {row.rewards.theirs:>7.3f}  {_signed(row.rewards, 3):<{WIDTH}}"
        scores = f"{NONE:>6} {NONE:>6}  {NONE}"
        if row.scores is not None:
            scores = f"{_two(row.scores.mine):>6} {_two(row.scores.theirs):>6}  {_signed(row.scores, 2)}"
        lines.append(f"{row.task:<{wide}} {rewards} {scores}")
    if (overall := found.overall) is None:
        lines.append("no scores: what 0 and 1 are is not known, or not the same for both")
    else:
        iqm, over = overall.iqm, f"{overall.tasks} tasks" if overall.tasks > 1 else "1 task"
        lines += [
            f"{ALL} over {over}: {_two(iqm.mine)} beside {_two(iqm.theirs)}, ahead by {_signed(iqm, 2)}",
            f"probability of improvement: {overall.better:.2f} ({overall.low:.2f} to {overall.high:.2f})",
        ]
    lines += [f"played by one of them only: {', '.join(found.left)}"] if found.left else []
    lines += [f"both have played {' and '.join(found.also)} as well: --suite {found.also[0]}"] if found.also else []
    return "\n".join([*lines, *_warnings(found)])


def _warnings(found: Comparison) -> Iterator[str]:
    """What of the two agents is not alike, or weakens what the figures say."""
    sides = found.mine, found.theirs
    agents = [one.runs[0].agent for one in sides]
    kinds = [f"{one.kind}, {f'track {one.track}' if one.track else 'without a track'}" for one in agents]
    if kinds[0] != kinds[1]:
        said = " and ".join(f"{one.name} ({kind})" for one, kind in zip(sides, kinds, strict=True))
        yield f"not alike: {said}: the leaderboard compares agents of one kind and one track"
    versions = sorted({run.theogony for one in sides for run in one.runs})
    if len(versions) > 1:
        yield f"not alike: measured by theogony {' and '.join(versions)}"
    for one in sides:
        learnt = any(run.agent.trained for run in one.runs)
        if learnt and len(one.runs) < MIN_SEEDS:
            yield f"{one.name} has learnt with {len(one.runs)} of {MIN_SEEDS} seeds: another seed may play otherwise"
        if crashes := sum(len(run.crashes) for run in one.runs):
            games = sum(len(series.results) for run in one.runs for series in run.games)
            yield f"{one.name} has lost {crashes:,} of {games:,} games by an error or an illegal action"


def _seeds(found: Comparison) -> str:
    mine, theirs = len(found.mine.runs), len(found.theirs.runs)
    return f", {mine} and {theirs} seeds" if mine + theirs > 2 else ""


def _two(score: float) -> str:
    """A score with two digits; what is rounded to nothing has no minus."""
    return f"{round(score, 2) + 0.0:.2f}"


def _signed(ahead: Ahead, digits: int) -> str:
    """A difference with its interval, each with a sign."""
    return signed((ahead.difference, ahead.low, ahead.high), digits) + " *" * ahead.is_clear


# ---- As files


def compare_csv(found: Sequence[Comparison]) -> str:
    """A line each task of each comparison, and one that is called `interquartile mean` over all."""
    return as_csv(HEADS, (row for one in found for row in _rows(one)))


def _rows(found: Comparison) -> Iterator[tuple[object, ...]]:
    sides = found.mine, found.theirs
    names = found.mine.runs[0].suite, *(one.name for one in sides), *(len(one.runs) for one in sides)
    for row in found.rows:
        yield *names, row.task, *_figures(row.rewards), *_figures(row.scores), None, None, None
    if (overall := found.overall) is not None:
        yield *names, ALL, *_figures(None), *_figures(overall.iqm), overall.better, overall.low, overall.high


def _figures(ahead: Ahead | None) -> tuple[float | None, ...]:
    return (None,) * 5 if ahead is None else (ahead.mine, ahead.theirs, ahead.difference, ahead.low, ahead.high)


def compare_latex(found: Sequence[Comparison]) -> str:
    """A `tabular` of scores for each suite, for the package booktabs: beside several agents a column for each."""
    suites: dict[str, list[Comparison]] = {}
    for one in found:
        suites.setdefault(one.mine.runs[0].suite, []).append(one)
    tables = map(_suite_latex, suites.values())
    # What a caption should say: what 0 and 1 are, what stands in brackets, what has measured it.
    runs = [run for one in found for side in (one.mine, one.theirs) for run in side.runs]
    ones = " or ".join(sorted({score.one for run in runs for score in run.scores}))
    versions = " and ".join(sorted({run.theogony for run in runs}))
    scores = f"0 is random play and 1 {ones}; " if ones else ""
    star = "a star where the 95 % interval of the difference leaves out zero; " if len(found) > 1 else ""
    read = one_line(f"scores: {scores}in brackets 95 % intervals; {star}measured by theogony {versions}")
    return f"{HEAD}% {read}\n" + "\n".join(f"% {one_line(said)}\n{table}" for said, table in tables)


def _suite_latex(found: Sequence[Comparison]) -> tuple[str, str]:
    """What is compared, and its `tabular`: beside one agent the differences, beside several how far they are in all."""
    first, many = found[0], len(found) > 1
    by_task = [{row.task: row.scores for row in one.rows} for one in found]
    overall = [one.overall for one in found]
    iqms = [one and one.iqm for one in overall]
    better = [f"{one.better:.2f} [{one.low:.2f}, {one.high:.2f}]" if one else NONE for one in overall]
    tasks = dict.fromkeys(task for one in by_task for task in one)
    rows = [(task, *_cells([one.get(task) for one in by_task])) for task in tasks]
    last = [(ALL, *_cells(iqms)), *([("ahead by", "", *map(_difference, iqms))] if many else [])]
    last.append(("probability of improvement", *[""] * (1 if many else 2), *better))
    others = f"{len(found)} others" if many else first.theirs.name
    said = f"{first.mine.name} beside {others} in {first.mine.runs[0].suite}{'' if many else _seeds(first)}"
    heads = ("task", first.mine.name, *(one.theirs.name for one in found), *([] if many else ["difference"]))
    return said, tabular(heads, [rows, last] if many or first.overall else [rows])


def _cells(beside: Sequence[Ahead | None]) -> tuple[str, ...]:
    """A score and those of the others: of one with the difference, of several a star where two are told apart."""
    own = {_two(one.mine) for one in beside if one is not None}
    mine = own.pop() if len(own) == 1 else NONE
    if len(beside) == 1:
        return mine, NONE if beside[0] is None else _two(beside[0].theirs), _difference(beside[0])
    return mine, *(NONE if one is None else _two(one.theirs) + "*" * one.is_clear for one in beside)


def _difference(ahead: Ahead | None) -> str:
    return NONE if ahead is None else signed((ahead.difference, ahead.low, ahead.high), 2, "{} [{}, {}]")
