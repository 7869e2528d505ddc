"""Submissions as the report compares them: an entry for each suite, track and kind, with a run for each seed.

Beside its scores an entry has bounds on how far it can be beaten, and what is left of it where components are others.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.agents import KINDS, PREFIX, REFERENCES, Kind
from theogony.benchmark.exploit.file import KNOWN, Exploited, fits, points, read_exploit, same_table, share
from theogony.benchmark.exploit.file import check as check_exploit
from theogony.benchmark.marks import NAME, digest_of_games, level_of, read_marks
from theogony.benchmark.results import (
    EXPLOITS,
    METADATA,
    MIN_SEEDS,
    Anchors,
    Metadata,
    PlayedTask,
    Results,
    read_metadata,
    read_results,
    results_files,
    rounded,
)
from theogony.benchmark.score import task_scores_again
from theogony.benchmark.tasks import TEAM, TRACKS, BenchmarkError, Tasks, shipped
from theogony.benchmark.verify import check, check_together
from theogony.models import results as of_models

NO_LEARNING, OPEN = "no learning", "open"
GREEDY = "greedy"
ORDER = (NO_LEARNING, *TRACKS, OPEN)  # of tracks on the page
BOOTSTRAP, DRAWN_SEEDS = 18, 34  # of the rngs of intervals: of an entry, and on other components


@dataclass(frozen=True)
class Entry:
    """One submission in one suite: a results file for each seed."""

    metadata: Metadata
    runs: list[Results]
    verified: str = "-"  # what `verify` has found of its files
    bounds: tuple[Bound, ...] = ()  # how far it can be beaten, table by table
    left: Pair | None = None  # of it, on components that nobody learns with
    place: str = ""  # its folder, as seen from that of all submissions

    @property
    def name(self) -> str:
        """What it is called."""
        return self.metadata.name

    @property
    def suite(self) -> str:
        """The suite that was played."""
        return self.runs[0].suite

    @property
    def kind(self) -> Kind:
        """What it uses of its views."""
        return self.runs[0].agent.kind

    @property
    def track(self) -> str:
        """The track that `run` trained it within; "open" for what was trained otherwise."""
        agent = self.runs[0].agent
        if agent.track is not None:
            return agent.track
        learnt = self.metadata.trained or agent.trained or any(name in agent.player for name in REFERENCES)
        return OPEN if learnt else NO_LEARNING

    @property
    def tasks(self) -> list[str]:
        """The tasks that have a score."""
        return [score.task for score in self.runs[0].scores]

    @property
    def scores(self) -> np.ndarray:
        """Float64 (runs, tasks)."""
        return np.array([[score.score for score in run.scores] for run in self.runs]).reshape(len(self.runs), -1)

    @property
    def decisions(self) -> int | None:
        """From how many it learnt: as `run` has counted them, the most in a task; else as the submission says."""
        counted = [one.decisions for run in self.runs for one in run.training]
        return max(counted, default=self.metadata.decisions)

    @property
    def has_too_few(self) -> bool:
        """Whether an agent that learns has fewer seeds than it needs."""
        learns = self.metadata.trained or any(run.agent.trained for run in self.runs)
        return learns and len(self.runs) < MIN_SEEDS

    @functools.cached_property
    def overall(self) -> tuple[float, float, float]:
        """Interquartile mean and its interval: over deals, and over seeds where there are several."""
        if len(self.runs) == 1:
            found = self.runs[0].overall
            assert found is not None
            return found.iqm, found.low, found.high
        again = [task_scores_again(task, self.runs).T for task in self.runs[0].tasks if task.id in self.tasks]
        drawn = statistics.runs_again(np.stack(again, axis=2), np.random.default_rng(BOOTSTRAP))
        spread = np.array([statistics.iqm(one) for one in drawn])
        return statistics.iqm(self.scores), *statistics.interval(spread)

    @functools.cached_property
    def learnt_curve(self) -> tuple[float | None, float | None]:
        """Share of games won against greedy before learning and after, the mean over tasks and seeds of what learning
        curves say. Before is None where nobody says it, both are None where nothing was learnt against greedy."""
        curves = [(one.task, one.curve) for run in self.runs for one in run.training]
        met = [(task, curve) for task, curve in curves if curve and GREEDY in curve[-1].won]
        first = [curve[0].won[GREEDY] for _, curve in met if curve[0].decisions == 0]
        tables = ["-".join(task.split("-")[:2]) for task, _ in met]  # orbis-2p of orbis-2p-medium-v1
        first = first or [self.metadata.before.get(table, np.nan) for table in tables]
        known = len(first) == len(met) > 0 and not np.isnan(first).any()
        last = [curve[-1].won[GREEDY] for _, curve in met]
        return float(np.mean(first)) if known else None, float(np.mean(last)) if last else None


class Ranked(NamedTuple):
    """The entries of a suite, best first: those with all of its tasks, and those with some of them, by how many."""

    complete: list[Entry]
    partial: list[Entry]
    members: Sequence[str]

    @classmethod
    def of(cls, entries: Sequence[Entry], members: Sequence[str]) -> Ranked:
        """Entries of one suite, which has these tasks."""
        complete = [entry for entry in entries if set(entry.tasks) == set(members)]
        partial = [entry for entry in entries if entry not in complete]
        return cls(
            sorted(complete, key=lambda entry: (-entry.overall[0], entry.name)),
            sorted(partial, key=lambda entry: (-len(set(entry.tasks) & set(members)), entry.name)),
            members,
        )

    @property
    def all(self) -> list[Entry]:
        """Those with all tasks, then the others."""
        return [*self.complete, *self.partial]


def read_entries(folder: Path, tasks: Tasks | None = None, anchors: Anchors | None = None) -> Iterator[Entry]:
    """The submissions of a folder. Raises BenchmarkError naming a file that does not fit its tasks or its figures."""
    marks = read_marks(folder / NAME)
    for path in sorted(one.parent for one in folder.rglob(METADATA)):
        if is_of_models(path):
            continue
        metadata, groups = read_metadata(path / METADATA), {}
        files = {file: read_results(file) for file in results_files(path)}
        check_together(path, metadata, files)
        for file, results in files.items():
            try:
                check(results, tasks, anchors)
            except BenchmarkError as error:
                raise BenchmarkError(f"{file}: {error}") from None
            members = tuple(task.id for task in results.tasks)
            key = results.suite, results.agent.kind, results.agent.track, members
            groups.setdefault(key, []).append((file, results))
        exploits = list(exploits_of(path, list(files.values()), tasks))
        place = path.relative_to(folder).as_posix()
        left = _left([[run for _, run in runs] for runs in groups.values()], tasks or shipped())
        for runs in groups.values():
            mine = tuple(one for one in exploits if any(fits(one, run, tasks) for _, run in runs))
            played = [run for _, run in runs]
            bounds = bounds_of(played, files.values(), mine, tasks or shipped())
            yield Entry(metadata, played, level_of(marks, folder, runs, digest_of_games), bounds, left, place)


def exploits_of(path: Path, runs: list[Results], tasks: Tasks | None) -> Iterator[Exploited]:
    """What was found of how far a submission can be beaten. Raises BenchmarkError for what is of another agent."""
    for file in sorted((path / EXPLOITS).glob("*.json")):
        found = read_exploit(file)
        try:
            check_exploit(found, tasks)
        except BenchmarkError as error:
            raise BenchmarkError(f"{file}: {error}") from None
        if not any(fits(found, run, tasks) for run in runs):
            raise BenchmarkError(f"{file}: is of another agent or table than the results beside it")
        yield found


def groups_of(entries: list[Entry]) -> Iterator[tuple[str, Kind, list[Entry]]]:
    """Entries that are compared: (track, kind, entries), in the order of the page."""
    for track in ORDER:
        for kind in KINDS:
            if found := [entry for entry in entries if (entry.track, entry.kind) == (track, kind)]:
                yield track, kind, found


# ---- How far an entry can be beaten: what exploiters won, and what its own games for two against fixed opponents show
#
# At each table the strongest opponent is chosen on every second deal and measured on the others, so that the choice
# lends it nothing. Games of another suite count as well where the same agent played them, by its seed and its weights.
# A copy of the entry wins its part of the games, half of them at a table of two: no bound is below that.

TWO = 2


class Bound(NamedTuple):
    """The share of games that somebody won against an entry at the table of a task, with its 95 % interval.

    `learnt`: the decisions that it learnt from, against this entry alone; None for who is the same for all entries.
    """

    task: str
    by: str
    learnt: int | None
    won: float
    low: float
    high: float
    deals: int
    players: int

    @property
    def says_more(self) -> bool:
        """Whether it says more than that a copy of the entry wins its part."""
        return self.low > 1 / self.players

    @property
    def who(self) -> str:
        """Who won, in words."""
        name = "held back" if self.by.startswith(PREFIX) else self.by
        return name if self.learnt is None else f"{name}, learnt from {self.learnt:,} decisions"


def bounds_of(
    runs: Sequence[Results], others: Iterable[Results], exploits: Iterable[Exploited], tasks: Tasks
) -> tuple[Bound, ...]:
    """What is known of an entry, table by table. `others`: all results of its submission."""
    same = [one for one in others if all(one is not run for run in runs)]
    found = []
    for one in exploits:
        best, learnt = one.best, None if one.best.player in KNOWN else one.budget
        games = best.won, best.low, best.high, len(best.seats[0]), len(best.seats)
        found.append(Bound(one.task, best.player, learnt, *games))
    return (*found, *map(_of_games, _tables(runs, same, tasks).values()))


def worst_of(bounds: Iterable[Bound]) -> Bound | None:
    """The highest bound at a table of two, by where its interval begins: few games make no bound high."""
    return max((one for one in bounds if one.players == TWO), key=lambda one: one.low, default=None)


class _Games(NamedTuple):
    """What an opponent won of an entry's games in a task, float64 (runs, deals, seats)."""

    task: str
    by: str
    won: np.ndarray


