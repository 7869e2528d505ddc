"""`theogony benchmark report`: the leaderboard of a folder of submissions, as a Markdown page with plots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from theogony.benchmark.report.entries import NO_LEARNING, OPEN, Entry, groups_of, read_entries
from theogony.benchmark.report.plots import Panel, curves_svg, intervals_svg, profiles_svg
from theogony.benchmark.results import statistics
from theogony.benchmark.results.anchors import Anchors
from theogony.benchmark.results.submission import METADATA, MIN_SEEDS
from theogony.benchmark.tasks import BenchmarkError, Tasks
from theogony.benchmark.tracks import TRACKS
from theogony.envs.core.files import make_folder, replace_file
from theogony.envs.core.outside import printable

SPELT = {ord(sign): f"&#{ord(sign)};" for sign in "&<>|\\`*[]~#!"}
UNDERLINE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")  # between letters it is none of Markdown's
PAGE, PLOTS = "leaderboard.md", "leaderboard"
HEAD = """\
# Leaderboard

Written by `theogony benchmark report`; [Benchmark](benchmark.md) says how it is measured. 0 is random play, 1 the
player named in the table of tasks. Intervals are 95 %: over seeds where there are several, otherwise over deals. Agents
of another track, or of another kind at play time, stand in tables of their own. *Checked* and *replayed*, with the
number of games that were played anew, say what was [verified](benchmark.md#what-verify-proves).
"""
TRACK_TITLES = {NO_LEARNING: "nothing learnt", OPEN: "learnt outside of a track"} | {
    name: f"at most {limits.decisions:,} decisions learnt from" if name != "1h" else "one CPU-hour of learning"
    for name, limits in TRACKS.items()
}


def report(folder: Path, out: Path, tasks: Tasks | None = None, anchors: Anchors | None = None) -> Path:
    """Write the leaderboard of all submissions in a folder. Returns the page; its plots are in a folder beside it.

    Raises BenchmarkError naming a file that does not fit; records are not played again, `verify` does that.
    """
    entries = list(read_entries(folder, tasks, anchors))
    if not entries:
        raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
    make_folder(out / PLOTS)
    for old in (out / PLOTS).glob("*.svg"):
        old.unlink()
    replace_file(out / PAGE, "\n".join(_page(entries, out)).encode() + b"\n")
    return out / PAGE


def _page(entries: list[Entry], out: Path) -> Iterator[str]:
    yield HEAD.rstrip()
    for suite in sorted({entry.suite for entry in entries}):
        mine = [entry for entry in entries if entry.suite == suite]
        whole = max(len(entry.runs[0].tasks) for entry in mine)
        yield from ("", f"## {_cell(suite)}")
        for track, kind, found in groups_of(mine):
            yield from ("", f"### {_cell(suite)}: {TRACK_TITLES[track]}, {kind}", "")
            yield from _ranking(found, whole)
            yield from _plots(found, _file(f"{suite}-{track}-{kind}"), out)
            yield from _against(found)
        for track in TRACKS:
            yield from _curves([entry for entry in mine if entry.track == track], _file(f"{suite}-{track}"), out)
        yield from _tasks(mine)


# ---------------------------------------------------------------------------------------------------- parts of it


def _ranking(entries: list[Entry], whole: int) -> Iterator[str]:
    """Those that played every task first: a mean over fewer tasks is another figure."""
    yield (
        "| agent | seeds | tasks | interquartile mean | optimality gap | crashes | CPU of learning | CPU of play "
        "| verified |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    scored = [entry for entry in entries if entry.tasks]
    for entry in sorted(scored, key=lambda entry: (-len(entry.tasks), -entry.overall()[0])):
        middle, low, high = entry.overall()
        seeds = f"{len(entry.runs)}{' (too few)' if entry.has_too_few else ''}"
        crashes = sum(len(run.crashes) for run in entry.runs)
        learning = sum(one.cpu for run in entry.runs for one in run.seconds.training)
        play = sum(run.seconds.cpu for run in entry.runs)
        gap = statistics.optimality_gap(entry.scores)
        tasks = f"{len(entry.tasks)}" if len(entry.tasks) == whole else f"{len(entry.tasks)} of {whole}"
        yield (
            f"| {_cell(entry.name)} | {seeds} | {tasks} | {middle:.2f} ({low:.2f} to {high:.2f}) "
            f"| {gap:.2f} | {crashes} | {f'{learning:,.0f} s' if learning else '-'} | {play:,.0f} s "
            f"| {entry.verified} |"
        )
    for entry in entries:
        if not entry.tasks:
            yield f"| {_cell(entry.name)} | {len(entry.runs)} | 0 | no scores yet | - | - | - | - | {entry.verified} |"
    if any(entry.has_too_few for entry in entries):
        yield from ("", f"Too few: an agent that learns needs {MIN_SEEDS} seeds.")


def _plots(entries: list[Entry], name: str, out: Path) -> Iterator[str]:
    scored = [entry for entry in entries if entry.tasks]
    if not scored:
        return
    rows = [(entry.name, *entry.overall()) for entry in scored]
    yield from _plot("Scores", f"{name}-scores", intervals_svg(rows), out)
    profiles = profiles_svg([(entry.name, entry.scores) for entry in scored])
    yield from _plot("Performance profiles", f"{name}-profiles", profiles, out)


def _against(entries: list[Entry]) -> Iterator[str]:
    """How likely the agent of a row is better than that of a column, where both have the same tasks."""
    scored = [entry for entry in entries if entry.tasks]
    if len(scored) < 2:
        return
    yield from ("", "Probability of improvement of the row over the column:", "")
    yield "| | " + " | ".join(_cell(entry.name) for entry in scored) + " |"
    yield "|---|" + "---|" * len(scored)
    for one in scored:
        cells = []
        for other in scored:
            comparable = one is not other and one.tasks == other.tasks
            shown = statistics.probability_of_improvement(one.scores, other.scores) if comparable else None
            cells.append("-" if shown is None else f"{shown:.2f}")
        yield f"| {_cell(one.name)} | " + " | ".join(cells) + " |"


def _curves(entries: list[Entry], name: str, out: Path) -> Iterator[str]:
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
        yield from _plot(f"Learning curves over {axis}", f"{name}-{axis}", curves_svg(panels[axis], unit), out)


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


def _tasks(entries: list[Entry]) -> Iterator[str]:
    """Scores by task, a column each agent."""
    tasks = list(dict.fromkeys(task for entry in entries for task in entry.tasks))
    if not tasks:
        return
    ones = {score.task: score.one for entry in entries for run in entry.runs for score in run.scores}
    yield from ("", "Score of each task, and the player that scores 1:", "")
    heads = [f"{_cell(entry.name)} ({entry.kind}, {entry.track})" for entry in entries]
    yield "| task | 1 is | " + " | ".join(heads) + " |"
    yield "|---|---|" + "---|" * len(entries)
    for task in tasks:
        cells = []
        for entry in entries:
            found = [score.score for run in entry.runs for score in run.scores if score.task == task]
            cells.append(f"{np.mean(found):.2f}" if found else "-")
        yield f"| {_cell(task)} | {_cell(ones[task])} | " + " | ".join(cells) + " |"


def _plot(title: str, name: str, svg: str, out: Path) -> Iterator[str]:
    """Write a plot; the lines that show it."""
    replace_file(out / PLOTS / f"{name}.svg", svg.encode())
    yield from ("", f"![{title}]({PLOTS}/{name}.svg)")


def _file(text: str) -> str:
    """A name for a file."""
    return "".join(sign if sign.isalnum() or sign in "-_.+" else "-" for sign in text)


def _cell(text: str) -> str:
    """Text of others inside a line or a table: signs that Markdown, HTML or a terminal would obey are written out."""
    return UNDERLINE.sub("&#95;", " ".join(printable(text).split()).translate(SPELT))
