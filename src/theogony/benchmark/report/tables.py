"""Tables of the report as rows of text, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.report.beaten import worst_of
from theogony.benchmark.report.entries import NO_LEARNING, Entry
from theogony.benchmark.report.markdown import cell, one_line, table
from theogony.benchmark.report.unseen import pairs_of

BEATEN = ("beaten", "beaten_low", "beaten_high", "beaten_at", "beaten_by")  # fields of a line
COPY = "a copy"
AGENTS = 6  # side by side in a table: more do not fit a page
LONGEST = 240  # signs of a description in a table


class Line(NamedTuple):
    """What is said of an entry. Seconds are of the processor; figures are None without scores."""

    suite: str
    agent: str
    kind: str
    learnt: str
    seeds: int
    tasks: int
    former: int
    whole: int
    iqm: float | None
    low: float | None
    high: float | None
    gap: float | None
    crashes: int
    learning_seconds: float
    play_seconds: float
    verified: str
    beaten: float | None
    beaten_low: float | None
    beaten_high: float | None
    beaten_at: str | None
    beaten_by: str | None
    unseen: float | None
    unseen_low: float | None
    unseen_high: float | None
    decisions: int | None
    authors: str
    code: str | None
    config: str | None


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
            sorted(complete, key=lambda entry: (-entry.overall()[0], entry.name)),
            sorted(partial, key=lambda entry: (-len(set(entry.tasks) & set(members)), entry.name)),
            members,
        )

    def line(self, entry: Entry) -> Line:
        """What is said of one of them."""
        mine = set(entry.tasks)
        middle, low, high = entry.overall() if mine else (None, None, None)
        return Line(
            suite=entry.suite,
            agent=entry.name,
            kind=entry.kind,
            learnt=entry.track,
            seeds=len(entry.runs),
            tasks=len(mine & set(self.members)),
            former=len(mine - set(self.members)),
            whole=len(self.members),
            iqm=middle,
            low=low,
            high=high,
            gap=statistics.optimality_gap(entry.scores) if mine else None,
            crashes=sum(len(run.crashes) for run in entry.runs),
            learning_seconds=sum(one.cpu for run in entry.runs for one in run.seconds.training),
            play_seconds=sum(run.seconds.cpu for run in entry.runs),
            verified=entry.verified,
            **_beaten(entry),
            unseen=entry.left and entry.left.change,
            unseen_low=entry.left and entry.left.low,
            unseen_high=entry.left and entry.left.high,
            decisions=entry.decisions,
            authors=entry.metadata.authors,
            code=entry.metadata.code,
            config=entry.metadata.config,
        )


# ---------------------------------------------------------------------------------------------------- Markdown


def headline_table(ranked: Ranked) -> Iterator[str]:
    """What the leaderboard shows: entries that played every task, best first; where there is none, the others."""
    yield from _table(HEADLINE, ranked, ranked.complete) if ranked.complete else partial_table(ranked)


def complete_table(ranked: Ranked) -> Iterator[str]:
    """Entries that played every task, best first."""
    yield from _table(RANKING, ranked, ranked.complete)


def partial_table(ranked: Ranked) -> Iterator[str]:
    """Entries that played some tasks: the figures of two rows are of different tasks."""
    yield from _table((RANKING[0], "tasks", *RANKING[1:]), ranked, ranked.partial)


def described_table(entries: Sequence[Entry]) -> Iterator[str]:
    """What submissions say of their agents."""
    yield from table(["agent", "what it is"], ([cell(one.name), cell(_short(one))] for one in entries))


def submitted_table(entries: Sequence[Entry]) -> Iterator[str]:
    """All that submissions say: what the agent is, who made it, what from, and where that can be read."""
    rows = (
        [
            cell(entry.name),
            cell(_short(entry)),
            cell(_cut(entry.metadata.authors)),
            "-" if entry.decisions is None else f"{entry.decisions:,}",
            cell(_cut(entry.metadata.code or "-")),
            cell(_cut(entry.metadata.config or "-")),
        ]
        for entry in entries
    )
    yield from table(["agent", "what it is", "authors", "decisions", "code", "training file or program"], rows)


def task_tables(entries: Sequence[Entry]) -> Iterator[str]:
    """Scores by task, a column each agent, the player that scores 1 beside the task."""
    tasks = list(dict.fromkeys(task for entry in entries for task in entry.tasks))
    ones = {score.task: score.one for entry in entries for run in entry.runs for score in run.scores}
    for some in _side_by_side(entries):
        rows = ([cell(task), cell(ones[task]), *(_mean(entry, task) for entry in some)] for task in tasks)
        yield from table(["task", "1 is", *(cell(entry.name) for entry in some)], rows)


def unseen_table(entries: Sequence[Entry]) -> Iterator[str]:
    """A line for every entry and game: scores with the printed components and with unseen ones."""
    rows = (
        [cell(entry.name), cell(one.task), f"{one.printed:.2f}", f"{one.unseen:.2f}", _change(*one[3:])]
        for entry in entries
        for one in pairs_of(entry.runs)
    )
    yield from table(["entry", "task", "printed", "unseen", "change"], rows)


def improvement_tables(entries: Sequence[Entry]) -> Iterator[str]:
    """How likely the agent of a row is better than that of a column, where both have the same tasks."""
    for some in _side_by_side(entries):
        rows = ([cell(one.name), *(_improvement(one, other) for other in some)] for one in entries)
        yield from table(["", *(cell(entry.name) for entry in some)], rows)


def _table(columns: Sequence[str], ranked: Ranked, entries: Sequence[Entry]) -> Iterator[str]:
    lines = ((entry, ranked.line(entry)) for entry in entries)
    yield from table(columns, ([COLUMNS[column](entry, line) for column in columns] for entry, line in lines))


def _seeds(entry: Entry) -> str:
    return f"{len(entry.runs)}{' (too few)' if entry.has_too_few else ''}"


def _score(line: Line) -> str:
    return "none yet" if line.iqm is None else f"{line.iqm:.2f} ({line.low:.2f} to {line.high:.2f})"


def _seconds(line: Line) -> str:
    learning = f"{line.learning_seconds:,.0f} + " if line.learning_seconds else ""
    return f"{learning}{line.play_seconds:,.0f}"


def _short(entry: Entry) -> str:
    """What a submission says of its agent, no longer than a row of a table should be."""
    return _cut(entry.metadata.description)


def _cut(text: str) -> str:
    said = one_line(text)
    return said if len(said) <= LONGEST else f"{said[:LONGEST].rpartition(' ')[0] or said[:LONGEST]} ..."


def _beaten(entry: Entry) -> dict[str, Any]:
    """The highest bound at a table of two; where none says more, that a copy of the entry wins half."""
    worst = worst_of(entry.bounds)
    if worst is None or not worst.says_more:
        half = None if worst is None else 1 / worst.players
        return dict.fromkeys(BEATEN, None) | {"beaten": half, "beaten_by": half and COPY}
    return dict(zip(BEATEN, (worst.won, worst.low, worst.high, worst.task, worst.who), strict=True))


def _bound(line: Line) -> str:
    if line.beaten is None:
        return "-"
    said = COPY if line.beaten_low is None else f"{line.beaten_low:.0%} to {line.beaten_high:.0%}"
    return f"{line.beaten:.0%} ({said})"


def _change(*figures: float | None) -> str:
    """A change with its interval, each with a sign; -0.00 is none."""
    change, low, high = (None if one is None else f"{round(one, 2) + 0.0:+.2f}" for one in figures)
    return "-" if change is None else f"{change} ({low} to {high})"


def _tasks(line: Line) -> str:
    return f"{line.tasks} of {line.whole}" + (f", {line.former} former" if line.former else "")


def _side_by_side(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    yield from (entries[k : k + AGENTS] for k in range(0, len(entries), AGENTS))


def _mean(entry: Entry, task: str) -> str:
    found = [score.score for run in entry.runs for score in run.scores if score.task == task]
    return f"{np.mean(found):.2f}" if found else "-"


def _improvement(one: Entry, other: Entry) -> str:
    if one is other or one.tasks != other.tasks:
        return "-"
    return f"{statistics.probability_of_improvement(one.scores, other.scores):.2f}"


COLUMNS: dict[str, Callable[[Entry, Line], str]] = {
    "agent": lambda entry, line: cell(entry.name),
    "tasks": lambda entry, line: _tasks(line),
    "score": lambda entry, line: _score(line),
    "gap": lambda entry, line: "-" if line.gap is None else f"{line.gap:.2f}",
    "kind": lambda entry, line: line.kind,
    "learnt from": lambda entry, line: "nothing" if line.learnt == NO_LEARNING else line.learnt,
    "seeds": lambda entry, line: _seeds(entry),
    "beaten in": lambda entry, line: _bound(line),
    "unseen": lambda entry, line: _change(line.unseen, line.unseen_low, line.unseen_high),
    "CPU seconds": lambda entry, line: _seconds(line),
    "verified": lambda entry, line: line.verified,
}
HEADLINE = ("agent", "score", "kind", "learnt from", "seeds", "beaten in", "unseen", "CPU seconds", "verified")
RANKING = ("agent", "score", "gap", "kind", "learnt from", "seeds", "beaten in", "unseen", "CPU seconds", "verified")
