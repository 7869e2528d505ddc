"""`theogony benchmark report`: the leaderboard of a folder of submissions, as a Markdown page with plots and files."""

from __future__ import annotations

import hashlib
import itertools
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from theogony.benchmark.programs import SUFFIX, is_program
from theogony.benchmark.report import tables
from theogony.benchmark.report.entries import (
    NO_LEARNING,
    OPEN,
    UNSEEN_SUITE,
    Entry,
    ModelEntry,
    Ranked,
    groups_of,
    read_entries,
    read_models,
)
from theogony.benchmark.report.plots import curves_svg, intervals_svg, profiles_svg
from theogony.benchmark.report.ratings import ratings_of
from theogony.benchmark.report.render import Link, cell, markdown, one_line
from theogony.benchmark.results import METADATA, MIN_SEEDS, Anchors
from theogony.benchmark.tasks import TRACKS, BenchmarkError, Tasks, shipped
from theogony.envs.core.untrusted.files import make_folder, replace_file

PAGE, PLOTS = "leaderboard.md", "leaderboard"
WRITTEN = ".written"  # in the folder of the plots: the names of what the last report put there
LONGEST = 80  # letters of the name of a suite in the name of a file
BEST = 3  # entries of a suite that are named

# ---- The words

HEAD = """\
# Leaderboard

How well agents play the games of the [benchmark](benchmark.md), in one number over the tasks of a
[suite](benchmark.md#choose-a-suite): 0 is random play, 1 a learnt player of each game, the reference player (in
the suite `unseen` greedy play)."""
COLUMNS = """\
* *Score*: the [interquartile mean](benchmark_protocol.md#score) over tasks, with a 95 % interval over deals and seeds.
* *Kind*: what an agent [uses when it plays](benchmark.md#words). *Learnt from*: the
  [track](benchmark_protocol.md#tracks) that limits its training, and how many trainings played; `open` is learning
  outside of a track, *too few* are less than five.
* *Against greedy*: share of games won before learning and after it, from learning curves, the mean over tasks: what an
  agent brings along, as scores of greedy as input or the game's own value, is no learning.
* *Beaten in*: a [lower bound](benchmark_protocol.md#how-far-an-entry-can-be-beaten) on the share of games that somebody
  wins against this entry, of the two-player games the one where it is highest. *50% (a copy)*: nobody was found who
  surely wins more than a copy of the entry would.
* *Unseen*: how its score changes where [components are drawn anew](benchmark_protocol.md#unseen-components).
* *CPU seconds*: of learning, if any, + of play, all seeds together.
* *Verified*: *checked*, or *replayed* with the number of games that were played anew
  ([what that proves](benchmark_submit.md#what-verify-proves))."""