def _tables(runs: Sequence[Results], others: Sequence[Results], tasks: Tasks) -> dict[str, list[_Games]]:
    """The games for two against each opponent, by table: a game with its options."""
    found: dict[str, list[_Games]] = {}
    played = {task.id: task for one in (*runs, *others) for task in one.tasks if TEAM not in task.opponents}
    for task in played.values():
        mine = [one for run in runs if (one := _run_with(task, run, others, tasks)) is not None]
        known = tasks.task(task.id)
        table = f"{known.game} {json.dumps(known.options, sort_keys=True)}"
        for opponent in task.opponents if mine and task.deals > 1 else ():
            games = [[one for one in run.games if (one.task, one.against) == (task.id, opponent)] for run in mine]
            won = 1 - np.array([points([seat.results for seat in one]) for one in games])
            if won.shape[2] == TWO:
                found.setdefault(table, []).append(_Games(task.id, opponent, won))
    return found


def _run_with(task: PlayedTask, run: Results, others: Sequence[Results], tasks: Tasks) -> Results | None:
    """The run itself where it has played a task, else other results of the same agent that have."""
    if any(one.id == task.id for one in run.tasks):
        return run
    table, agent = tasks.task(task.id), run.agent
    digests = [agent.sha256.get(one.id) for one in run.tasks if same_table(tasks.task(one.id), table)]
    for other in others:
        same = (other.agent.player, other.agent.seed, other.agent.track) == (agent.player, agent.seed, agent.track)
        if same and task.id in other.agent.sha256 and other.agent.sha256[task.id] in digests:
            return other
    return None


