"""Tables of the report: data frames as they are for programs, and what of them the pages show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from theogony.benchmark import score as statistics
from theogony.benchmark.agents import PREFIX
from theogony.benchmark.exploit.file import shown
from theogony.benchmark.report.entries import (
    NO_LEARNING,
    UNSEEN_SUITE,
    Bound,
    Entry,
    ModelEntry,
    Pair,
    Ranked,
    pairs_of,
    worst_of,
)
from theogony.benchmark.report.ratings import Rating, ratings_of
from theogony.benchmark.report.render import HEAD, NONE, as_csv, markdown, one_line, signed, tabular
from theogony.models.ladder import differs, shipped_ladders

COPY = "a copy"
AGENTS = 6  # side by side in a table: more do not fit a page
LONGEST = 240  # signs of a description in a table
Row = Mapping[str, Any]

# ---- Frames: a name of a file, and what a row of it holds

AGENT = ("suite", "agent", "kind", "learnt")
FIELDS = {
    "entries": (
        *(*AGENT, "seeds", "tasks", "whole", "iqm", "low", "high", "gap", "crashes", "learning_seconds"),
        *("play_seconds", "verified", "beaten", "beaten_low", "beaten_high", "beaten_at", "beaten_by"),
        *("unseen", "unseen_low", "unseen_high", "before", "after", "decisions", "authors", "code", "config"),
    ),
    "scores": (*AGENT, "seed", "task", "one", "score", "low", "high"),
    "curves": (*AGENT, "seed", "task", "decisions", "seconds", "cpu", "against", "won"),
    "ratings": ("suite", *Rating._fields),
    "exploits": ("suite", "agent", *Bound._fields),
    "unseen": ("agent", *Pair._fields),
}


def frame_of(name: str, ranked: Ranked) -> pd.DataFrame:
    """The rows of a suite: `entries` has one for each entry, `scores` for each entry, seed and task, `curves` for each
    point of a learning curve and player that was met there, `ratings` and `exploits` for each entry and task or table,
    `unseen` for each entry and game. Seconds are of the processor; figures are empty without scores."""
    if name == "entries":
        return pd.DataFrame([line_of(entry, ranked.members) for entry in ranked.all], dtype=object)
    if name == "ratings":
        rows: list[tuple[Any, ...]] = [(ranked.all[0].suite, *one) for one in ratings_of(ranked.all)]
    else:
        rows = [row for entry in ranked.all for row in ROWS[name](entry)]
    return pd.DataFrame(rows, columns=pd.Index(FIELDS[name]), dtype=object)


def _agent(entry: Entry) -> tuple[str, str, str, str]:
    return entry.suite, entry.name, entry.kind, entry.track


def _curve(entry: Entry) -> Iterator[tuple[Any, ...]]:
    for run in entry.runs:
        for one, times in zip(run.training, run.seconds.training, strict=True):
            for point, spent in zip(one.curve, times.curve, strict=True):
                where = (*_agent(entry), run.agent.seed, one.task, point.decisions, *spent)
                yield from ((*where, *won) for won in point.won.items())


ROWS: dict[str, Callable[[Entry], Iterable[tuple[Any, ...]]]] = {
    "scores": lambda entry: (
        (*_agent(entry), run.agent.seed, one.task, one.one, one.score, one.low, one.high)
        for run in entry.runs
        for one in run.scores
    ),
    "curves": _curve,
    "exploits": lambda entry: ((entry.suite, entry.name, *bound) for bound in entry.bounds),
    "unseen": lambda entry: (
        ((entry.name, *pair) for pair in pairs_of(entry.runs)) if entry.suite == UNSEEN_SUITE else ()
    ),
}


def line_of(entry: Entry, members: Sequence[str]) -> dict[str, Any]:
    """What is said of an entry of a suite with these tasks."""
    mine, runs, about = set(entry.tasks), entry.runs, entry.metadata
    middle, low, high = entry.overall if mine else (None, None, None)
    return {
        **dict(zip(AGENT, _agent(entry), strict=True)),
        "seeds": len(runs),
        "tasks": len(mine & set(members)),
        "whole": len(members),
        "iqm": middle,
        "low": low,
        "high": high,
        "gap": statistics.optimality_gap(entry.scores) if mine else None,
        "crashes": sum(len(run.crashes) for run in runs),
        "learning_seconds": sum(one.cpu for run in runs for one in run.seconds.training),
        "play_seconds": sum(run.seconds.cpu for run in runs),
        "verified": entry.verified,
        **_beaten(entry),
        "unseen": entry.left and entry.left.change,
        "unseen_low": entry.left and entry.left.low,
        "unseen_high": entry.left and entry.left.high,
        **dict(zip(("before", "after"), entry.learnt_curve, strict=True)),
        "decisions": entry.decisions,
        "authors": about.authors,
        "code": about.code,
        "config": about.config,
        "description": about.description,
        "few": " (too few)" if entry.has_too_few else "",
    }


def _beaten(entry: Entry) -> dict[str, Any]:
    """The highest bound at a table of two; where none says more, that a copy of the entry wins half."""
    fields, worst = ("beaten", "beaten_low", "beaten_high", "beaten_at", "beaten_by"), worst_of(entry.bounds)
    if worst is None or not worst.says_more:
        half = None if worst is None else 1 / worst.players
        return dict.fromkeys(fields) | {"beaten": half, "beaten_by": half and COPY}
    return dict(zip(fields, (worst.won, worst.low, worst.high, worst.task, worst.who), strict=True))


def tables_of(
    suites: Mapping[str, Ranked], with_csv: bool, with_latex: bool, file_of: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """(name, content) of a `.csv` for each frame, and of a `.tex` for each suite, which `file_of` names."""
    for name in FIELDS if with_csv else ():
        frame = pd.concat([frame_of(name, ranked) for ranked in suites.values()] or [pd.DataFrame()])
        rows = frame.reindex(columns=pd.Index(FIELDS[name])).itertuples(index=False)
        yield f"{name}.csv", as_csv(FIELDS[name], rows)
    if with_latex:
        yield from ((f"{file_of(suite)}.tex", suite_latex(ranked)) for suite, ranked in suites.items())


# ---- What a table of entries shows: by the head of its column, what stands there

COLUMNS: dict[str, Callable[[Row], str]] = {
    "agent": lambda row: row["agent"],
    "what it is": lambda row: _cut(row["description"]),
    "authors": lambda row: _cut(row["authors"]),
    "decisions": lambda row: NONE if row["decisions"] is None else f"{row['decisions']:,}",
    "code": lambda row: _cut(row["code"] or NONE),
    "training file or program": lambda row: _cut(row["config"] or NONE),
    "tasks": lambda row: f"{row['tasks']} of {row['whole']}",
    "score": lambda row: _score(row, "none yet", "{:.2f} ({:.2f} to {:.2f})"),
    "IQM": lambda row: _score(row, NONE, "{:.2f} [{:.2f}, {:.2f}]"),
    "gap": lambda row: NONE if row["gap"] is None else f"{row['gap']:.2f}",
    "kind": lambda row: row["kind"],
    "learnt": lambda row: row["learnt"],
    "learnt from": lambda row: (
        "nothing" if row["learnt"] == NO_LEARNING else f"{row['learnt']}, seeds {row['seeds']}{row['few']}"
    ),
    "seeds": lambda row: f"{row['seeds']}{row['few']}",
    "beaten in": lambda row: NONE if row["beaten"] is None else f"{row['beaten']:.0%} ({_bounds(row)})",
    "unseen": lambda row: (
        NONE if row["unseen"] is None else signed([row["unseen"], row["unseen_low"], row["unseen_high"]])
    ),
    "against greedy": lambda row: NONE if row["after"] is None else f"{_before(row)} to {row['after']:.0%}",
    "CPU seconds": lambda row: (
        f"{row['learning_seconds']:,.0f} + " * bool(row["learning_seconds"]) + f"{row['play_seconds']:,.0f}"
    ),
    "verified": lambda row: row["verified"],
}
HEADLINE = (
    *("agent", "score", "kind", "learnt from", "against greedy", "beaten in", "unseen", "CPU seconds", "verified"),
)
RANKING = ("agent", "score", "gap", *HEADLINE[2:])
PARTIAL = ("agent", "tasks", *HEADLINE[1:])
DESCRIBED = ("agent", "what it is")
SUBMITTED = (*DESCRIBED, "authors", "decisions", "code", "training file or program")
IN_LATEX = ("agent", "seeds", "tasks", "IQM", "gap", "kind", "learnt", "against greedy", "beaten in", "unseen")


def entries_table(columns: Sequence[str], entries: Sequence[Entry], members: Sequence[str]) -> Iterator[str]:
    """A Markdown table of entries with these columns."""
    yield from markdown(columns, _texts(columns, entries, members))


def suite_latex(ranked: Ranked) -> str:
    """A `tabular` for the package booktabs: complete rows, then a rule and the others."""
    parts = [_texts(IN_LATEX, entries, ranked.members) for entries in (ranked.complete, ranked.partial) if entries]
    return HEAD + tabular(IN_LATEX, parts, "lrlrrlllll")


def _texts(columns: Sequence[str], entries: Sequence[Entry], members: Sequence[str]) -> list[list[str]]:
    return [[COLUMNS[column](line) for column in columns] for line in (line_of(one, members) for one in entries)]


def _score(row: Row, none: str, form: str) -> str:
    return none if row["iqm"] is None else form.format(row["iqm"], row["low"], row["high"])


def _before(row: Row) -> str:
    return "?" if row["before"] is None else f"{row['before']:.0%}"


def _bounds(row: Row) -> str:
    return COPY if row["beaten_low"] is None else f"{row['beaten_low']:.0%} to {row['beaten_high']:.0%}"


def _cut(text: str) -> str:
    """What a submission says, no longer than a row of a table should be."""
    said = one_line(text)
    return said if len(said) <= LONGEST else f"{said[:LONGEST].rpartition(' ')[0] or said[:LONGEST]} ..."


# ---- Other tables of the pages


def task_tables(entries: Sequence[Entry]) -> Iterator[str]:
    """Scores by task, a column each agent, the player that scores 1 beside the task."""
    ones = {score.task: score.one for entry in entries for run in entry.runs for score in run.scores}
    means = pd.DataFrame({k: pd.Series(one.scores.mean(0), one.tasks) for k, one in enumerate(entries)})
    shown_means = means.reindex(list(ones)).map(lambda mean: NONE if pd.isna(mean) else f"{mean:.2f}")
    for some in _side_by_side(entries):
        rows = ([task, ones[task], *shown_means.loc[task, some]] for task in ones)
        yield from markdown(["task", "1 is", *(entries[k].name for k in some)], rows)


def improvement_tables(entries: Sequence[Entry]) -> Iterator[str]:
    """How likely the agent of a row is better than that of a column, where both have the same tasks."""
    for some in _side_by_side(entries):
        rows = ([one.name, *(_improvement(one, entries[k]) for k in some)] for one in entries)
        yield from markdown(["", *(entries[k].name for k in some)], rows)


def _side_by_side(entries: Sequence[Entry]) -> Iterator[list[int]]:
    yield from (list(range(len(entries)))[k : k + AGENTS] for k in range(0, len(entries), AGENTS))


def _improvement(one: Entry, other: Entry) -> str:
    if one is other or one.tasks != other.tasks:
        return NONE
    return f"{statistics.probability_of_improvement(one.scores, other.scores):.2f}"


def ratings_table(ratings: Sequence[Rating]) -> Iterator[str]:
    """A row for each agent, the best first by its mean, a column for each task; those held back share a row."""
    frame = pd.DataFrame(ratings, columns=pd.Index(Rating._fields))
    frame["agent"] = frame["agent"].where(~frame["agent"].str.startswith(PREFIX), "held back")
    frame["shown"] = [f"{one.points + 0.0:+.0f} ({one.low:+.0f} to {one.high:+.0f})" for one in ratings]
    order = frame.groupby("agent")["points"].agg(["size", "mean"]).reset_index()
    order = order.sort_values(["size", "mean", "agent"], ascending=[False, False, True])
    wide = frame.drop_duplicates(["agent", "task"], keep="last").pivot(index="agent", columns="task", values="shown")
    wide = wide.reindex(index=order["agent"], columns=frame["task"].unique()).fillna(NONE)
    yield from markdown(["agent", *wide.columns], wide.itertuples())


def bounds_table(entries: Iterable[tuple[str, Sequence[Bound]]]) -> Iterator[str]:
    """A line for every entry and table: who beat it, how often, and how often a copy of the entry would."""
    rows = []
    for name, bounds in entries:
        for one in sorted(bounds, key=lambda one: -one.low):
            won = f"{one.won:.1%} ({one.low:.1%} to {one.high:.1%})"
            rows.append([name, shown(one.task), one.who, won, f"{1 / one.players:.0%}", f"{one.deals:,}"])
    yield from markdown(["entry", "at the table of", "beaten by", "in", "a copy wins", "deals"], rows)


def unseen_table(entries: Sequence[Entry]) -> Iterator[str]:
    """A line for every entry and game: scores with the printed components and with unseen ones."""
    rows = (
        [entry.name, one.task, f"{one.printed:.2f}", f"{one.unseen:.2f}", signed(one[3:])]
        for entry in entries
        for one in pairs_of(entry.runs)
    )
    yield from markdown(["entry", "task", "printed", "unseen", "change"], rows)


MODELS = (
    *("table", "model", "kind", "track", "points above random"),
    *("first replies legal", "tokens a game", "games", "verified"),
)


def models_table(entries: Sequence[ModelEntry]) -> Iterator[str]:
    """A line for each table that a model has played: the best first, by table."""
    rows = [row for entry in entries for row in _of_model(entry)]
    yield from markdown(MODELS, (row for _, row in sorted(rows, key=lambda row: row[0])))


def _of_model(entry: ModelEntry) -> Iterator[tuple[tuple[str, float], list[str]]]:
    results = entry.results
    for one in results.figures.ratings:
        table, ladder = next(t for t in results.tables if t.name == one.table), shipped_ladders().tables[one.table]
        why = differs(ladder, table.version, table.components, table.options)
        rough = f"; rough: the ladder {why}" if why else ""
        games = [game for game in results.games if game.table == one.table]
        legal = sum(game.first_legal for game in games) / max(sum(game.asked for game in games), 1)
        tokens = sum(game.read + game.written for game in games) / len(games)
        points = f"{one.points:+.0f} ({one.low:+.0f} to {one.high:+.0f}){rough}"
        row = [one.table, results.name, results.kind, results.track, points, f"{legal:.0%}", f"{tokens:,.0f}"]
        yield (one.table, -one.points), [*row, f"{len(games):,}", entry.verified]