AGAIN_HERE = """\
Two commands play a row anew and show the difference, task by task:

```
theogony benchmark run {suite} --agent {agent} --out mine.json
theogony benchmark compare mine.json leaderboard/results/{name}
```

The commands of every row stand on [the page of the suite](leaderboard/{file}.md#play-a-row-again). How your own agent
takes part: [Measure an agent](benchmark_run.md)."""
OTHERS = """\
Each has a page with its table, its tasks and plots; rows that have played some of the tasks are there too."""
EXPLOITED = """\
Share of games won, a drawn game counting half, with its 95 % interval: by the best exploiter on fresh deals, and at
each table of two by the strongest opponent of the entry's tasks, chosen on every second deal and measured on the
others. Of each entry the row whose interval begins highest comes first, since few deals prove little. An interval is
of its row alone. Somebody stronger may win more; where an interval reaches what a copy of the entry wins, that is the
bound."""
UNSEEN = """\
Scores against greedy, which knows all components by their rules and is 1 with either: with the printed components and
with packs that nobody learns with. The interval of the change holds what 0 and 1 were measured to be."""
RATINGS = """\
Elo points above greedy play, by Bradley-Terry from the games against the task's opponents, which stand in the table as
well ([how](../benchmark_protocol.md#ratings)), *held back* for the one that
[nobody trains against](../benchmark_protocol.md). 400 points are odds of ten to one. Agents with all tables come first,
the best by their mean."""
SUBMITTED = """\
As the submissions say. *Decisions*: from how many it learnt, within a track as they were counted, the most of any task.
"""
AGAIN = """\
Two commands play a row again and show that nothing differs ([how](../benchmark_run.md#play-a-row-again)). What a
row has learnt is learnt again; an agent that is a file or a class must be at hand."""
MODELS = """\
Elo points above `random` on the ladder of the table, with the 95 % interval. Figures of different
[tracks](tracks.md#what-may-differ) are not compared."""
GAP = """\
*Gap*: how far scores are below 1 on average, where those above 1 count as 1
([optimality gap](../benchmark_protocol.md#score)). All other columns are those of the [leaderboard](../leaderboard.md).
"""
IMPROVEMENT = """\
Probability of improvement: how likely a run of the agent of the row has the higher score in a task drawn at random than
one of the column. `theogony benchmark compare` gives its interval:"""
TRACK_TITLES = {NO_LEARNING: "nothing learnt", OPEN: "learnt outside of a track"} | {
    name: f"at most {limits.decisions:,} decisions learnt from" if name != "1h" else "one CPU-hour of learning"
    for name, limits in TRACKS.items()
}

# ---- The pages


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
    if not folder.is_dir():
        raise BenchmarkError(f"{folder}: is no folder; expected one with submissions")
    entries, models = list(read_entries(folder, tasks, anchors)), list(read_models(folder))
    if not entries and not models:
        raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
    suites = _suites(entries, tasks or shipped())
    page = "\n".join(_page(suites, models)) + "\n"
    files = dict(tables.tables_of(suites, csv, latex, _file))
    for suite, ranked in suites.items():
        files[f"{_file(suite)}.md"] = "\n".join(_details(suite, ranked, files)) + "\n"
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
        found[suite] = Ranked.of(mine, tasks.suites.get(suite) or max((entry.tasks for entry in mine), key=len))
    return dict(sorted(found.items(), key=lambda item: -len(item[1].complete)))


def _page(suites: dict[str, Ranked], models: Sequence[ModelEntry]) -> Iterator[str]:
    """One table, of the suite that most entries have played; how to play a row again; other suites."""
    yield HEAD
    for suite, ranked in itertools.islice(suites.items(), 1):
        yield from _headline(suite, ranked)
    if len(suites) > 1:
        yield from ("", "## All suites", "", OTHERS)
        yield from _suites_table(suites)
    if models:
        yield from ("", "## Language models and programs", "", MODELS)
        yield from tables.models_table(models)


def _headline(suite: str, ranked: Ranked) -> Iterator[str]:
    """The table of the leaderboard and what stands below it."""
    shown = ranked.complete or ranked.partial
    yield from ("", f"## {cell(suite)}", "", _played(ranked, bool(ranked.complete)))
    columns = tables.HEADLINE if ranked.complete else tables.PARTIAL
    yield from tables.entries_table(columns, shown, ranked.members)
    yield from ("", f"[Who they are, and the results of each task, with plots]({PLOTS}/{_file(suite)}.md)")
    yield from ("", COLUMNS)
    for one in itertools.islice(filter(_is_typed, shown), 1):
        player = one.runs[0].agent.player
        said = AGAIN_HERE.format(suite=suite, agent=player, name=one.name, file=_file(suite))
        yield from ("", "### Play a row again", "", said)


def _is_typed(entry: Entry) -> bool:
    """Whether a row is played again by its name alone, in letters that mean nothing to a shell or to Markdown."""
    words = entry.suite, entry.name, entry.runs[0].agent.player
    return entry.track == NO_LEARNING and all(re.fullmatch(r"[\w.:@-]+", word, re.ASCII) for word in words)