def _of_games(games: Sequence[_Games]) -> Bound:
    """The strongest opponent at a table, chosen on every second deal, measured on the others."""
    best = max(games, key=lambda one: _share(one.won[:, ::2])[1])
    measured = best.won[:, 1::2]
    return Bound(best.task, best.by, None, *_share(measured), *measured.shape[1:])


def _share(won: np.ndarray) -> tuple[float, float, float]:
    """The mean of float64 (runs, deals, seats) with its 95 % interval, over deals and, if there are several, runs."""
    runs, deals, _ = won.shape
    apart = float(won.mean(axis=(1, 2)).var(ddof=1)) / runs if runs > 1 else 0.0
    mean, low, high = share(won.transpose(1, 0, 2).reshape(deals, -1), apart)
    return rounded(mean), rounded(low), rounded(high)


# ---- What is left of an entry where the components are others: its results in the suite `unseen`, summed up
#
# Tasks of that suite come in pairs, with the printed components and with packs that nobody learns with.

UNSEEN_SUITE = "unseen"
PRINTED, UNSEEN = "-printed-", "-unseen-"  # in the ids of a pair


class Pair(NamedTuple):
    """The scores of one game, or their means over games, and by how much the second is more, with its 95 % interval."""

    task: str
    printed: float
    unseen: float
    change: float
    low: float
    high: float


