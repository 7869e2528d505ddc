"""Tables of the report as files: CSV for programs, LaTeX for papers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from theogony.benchmark.report.beaten import Bound
from theogony.benchmark.report.entries import Entry
from theogony.benchmark.report.markdown import one_line
from theogony.benchmark.report.ratings import Rating, ratings_of
from theogony.benchmark.report.tables import COLUMNS, Line, Ranked
from theogony.benchmark.report.unseen import SUITE, Pair, pairs_of

HEAD = "% \\usepackage{booktabs}\n"
LATEX = {ord(sign): f"\\{sign}" for sign in "&%$#_{}"} | {
    ord("\\"): r"\textbackslash{}",
    ord("~"): r"\textasciitilde{}",
    ord("^"): r"\textasciicircum{}",
    ord("<"): r"\textless{}",
    ord(">"): r"\textgreater{}",
    ord("|"): r"\textbar{}",
}


def tables_of(
    suites: Mapping[str, Ranked], with_csv: bool, with_latex: bool, file_of: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """(name, content) of `entries.csv`, `scores.csv`, `curves.csv`, `ratings.csv`, `exploits.csv`, `unseen.csv`, and of
    a `.tex` for each suite, which `file_of` names."""
    if with_csv:
        yield "entries.csv", entries_csv(suites.values())
        yield "scores.csv", scores_csv(suites.values())
        yield "curves.csv", curves_csv(suites.values())
        rated = ((suite, rating) for suite, ranked in suites.items() for rating in ratings_of(_all(ranked)))
        yield "ratings.csv", as_csv(("suite", *Rating._fields), ((suite, *rating) for suite, rating in rated))
        yield "exploits.csv", exploits_csv(suites.values())
        yield "unseen.csv", unseen_csv(suites.values())
    if with_latex:
        yield from ((f"{file_of(suite)}.tex", suite_latex(ranked)) for suite, ranked in suites.items())


def entries_csv(suites: Iterable[Ranked]) -> str:
    """A line each entry: the fields of `Line`."""
    return as_csv(Line._fields, (ranked.line(entry) for ranked in suites for entry in _all(ranked)))


def scores_csv(suites: Iterable[Ranked]) -> str:
    """A line each entry, seed and task: the score with its 95 % interval over deals."""
    heads = ("suite", "agent", "kind", "learnt", "seed", "task", "one", "score", "low", "high")
    rows = (
        (entry.suite, entry.name, entry.kind, entry.track, run.agent.seed, one.task, one.one, one.score, *limits)
        for ranked in suites
        for entry in _all(ranked)
        for run in entry.runs
        for one in run.scores
        for limits in [(one.low, one.high)]
    )
    return as_csv(heads, rows)


def curves_csv(suites: Iterable[Ranked]) -> str:
    """A line each point of a learning curve and player that was met there: the share of games won, after so many
    decisions, seconds on the clock and seconds of the processor."""
    heads = ("suite", "agent", "kind", "learnt", "seed", "task", "decisions", "seconds", "cpu", "against", "won")
    rows = (
        (entry.suite, entry.name, entry.kind, entry.track, run.agent.seed, one.task, point.decisions, *spent, *won)
        for ranked in suites
        for entry in _all(ranked)
        for run in entry.runs
        for one, times in zip(run.training, run.seconds.training, strict=True)
        for point, spent in zip(one.curve, times.curve, strict=True)
        for won in point.won.items()
    )
    return as_csv(heads, rows)


def exploits_csv(suites: Iterable[Ranked]) -> str:
    """A line each entry and table: who won against it, in what share of the games; `learnt` is from how many decisions
    an exploiter learnt, empty for a player that is the same for all."""
    heads = ("suite", "agent", *Bound._fields)
    rows = ((entry.suite, entry.name, *bound) for ranked in suites for entry in _all(ranked) for bound in entry.bounds)
    return as_csv(heads, rows)


def unseen_csv(suites: Iterable[Ranked]) -> str:
    """A line each entry and game: scores with the printed components and with unseen ones, and the change."""
    rows = (
        (entry.name, *pair)
        for ranked in suites
        for entry in _all(ranked)
        if entry.suite == SUITE
        for pair in pairs_of(entry.runs)
    )
    return as_csv(("agent", *Pair._fields), rows)


def suite_latex(ranked: Ranked) -> str:
    """A `tabular` for the package booktabs: complete rows, then a rule and the others."""
    parts = [entries for entries in (ranked.complete, ranked.partial) if entries]
    bodies = ["".join(_latex_row(entry, ranked.line(entry)) for entry in entries) for entries in parts]
    return (
        f"{HEAD}\\begin{{tabular}}{{lrlrrllll}}\n\\toprule\n"
        "agent & seeds & tasks & IQM & gap & kind & learnt & beaten in & unseen \\\\\n\\midrule\n"
        + "\\midrule\n".join(bodies)
        + "\\bottomrule\n\\end{tabular}\n"
    )


def _latex_row(entry: Entry, line: Line) -> str:
    figures = ("--", "--")
    if line.iqm is not None:
        figures = f"{line.iqm:.2f} [{line.low:.2f}, {line.high:.2f}]", f"{line.gap:.2f}"
    tasks, beaten, unseen = (COLUMNS[column](entry, line) for column in ("tasks", "beaten in", "unseen"))
    words = line.agent, str(line.seeds), tasks, *figures, line.kind, line.learnt, beaten, unseen
    return latex_row(words)


def latex_row(words: Sequence[str]) -> str:
    """A row of a `tabular`, in which nothing is a command; a dash alone says that there is nothing."""
    return " & ".join("--" if word == "-" else one_line(word).translate(LATEX) for word in words) + " \\\\\n"


def as_csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV, in which no text is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_plain(value) if isinstance(value, str) else value for value in row] for row in rows)
    return out.getvalue()


def _all(ranked: Ranked) -> list[Entry]:
    return [*ranked.complete, *ranked.partial]


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    line = one_line(text)
    return f"'{line}" if len(line) > 1 and line[0] in "=+-@" else line
