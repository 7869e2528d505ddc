"""Submissions as the report compares them: one entry for each suite, track and kind, with a run for each seed."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.agents import KINDS, REFERENCES, Kind
from theogony.benchmark.exploit.check import check as check_exploit
from theogony.benchmark.exploit.check import fits
from theogony.benchmark.exploit.file import EXPLOITS, Exploited, read_exploit
from theogony.benchmark.report.beaten import Bound, bounds_of
from theogony.benchmark.report.models import is_of_models
from theogony.benchmark.report.unseen import SUITE, Pair, left_of
from theogony.benchmark.results import (
    METADATA,
    MIN_SEEDS,
    Anchors,
    Metadata,
    Results,
    read_metadata,
    read_results,
    results_files,
)
from theogony.benchmark.score import task_scores_again
from theogony.benchmark.tasks import TRACKS, BenchmarkError, Tasks, shipped
from theogony.benchmark.verify import NAME, check, check_together, level_of, read_marks

BOOTSTRAP = 18  # what the rng of the report is seeded with
NO_LEARNING, OPEN = "no learning", "open"
ORDER = (NO_LEARNING, *TRACKS, OPEN)  # of tracks on the page


@dataclass(frozen=True)
class Entry:
    """One submission in one suite: a results file for each seed."""

    metadata: Metadata
    runs: list[Results]
    verified: str = "-"  # what `verify` has found of its files, see `verify.py`
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

    def overall(self) -> tuple[float, float, float]:
        """Interquartile mean and its interval: over deals, and over seeds where there are several."""
        return self._overall

    @functools.cached_property
    def _overall(self) -> tuple[float, float, float]:
        if len(self.runs) == 1:
            found = self.runs[0].overall
            assert found is not None
            return found.iqm, found.low, found.high
        found = [task_scores_again(task, self.runs).T for task in self.runs[0].tasks if task.id in self.tasks]
        drawn = statistics.runs_again(np.stack(found, axis=2), np.random.default_rng(BOOTSTRAP))
        spread = np.array([statistics.iqm(one) for one in drawn])
        return statistics.iqm(self.scores), *statistics.interval(spread)


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
            yield Entry(metadata, played, level_of(marks, folder, runs), bounds, left, place)


def _left(groups: Iterable[list[Results]], tasks: Tasks) -> Pair | None:
    """What is left of a submission on unseen components, if it has played the suite that asks it."""
    found = [left_of(runs, tasks.suites.get(SUITE, ())) for runs in groups if runs[0].suite == SUITE]
    return next((one for one in found if one is not None), None)


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
            found = [entry for entry in entries if (entry.track, entry.kind) == (track, kind)]
            if found:
                yield track, kind, found
