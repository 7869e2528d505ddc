"""`theogony benchmark report`: the leaderboard of a folder of submissions, as a Markdown page with plots and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from theogony.benchmark.report import tables
from theogony.benchmark.report.again import again_table
from theogony.benchmark.report.entries import NO_LEARNING, OPEN, Entry, groups_of, read_entries
from theogony.benchmark.report.markdown import cell
from theogony.benchmark.report.models import ModelEntry, models_table, read_models
from theogony.benchmark.report.plots import Panel, curves_svg, intervals_svg, profiles_svg
from theogony.benchmark.report.ratings import Rating, ratings_of, ratings_table
from theogony.benchmark.report.tables import Ranked
from theogony.benchmark.report.unseen import SUITE as UNSEEN_SUITE
from theogony.benchmark.results.anchors import Anchors
from theogony.benchmark.results.submission import METADATA, MIN_SEEDS
from theogony.benchmark.tasks import BenchmarkError, Tasks, shipped
from theogony.benchmark.tracks import TRACKS
from theogony.envs.core.untrusted.files import make_folder, replace_file

PAGE, PLOTS = "leaderboard.md", "leaderboard"
HEAD = """\
# Leaderboard

A score of 0 is random play, 1 the reference player of the game (in the suite `unseen` greedy). Intervals are 95 %, over
deals and, where there are several, seeds. *Kind* says what an agent uses when it plays, *learnt* what it learnt from: a
[track](benchmark_protocol.md#tracks), `open` for learning outside of one, `-` for none. *Gap* is the optimality gap;
*beaten in* the largest share of games that a learner won which played against this entry alone, a
[lower bound](benchmark_scores.md#how-far-an-entry-can-be-beaten); *unseen* the change of its score where
[components are drawn anew](benchmark_scores.md#unseen-components). CPU seconds are those of learning, if any, + those
of play. *Checked* and *replayed*, with the number of games that were played anew, say what was
[verified](benchmark_verify.md). Pages beside the tables compare agents of the same kind and track by task. How to take
part: [Benchmark](benchmark.md). This page is written by `theogony benchmark report`.
"""
EXPLOITED = """\
Share of games won by the best exploiter on fresh deals, a drawn game counting half, with its 95 % interval. A stronger
exploiter may win more.
"""
UNSEEN = """\
Scores against greedy, which knows all components by their rules and is 1 with either: with the printed components and
with packs that nobody learns with. The interval of the change holds what 0 and 1 were measured to be.
"""
RATINGS = """\
Elo points above greedy play, by Bradley-Terry from the games against the task's opponents, which stand in the table as
well ([how](../benchmark_scores.md#ratings)), *held back* for the one that
[nobody trains against](../benchmark_protocol.md). 400 points are odds of ten to one.
"""
AGAIN = """\
`theogony benchmark run {suite}` with these options plays a row again, and `theogony benchmark compare` shows that
nothing differs ([how](../benchmark_results.md#play-a-row-again)).
"""
FORMER = """\
Results of rules as they were, which nobody plays any more, are on pages of their own:
"""
MODELS = """\
Elo points above `random` on the ladder of the table, with the 95 % interval. Figures of different
[tracks](tracks.md#what-may-differ) are not compared.
"""
TRACK_TITLES = {NO_LEARNING: "nothing learnt", OPEN: "learnt outside of a track"} | {
    name: f"at most {limits.decisions:,} decisions learnt from" if name != "1h" else "one CPU-hour of learning"
    for name, limits in TRACKS.items()
}


def report(
    folder: Path,
    out: Path,
    tasks: Tasks | None = None,
    anchors: Anchors | None = None,
    csv: bool = False,
    latex: bool = False,
) -> Path:
    """Write the leaderboard of all submissions in a folder. Returns the page; its plots are in a folder beside it.

    `csv` and `latex` also write the tables there: `entries.csv`, `scores.csv`, `ratings.csv`, a `.tex` for each suite.
    Raises BenchmarkError naming a file that does not fit; records are not played again, `verify` does that.
    """
    entries = list(read_entries(folder, tasks, anchors))
    models = list(read_models(folder))
    if not entries and not models:
        raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
    suites = _suites(entries, tasks or shipped())
    make_folder(out / PLOTS)
    for old in [*(out / PLOTS).glob("*.svg"), *(out / PLOTS).glob("*.md")]:
        old.unlink()
    former = _former(suites, tasks or shipped())
    replace_file(out / PAGE, "\n".join(_page(suites, former, models)).encode() + b"\n")
    for suite, ranked in suites.items():
        content = "\n".join(_details(suite, ranked, suite in former, out)).encode()
        replace_file(out / PLOTS / f"{_file(suite)}.md", content + b"\n")
    for name, text in _files(suites, csv, latex):
        replace_file(out / PLOTS / name, text.encode())
    return out / PAGE


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


def _files(suites: dict[str, Ranked], csv: bool, latex: bool) -> Iterator[tuple[str, str]]:
    if csv:
        yield "entries.csv", tables.entries_csv(suites.values())
        yield "scores.csv", tables.scores_csv(suites.values())
        rated = {suite: ratings_of([*ranked.complete, *ranked.partial]) for suite, ranked in suites.items()}
        rows = ((suite, *rating) for suite, ratings in rated.items() for rating in ratings)
        yield "ratings.csv", tables.as_csv(("suite", *Rating._fields), rows)
    if latex:
        yield from ((f"{_file(suite)}.tex", tables.suite_latex(ranked)) for suite, ranked in suites.items())


def _page(suites: dict[str, Ranked], former: set[str], models: Sequence[ModelEntry]) -> Iterator[str]:
    yield HEAD.rstrip()
    for suite, ranked in suites.items():
        if suite not in former:
            yield from _ranking(suite, ranked)
            yield from ("", f"[Tasks and plots of {cell(suite)}]({PLOTS}/{_file(suite)}.md)")
    if former:
        links = (f"[{cell(suite)}]({PLOTS}/{_file(suite)}.md)" for suite in sorted(former))
        yield from ("", "## Former suites", "", f"{FORMER.rstrip()} {', '.join(links)}.")
    if models:
        yield from ("", "## Language models and programs", "", MODELS.rstrip())
        yield from models_table(models)


def _details(suite: str, ranked: Ranked, former: bool, out: Path) -> Iterator[str]:
    """The page of a suite: how far entries can be beaten, and entries of one track and kind by task; of a former suite
    the ranking as well."""
    yield from (f"# Tasks and plots of {cell(suite)}", "", f"What the [leaderboard](../{PAGE}) sums up, task by task.")
    if former:
        yield from _ranking(suite, ranked)
    mine = [*ranked.complete, *ranked.partial]
    if ratings := ratings_of(mine):
        yield from ("", "## Ratings", "", RATINGS.rstrip())
        yield from ratings_table(ratings)
    if any(entry.exploits for entry in mine):
        yield from ("", "## How far entries can be beaten", "", EXPLOITED.rstrip())
        yield from tables.exploit_table(mine)
    if suite == UNSEEN_SUITE:
        yield from ("", "## With unseen components", "", UNSEEN.rstrip())
        yield from tables.unseen_table(mine)
    for track, kind, found in groups_of(mine):
        yield from ("", f"## {cell(suite)}: {TRACK_TITLES[track]}, {kind}")
        yield from _compared(found, _file(f"{suite}-{track}-{kind}"), out)
    for track in TRACKS:
        yield from _curves([entry for entry in mine if entry.track == track], _file(f"{suite}-{track}"), out)
    if not former:
        yield from ("", "## Play a row again", "", AGAIN.rstrip().format(suite=cell(suite)))
        yield from again_table(mine, ranked.members)


# ---------------------------------------------------------------------------------------------------- parts of it


def _ranking(suite: str, ranked: Ranked) -> Iterator[str]:
    """One table of the entries that played every task, and one of the others: their means are of other tasks."""
    yield from ("", f"## {cell(suite)}")
    if ranked.complete:
        yield from ("", f"All {len(ranked.members)} tasks played:" if len(ranked.members) > 1 else "Its task played:")
        yield from tables.complete_table(ranked)
    if ranked.partial:
        yield from ("", "Some tasks played; means over different tasks cannot be compared:")
        yield from tables.partial_table(ranked)
    lines = [ranked.line(entry) for entry in (*ranked.complete, *ranked.partial)]
    if crashed := [f"{cell(line.agent)} {line.crashes:,}" for line in lines if line.crashes]:
        yield from ("", f"Games lost by an error or an illegal action: {', '.join(crashed)}.")
    if any(entry.has_too_few for entry in (*ranked.complete, *ranked.partial)):
        yield from ("", f"Too few: an agent that learns needs {MIN_SEEDS} seeds.")


def _compared(entries: Sequence[Entry], name: str, out: Path) -> Iterator[str]:
    """Entries of one track and kind: scores by task, plots, and how likely one is better than another."""
    scored = [entry for entry in entries if entry.tasks]
    if not scored:
        return
    yield from ("", "Score of each task, and the player that scores 1:")
    yield from tables.task_tables(scored)
    rows = [(entry.name, *entry.overall()) for entry in scored]
    yield from _plot("Scores", f"{name}-scores", intervals_svg(rows), out)
    profiles = profiles_svg([(entry.name, entry.scores) for entry in scored])
    yield from _plot("Performance profiles", f"{name}-profiles", profiles, out)
    if any(one is not other and one.tasks == other.tasks for one in scored for other in scored):
        yield from ("", "Probability of improvement of the row over the column:")
        yield from tables.improvement_tables(scored)


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


def _plot(title: str, name: str, svg: str, out: Path) -> Iterator[str]:
    """Write a plot; the lines that show it."""
    replace_file(out / PLOTS / f"{name}.svg", svg.encode())
    yield from ("", f"![{title}]({name}.svg)")


def _file(text: str) -> str:
    """A name for a file."""
    return "".join(sign if sign.isalnum() or sign in "-_.+" else "-" for sign in text)