def _suites_table(suites: dict[str, Ranked]) -> Iterator[str]:
    rows = (
        [
            Link(f"[{cell(suite)}]({PLOTS}/{_file(suite)}.md)"),
            *(f"{len(some):,}" for some in (ranked.members, ranked.complete, ranked.partial)),
            ", ".join(f"{one.name} {one.overall[0]:.2f}" for one in ranked.complete[:BEST]) or "-",
        ]
        for suite, ranked in suites.items()
    )
    yield from markdown(["suite", "tasks", "entries with all", "with some", "best"], rows)


def _details(suite: str, ranked: Ranked, files: dict[str, str]) -> Iterator[str]:
    """The page of a suite: its ranking, how far entries can be beaten, and entries of one track and kind by task."""
    yield from (f"# Results of {cell(suite)}", "", f"What the [leaderboard](../{PAGE}) sums up, and says how to read.")
    yield from _ranking(ranked)
    mine = ranked.all
    yield from ("", "## Who they are", "", SUBMITTED.rstrip())
    yield from tables.entries_table(tables.SUBMITTED, mine, ranked.members)
    if ratings := ratings_of(mine):
        yield from ("", "## Ratings", "", RATINGS)
        yield from tables.ratings_table(ratings)
    if any(entry.bounds for entry in mine):
        yield from ("", "## How far entries can be beaten", "", EXPLOITED)
        yield from tables.bounds_table((entry.name, entry.bounds) for entry in mine)
    if suite == UNSEEN_SUITE:
        yield from ("", "## With unseen components", "", UNSEEN)
        yield from tables.unseen_table(mine)
    for track, kind, found in groups_of(mine):
        yield from ("", f"## {cell(suite)}: {TRACK_TITLES[track]}, {kind}")
        yield from _compared(found, _file(f"{suite}-{track}-{kind}"), files)
    for track in TRACKS:
        learnt = [entry for entry in mine if entry.track == track]
        if drawn := [one for one in learnt if any(task.curve for run in one.runs for task in run.training)]:
            yield from _curves(Ranked([], drawn, ranked.members), _file(f"{suite}-{track}"), files)
    yield from ("", "## Play a row again", "", AGAIN)
    yield from again_commands(mine, ranked.members)


# ---- Parts of them


def _played(ranked: Ranked, complete: bool) -> str:
    """What is said above a table."""
    if not complete:
        return "Some tasks played; means over different tasks cannot be compared:"
    return f"All {len(ranked.members)} tasks played:" if len(ranked.members) > 1 else "Its task played:"


def _ranking(ranked: Ranked) -> Iterator[str]:
    """One table of the entries that played every task, and one of the others: their means are of other tasks."""
    yield from ("", "## Ranking")
    for entries, columns in ((ranked.complete, tables.RANKING), (ranked.partial, tables.PARTIAL)):
        if entries:
            yield from ("", _played(ranked, entries is ranked.complete))
            yield from tables.entries_table(columns, entries, ranked.members)
    yield from ("", GAP.rstrip())
    crashes = [(entry.name, sum(len(run.crashes) for run in entry.runs)) for entry in ranked.all]
    if crashed := [f"{cell(name)} {count:,}" for name, count in crashes if count]:
        yield from ("", f"Games lost by an error or an illegal action: {', '.join(crashed)}.")
    if any(entry.has_too_few for entry in ranked.all):
        yield from ("", f"Too few: an agent that learns needs {MIN_SEEDS} seeds.")


def _compared(entries: Sequence[Entry], name: str, files: dict[str, str]) -> Iterator[str]:
    """Entries of one track and kind: scores by task, plots, and how likely one is better than another."""
    scored = [entry for entry in entries if entry.tasks]
    if not scored:
        return
    yield from ("", "Score of each task, and the player that scores 1:")
    yield from tables.task_tables(scored)
    rows = [(entry.name, *entry.overall) for entry in scored]
    yield from _plot("Scores", f"{name}-scores", intervals_svg(rows), files)
    profiles = profiles_svg([(entry.name, entry.scores) for entry in scored])
    yield from _plot("Performance profiles", f"{name}-profiles", profiles, files)
    if any(one is not other and one.tasks == other.tasks for one in scored for other in scored):
        yield from ("", IMPROVEMENT)
        yield from tables.improvement_tables(scored)


