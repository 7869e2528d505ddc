"""`theogony benchmark report`: the leaderboard of a folder of submissions, as a Markdown page with plots and files."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from theogony.benchmark.report import tables
from theogony.benchmark.report.again import again_commands
from theogony.benchmark.report.beaten import bounds_table
from theogony.benchmark.report.entries import NO_LEARNING, Entry, groups_of, read_entries
from theogony.benchmark.report.files import tables_of
from theogony.benchmark.report.markdown import cell, table
from theogony.benchmark.report.models import ModelEntry, models_table, read_models
from theogony.benchmark.report.plots import Panel, curves_svg, intervals_svg, profiles_svg
from theogony.benchmark.report.ratings import ratings_of, ratings_table
from theogony.benchmark.report.tables import Ranked
from theogony.benchmark.report.unseen import SUITE as UNSEEN_SUITE
from theogony.benchmark.report.words import (
    AGAIN,
    AGAIN_HERE,
    COLUMNS,
    EXPLOITED,
    FORMER,
    GAP,
    HEAD,
    IMPROVEMENT,
    MODELS,
    OTHERS,
    RATINGS,
    SUBMITTED,
    TRACK_TITLES,
    UNSEEN,
)
from theogony.benchmark.results import METADATA, MIN_SEEDS, Anchors
from theogony.benchmark.tasks import TRACKS, BenchmarkError, Tasks, shipped
from theogony.envs.core.untrusted.files import make_folder, replace_file

PAGE, PLOTS = "leaderboard.md", "leaderboard"
WRITTEN = ".written"  # in the folder of the plots: the names of what the last report put there
LONGEST = 80  # letters of the name of a suite in the name of a file
BEST = 3  # entries of a suite that are named


def report(
    folder: Path,
    out: Path,
    tasks: Tasks | None = None,
    anchors: Anchors | None = None,
    csv: bool = False,
    latex: bool = False,
) -> Path:
    """Write the leaderboard of all submissions in a folder. Returns the page; its plots are in a folder beside it.

    `csv` and `latex` also write the tables there, which `tables_of` lists.
    Raises BenchmarkError naming a file that does not fit; records are not played again, `verify` does that.
    """
    entries = list(read_entries(folder, tasks, anchors))
    models = list(read_models(folder))
    if not entries and not models:
        raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
    suites = _suites(entries, tasks or shipped())
    former = _former(suites, tasks or shipped())
    page = "\n".join(_page(suites, former, models)) + "\n"
    files = dict(tables_of(suites, csv, latex, _file))
    for suite, ranked in suites.items():
        files[f"{_file(suite)}.md"] = "\n".join(_details(suite, ranked, files, former=suite in former)) + "\n"
    _write(out / PLOTS, files)
    replace_file(out / PAGE, page.encode())
    return out / PAGE


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write files, and remove pages and plots of the last report that are none of this one's; the rest stays."""
    make_folder(folder)
    kept = folder / WRITTEN
    former = kept.read_text("utf-8").splitlines() if kept.is_file() else []
    for name, text in files.items():
        replace_file(folder / name, text.encode())
    for name in former:
        if name not in files and name == Path(name).name and name.endswith((".md", ".svg")):
            (folder / name).unlink(missing_ok=True)
    replace_file(kept, "".join(f"{name}\n" for name in sorted(files)).encode())


def _suites(entries: Sequence[Entry], tasks: Tasks) -> dict[str, Ranked]:
    """The entries by suite; that with the most complete rows first."""
    found = {}
    for suite in sorted({entry.suite for entry in entries}):
        mine = [entry for entry in entries if entry.suite == suite]
        most = max((entry.tasks for entry in mine), key=len)
        found[suite] = Ranked.of(mine, tasks.suites.get(suite) or most)
    return dict(sorted(found.items(), key=lambda item: -len(item[1].complete)))


def _former(suites: dict[str, Ranked], tasks: Tasks) -> set[str]:
    """The suites with a task that nobody plays any more, since the rules have changed."""
    gone = {task.id for task in tasks.tasks if task.former}
    return {suite for suite, ranked in suites.items() if gone & set(ranked.members)}