def pairs_of(runs: Sequence[Results]) -> list[Pair]:
    """A pair for each game that was played with both kinds of components, in the order of the tasks."""
    return [_pair(name, [printed], [unseen]) for name, printed, unseen in _drawn(runs)]


def _left(groups: Iterable[list[Results]], tasks: Tasks) -> Pair | None:
    """The mean of a submission over all games; None where it has not played all of these tasks with scores."""
    members = sum(UNSEEN in task for task in tasks.suites.get(UNSEEN_SUITE, ()))
    for drawn in (_drawn(runs) for runs in groups if runs[0].suite == UNSEEN_SUITE):
        if drawn and len(drawn) >= members:
            _, printed, unseen = zip(*drawn, strict=True)
            return _pair("", printed, unseen)
    return None


# The score of a task, the mean over seeds, and as it would be with other deals and seeds: float64 (repetitions,).
_Score = tuple[float, np.ndarray]


def _drawn(runs: Sequence[Results]) -> list[tuple[str, _Score, _Score]]:
    found = {task.id: task for task in runs[0].tasks}
    scored = {score.task for score in runs[0].scores}
    pairs = [(one, one.replace(UNSEEN, PRINTED)) for one in found if UNSEEN in one]
    return [
        (unseen, _score(found[printed], runs), _score(found[unseen], runs))
        for unseen, printed in pairs
        if {unseen, printed} <= scored
    ]


def _score(task: PlayedTask, runs: Sequence[Results]) -> _Score:
    again = task_scores_again(task, runs)
    chosen = np.random.default_rng(DRAWN_SEEDS).integers(len(runs), size=again.shape)
    mean = np.mean([one.score for run in runs for one in run.scores if one.task == task.id])
    return float(mean), np.take_along_axis(again, chosen, axis=0).mean(axis=0)


def _pair(task: str, printed: Sequence[_Score], unseen: Sequence[_Score]) -> Pair:
    first, second = (float(np.mean([mean for mean, _ in some])) for some in (printed, unseen))
    again = np.mean([one for _, one in unseen], axis=0) - np.mean([one for _, one in printed], axis=0)
    return Pair(task, first, second, second - first, *statistics.interval(again))


# ---- Submissions of language models and programs, which are shown apart from agents


class ModelEntry(NamedTuple):
    """A results file of a model, and what is said of it."""

    metadata: Metadata
    results: of_models.Results
    verified: str


def is_of_models(folder: Path) -> bool:
    """Whether a submission holds results of a language model or a program, and nothing else."""
    files = list(folder.glob("*.json"))
    return bool(files) and all(map(of_models.is_results, files))


def read_models(folder: Path) -> Iterator[ModelEntry]:
    """The submissions of models in a folder. Raises BenchmarkError or ModelError naming a file that does not fit."""
    marks = read_marks(folder / NAME)
    for path in sorted(one.parent for one in folder.rglob(METADATA)):
        if not is_of_models(path):
            continue
        metadata = read_metadata(path / METADATA)
        for file in sorted(path.glob("*.json")):
            results = of_models.read_results(file)
            if results.name != metadata.name:
                raise BenchmarkError(f"{file}: is of {results.name!r}, but {METADATA} is of {metadata.name!r}")
            if of_models.figures_of(results.games, results.settings) != results.figures:
                raise BenchmarkError(f"{file}: figures: are others than those that follow from the games")
            yield ModelEntry(metadata, results, level_of(marks, folder, [(file, results)], lambda run: run.measured))
