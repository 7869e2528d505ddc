"""`theogony benchmark report`: the leaderboard of a folder of submissions, as a Markdown page with plots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from theogony.benchmark import statistics
from theogony.benchmark.agents import KINDS
from theogony.benchmark.anchors import Anchors
from theogony.benchmark.plots import intervals_svg, profiles_svg
from theogony.benchmark.results import Results, read_results
from theogony.benchmark.submission import METADATA, MIN_SEEDS, Metadata, read_metadata, results_files
from theogony.benchmark.tasks import BenchmarkError, Tasks
from theogony.benchmark.verify import check
from theogony.envs.core.files import make_folder, replace_file

PAGE = "leaderboard.md"
BOOTSTRAP = 18  # what the rng of the report is seeded with


@dataclass(frozen=True)
class Entry:
    """One submission on the tasks of one suite: a results file for each seed."""

    metadata: Metadata
    runs: list[Results]

    @property
    def suite(self) -> str:
        """The suite that was played."""
        return self.runs[0].suite

    @property
    def tasks(self) -> list[str]:
        """The tasks that have a score."""
        return [score.task for score in self.runs[0].scores]

    @property
    def scores(self) -> np.ndarray:
        """Float64 (runs, tasks)."""
        return np.array([[score.score for score in run.scores] for run in self.runs]).reshape(len(self.runs), -1)

    @property
    def has_too_few(self) -> bool:
        """Whether an agent that learns has fewer seeds than it needs."""
        learns = self.metadata.trained or any(run.agent.trained for run in self.runs)
        return learns and len(self.runs) < MIN_SEEDS

    def overall(self) -> tuple[float, float, float]:
        """Interquartile mean and its interval: over seeds where there are several, otherwise over deals."""
        if len(self.runs) > 1:
            low, high = statistics.bootstrap_interval(self.scores, statistics.iqm, np.random.default_rng(BOOTSTRAP))
            return statistics.iqm(self.scores), low, high
        found = self.runs[0].overall
        assert found is not None
        return found.iqm, found.low, found.high


def report(folder: Path, out: Path, tasks: Tasks | None = None, anchors: Anchors | None = None) -> Path:
    """Write the leaderboard of all submissions in a folder. Returns the page.

    Raises BenchmarkError naming a file that does not fit; records are not played again, `verify` does that.
    """
    entries = list(read_entries(folder, tasks, anchors))
    if not entries:
        raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
    make_folder(out)
    replace_file(out / PAGE, "\n".join(_page(entries, out)).encode() + b"\n")
    return out / PAGE


def read_entries(folder: Path, tasks: Tasks | None = None, anchors: Anchors | None = None) -> Iterator[Entry]:
    """The submissions of a folder, an entry for each suite. Raises BenchmarkError."""
    for path in sorted(one.parent for one in folder.rglob(METADATA)):
        metadata, by_suite = read_metadata(path / METADATA), {}
        for file in results_files(path):
            results = read_results(file)
            try:
                check(results, tasks, anchors)
            except BenchmarkError as error:
                raise BenchmarkError(f"{file}: {error}") from None
            by_suite.setdefault((results.suite, results.agent.kind), []).append(results)
        yield from (Entry(metadata, runs) for runs in by_suite.values())


# ---------------------------------------------------------------------------------------------------- the page


def _page(entries: list[Entry], out: Path) -> Iterator[str]:
    yield "# Leaderboard"
    yield ""
    yield (
        "Written by `theogony benchmark report`. 0 is random play, 1 the player named in the table of tasks. Intervals "
        "are 95 %: over seeds where there are several, otherwise over deals. docs/benchmark.md says how it is measured."
    )
    for suite in sorted({entry.suite for entry in entries}):
        mine = [entry for entry in entries if entry.suite == suite]
        yield from ("", f"## {suite}")
        for kind in KINDS:
            found = [entry for entry in mine if entry.runs[0].agent.kind == kind]
            if found:
                yield from ("", f"### {suite}: {kind}", "")
                yield from _ranking(found)
                yield from _plots(found, f"{suite}-{kind}".replace(",", "+"), out)
        yield from _tasks(mine)
        yield from _against(mine)


def _ranking(entries: list[Entry]) -> Iterator[str]:
    yield "| agent | seeds | tasks | interquartile mean | optimality gap | crashes | processor time |"
    yield "|---|---|---|---|---|---|---|"
    scored = [entry for entry in entries if entry.tasks]
    for entry in sorted(scored, key=lambda entry: -entry.overall()[0]):
        middle, low, high = entry.overall()
        seeds = f"{len(entry.runs)}{' (too few)' if entry.has_too_few else ''}"
        crashes = sum(len(run.crashes) for run in entry.runs)
        hours = sum(run.seconds.cpu for run in entry.runs)
        gap = statistics.optimality_gap(entry.scores)
        yield (
            f"| {_cell(entry.metadata.name)} | {seeds} | {len(entry.tasks)} | {middle:.2f} ({low:.2f} to {high:.2f}) "
            f"| {gap:.2f} | {crashes} | {hours:,.0f} s |"
        )
    for entry in entries:
        if not entry.tasks:
            yield f"| {_cell(entry.metadata.name)} | {len(entry.runs)} | 0 | no scores yet | - | - | - |"
    if any(entry.has_too_few for entry in entries):
        yield from ("", f"Too few: an agent that learns needs {MIN_SEEDS} seeds.")


def _plots(entries: list[Entry], name: str, out: Path) -> Iterator[str]:
    scored = [entry for entry in entries if entry.tasks]
    if not scored:
        return
    rows = [(entry.metadata.name, *entry.overall()) for entry in scored]
    replace_file(out / f"{name}-scores.svg", intervals_svg(rows).encode())
    replace_file(out / f"{name}-profiles.svg", profiles_svg([(e.metadata.name, e.scores) for e in scored]).encode())
    yield from ("", f"![Scores]({name}-scores.svg)", "", f"![Performance profiles]({name}-profiles.svg)")


def _tasks(entries: list[Entry]) -> Iterator[str]:
    """Scores by task, a column each agent."""
    tasks = list(dict.fromkeys(task for entry in entries for task in entry.tasks))
    if not tasks:
        return
    ones = {score.task: score.one for entry in entries for run in entry.runs for score in run.scores}
    yield from ("", "Score of each task, and the player that scores 1:", "")
    yield "| task | 1 is | " + " | ".join(_cell(entry.metadata.name) for entry in entries) + " |"
    yield "|---|---|" + "---|" * len(entries)
    for task in tasks:
        cells = []
        for entry in entries:
            found = [score.score for run in entry.runs for score in run.scores if score.task == task]
            cells.append(f"{np.mean(found):.2f}" if found else "-")
        yield f"| {task} | {_cell(ones[task])} | " + " | ".join(cells) + " |"


def _against(entries: list[Entry]) -> Iterator[str]:
    """How likely the agent of a row is better than that of a column, where both have the same tasks."""
    scored = [entry for entry in entries if entry.tasks]
    if len(scored) < 2:
        return
    yield from ("", "Probability of improvement of the row over the column:", "")
    yield "| | " + " | ".join(_cell(entry.metadata.name) for entry in scored) + " |"
    yield "|---|" + "---|" * len(scored)
    for one in scored:
        cells = []
        for other in scored:
            comparable = one is not other and one.tasks == other.tasks
            shown = statistics.probability_of_improvement(one.scores, other.scores) if comparable else None
            cells.append("-" if shown is None else f"{shown:.2f}")
        yield f"| {_cell(one.metadata.name)} | " + " | ".join(cells) + " |"


def _cell(text: str) -> str:
    """Text of others inside a table."""
    return text.replace("\\", "").replace("|", "/").replace("<", "&lt;").replace("\n", " ").replace("[", "(").strip()