def _page(suites: dict[str, Ranked], former: set[str], models: Sequence[ModelEntry]) -> Iterator[str]:
    """One table, of the suite that most entries have played; who they are; how to play a row again; other suites."""
    yield HEAD.rstrip()
    current = {suite: ranked for suite, ranked in suites.items() if suite not in former}
    for suite, ranked in itertools.islice(current.items(), 1):
        yield from _headline(suite, ranked)
    if len(current) > 1:
        yield from ("", "## All suites", "", OTHERS.rstrip())
        yield from _suites_table(current)
    if former:
        links = (f"[{cell(suite)}]({PLOTS}/{_file(suite)}.md)" for suite in sorted(former))
        yield from ("", "## Former suites", "", f"{FORMER.rstrip()} {', '.join(links)}.")
    if models:
        yield from ("", "## Language models and programs", "", MODELS.rstrip())
        yield from models_table(models)


def _headline(suite: str, ranked: Ranked) -> Iterator[str]:
    """The table of the leaderboard and what stands below it."""
    shown = ranked.complete or ranked.partial
    yield from ("", f"## {cell(suite)}", "", _played(ranked, bool(ranked.complete)))
    yield from tables.headline_table(ranked)
    yield from ("", f"[The results of each task, with plots]({PLOTS}/{_file(suite)}.md)")
    yield from ("", COLUMNS.rstrip(), "", "### Who they are")
    yield from tables.described_table(shown)
    for one in itertools.islice(filter(_is_typed, shown), 1):
        player = one.runs[0].agent.player
        said = AGAIN_HERE.format(suite=suite, agent=player, name=one.name, file=_file(suite))
        yield from ("", "### Play a row again", "", said.rstrip())


def _is_typed(entry: Entry) -> bool:
    """Whether a row is played again by its name alone, in letters that mean nothing to a shell or to Markdown."""
    words = entry.suite, entry.name, entry.runs[0].agent.player
    return entry.track == NO_LEARNING and all(re.fullmatch(r"[\w.:@-]+", word, re.ASCII) for word in words)


def _suites_table(suites: dict[str, Ranked]) -> Iterator[str]:
    rows = (
        [
            f"[{cell(suite)}]({PLOTS}/{_file(suite)}.md)",
            f"{len(ranked.members):,}",
            f"{len(ranked.complete):,}",
            f"{len(ranked.partial):,}",
            ", ".join(f"{cell(one.name)} {one.overall()[0]:.2f}" for one in ranked.complete[:BEST]) or "-",
        ]
        for suite, ranked in suites.items()
    )
    yield from table(["suite", "tasks", "entries with all", "with some", "best"], rows)


def _details(suite: str, ranked: Ranked, files: dict[str, str], *, former: bool) -> Iterator[str]:
    """The page of a suite: its ranking, how far entries can be beaten, and entries of one track and kind by task."""
    yield from (f"# Results of {cell(suite)}", "", f"What the [leaderboard](../{PAGE}) sums up, and says how to read.")
    yield from _ranking(ranked)
    mine = [*ranked.complete, *ranked.partial]
    yield from ("", "## Who they are", "", SUBMITTED.rstrip())
    yield from tables.submitted_table(mine)
    if ratings := ratings_of(mine):
        yield from ("", "## Ratings", "", RATINGS.rstrip())
        yield from ratings_table(ratings)
    if any(entry.bounds for entry in mine):
        yield from ("", "## How far entries can be beaten", "", EXPLOITED.rstrip())
        yield from bounds_table((entry.name, entry.bounds) for entry in mine)
    if suite == UNSEEN_SUITE:
        yield from ("", "## With unseen components", "", UNSEEN.rstrip())
        yield from tables.unseen_table(mine)
    for track, kind, found in groups_of(mine):
        yield from ("", f"## {cell(suite)}: {TRACK_TITLES[track]}, {kind}")
        yield from _compared(found, _file(f"{suite}-{track}-{kind}"), files)
    for track in TRACKS:
        yield from _curves([entry for entry in mine if entry.track == track], _file(f"{suite}-{track}"), files)
    if not former:
        yield from ("", "## Play a row again", "", AGAIN.rstrip())
        yield from again_commands(mine, ranked.members)