def _curves(ranked: Ranked, name: str, files: dict[str, str]) -> Iterator[str]:
    """Games won while it learnt, over decisions and over time: the mean over those that it met in training."""
    points = ["task", "agent", "seed", "decisions", "cpu"]
    curves = tables.frame_of("curves", ranked).astype({"won": float})
    curves = curves.groupby(points, sort=False)["won"].mean().reset_index()
    for axis, over, unit in (("decisions", "decisions", "decisions"), ("time", "cpu", "seconds of the processor")):
        yield from _plot(f"Learning curves over {axis}", f"{name}-{axis}", curves_svg(curves, over, unit), files)


def _plot(title: str, name: str, svg: str, files: dict[str, str]) -> Iterator[str]:
    """Put a plot among the files; the lines that show it."""
    files[f"{name}.svg"] = svg
    yield from ("", f"![{title}]({name}.svg)")


def _file(text: str) -> str:
    """A name for a file; what is too long for one, as a suite of many tasks is, ends with a digest."""
    name = "".join(sign if sign.isalnum() or sign in "-_.+" else "-" for sign in text)
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


# ---- How to play the rows of a suite again: the commands, so that they can be pasted

MINE, THEIRS = "mine", "leaderboard/results"
LONGEST_FOLDER = 40  # letters of a suite in the name of a folder: one of many tasks is called by their ids


def again_commands(entries: Sequence[Entry], members: Sequence[str]) -> Iterator[str]:
    """Of each entry its name, and a block with the commands that play it and compare the results."""
    for entry in entries:
        player = entry.runs[0].agent.player
        if _is_harmless(player):
            yield from ("", f"{cell(entry.name)}:", "", "```", *commands(entry, members), "```")
        else:
            yield from (
                "",
                f"{cell(entry.name)} has no command that can be pasted unread; its agent is {cell(player)}.",
            )


def commands(entry: Entry, members: Sequence[str]) -> tuple[str, str]:
    """What plays an entry again, with all its seeds, and what sets the results beside those that it has."""
    agent, suite = entry.runs[0].agent, entry.suite
    folder = f"{MINE}/{'-'.join([suite.replace(',', '-')[:LONGEST_FOLDER], *PurePath(entry.place).parts])}"
    played = [task.id for task in entry.runs[0].tasks]
    words = ["theogony", "benchmark", "run", suite, "--agent", agent.player]
    words += [] if agent.track is None else ["--track", agent.track]
    words += ["--seeds", seeds_as_text([run.agent.seed for run in entry.runs])]
    words += [] if set(members) <= set(played) else ["--only", ",".join(played)]
    words += ["--out", f"{folder}/{{seed}}.json"]
    return shlex.join(words), shlex.join(["theogony", "benchmark", "compare", folder, f"{THEIRS}/{entry.place}"])


def seeds_as_text(seeds: Sequence[int]) -> str:
    """Numbers as `--seeds` takes them.

    >>> seeds_as_text([0, 1, 2, 5, 7, 8])
    '0-2,5,7-8'
    """
    spans: list[list[int]] = []
    for seed in sorted(seeds):
        if spans and seed == spans[-1][1] + 1:
            spans[-1][1] = seed
        else:
            spans.append([seed, seed])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def _is_harmless(player: str) -> bool:
    """Whether the name of a player, which a stranger may have written, runs no more than a script by a Python: in a
    program of a track the first word is run, whatever it is. The shell obeys none of it: it is quoted."""
    if player != one_line(player) or player.startswith("-"):
        return False
    if not is_program(player):
        return True
    try:
        first, *others = shlex.split(player)
    except ValueError:
        return False
    by_python = PurePath(first).name.startswith("python") and others[:1] and others[0].endswith(SUFFIX)
    return first.endswith(SUFFIX) or bool(by_python)