# ---------------------------------------------------------------------------------------------------- parts of it


def _played(ranked: Ranked, complete: bool) -> str:
    """What is said above a table."""
    if not complete:
        return "Some tasks played; means over different tasks cannot be compared:"
    return f"All {len(ranked.members)} tasks played:" if len(ranked.members) > 1 else "Its task played:"


def _ranking(ranked: Ranked) -> Iterator[str]:
    """One table of the entries that played every task, and one of the others: their means are of other tasks."""
    yield from ("", "## Ranking")
    if ranked.complete:
        yield from ("", _played(ranked, True))
        yield from tables.complete_table(ranked)
    if ranked.partial:
        yield from ("", _played(ranked, False))
        yield from tables.partial_table(ranked)
    yield from ("", GAP.rstrip())
    lines = [ranked.line(entry) for entry in (*ranked.complete, *ranked.partial)]
    if crashed := [f"{cell(line.agent)} {line.crashes:,}" for line in lines if line.crashes]:
        yield from ("", f"Games lost by an error or an illegal action: {', '.join(crashed)}.")
    if any(entry.has_too_few for entry in (*ranked.complete, *ranked.partial)):
        yield from ("", f"Too few: an agent that learns needs {MIN_SEEDS} seeds.")


def _compared(entries: Sequence[Entry], name: str, files: dict[str, str]) -> Iterator[str]:
    """Entries of one track and kind: scores by task, plots, and how likely one is better than another."""
    scored = [entry for entry in entries if entry.tasks]
    if not scored:
        return
    yield from ("", "Score of each task, and the player that scores 1:")
    yield from tables.task_tables(scored)
    rows = [(entry.name, *entry.overall()) for entry in scored]
    yield from _plot("Scores", f"{name}-scores", intervals_svg(rows), files)
    profiles = profiles_svg([(entry.name, entry.scores) for entry in scored])
    yield from _plot("Performance profiles", f"{name}-profiles", profiles, files)
    if any(one is not other and one.tasks == other.tasks for one in scored for other in scored):
        yield from ("", IMPROVEMENT.rstrip())
        yield from tables.improvement_tables(scored)


def _curves(entries: list[Entry], name: str, files: dict[str, str]) -> Iterator[str]:
    """Games won while it learnt, over decisions and over time, a panel for each task."""
    drawn = [one for entry in entries for run in entry.runs for one in run.training if one.curve]
    tasks = list(dict.fromkeys(one.task for one in drawn))
    if not tasks:
        return
    over = {"decisions": "decisions", "time": "seconds of the processor"}
    panels: dict[str, list[Panel]] = {axis: [] for axis in over}
    for task in tasks:
        lines = {axis: [(entry.name, _lines(entry, task, axis)) for entry in entries] for axis in over}
        for axis, found in lines.items():
            panels[axis].append((task, [(agent, seeds) for agent, seeds in found if seeds]))
    for axis, unit in over.items():
        yield from _plot(f"Learning curves over {axis}", f"{name}-{axis}", curves_svg(panels[axis], unit), files)


def _lines(entry: Entry, task: str, axis: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each seed (x, share of games won, the mean over those it met in training), float64."""
    found = []
    for run in entry.runs:
        for one, times in zip(run.training, run.seconds.training, strict=True):
            if one.task == task and one.curve:
                x = [point.decisions for point in one.curve] if axis == "decisions" else [cpu for _, cpu in times.curve]
                won = [np.mean(list(point.won.values())) for point in one.curve]
                found.append((np.array(x, float), np.array(won, float)))
    return found


def _plot(title: str, name: str, svg: str, files: dict[str, str]) -> Iterator[str]:
    """Put a plot among the files; the lines that show it."""
    files[f"{name}.svg"] = svg
    yield from ("", f"![{title}]({name}.svg)")


def _file(text: str) -> str:
    """A name for a file; what is too long for one, as a suite of many tasks is, ends with a digest."""
    name = "".join(sign if sign.isalnum() or sign in "-_.+" else "-" for sign in text)
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
