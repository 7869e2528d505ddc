"""A table as Markdown, CSV or LaTeX, in which no text of others is obeyed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from theogony.envs.core.untrusted.outside import printable

SPELT = {ord(sign): f"&#{ord(sign)};" for sign in "&<>|\\`*[]~#!"}
UNDERLINE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")  # between letters it is none of Markdown's
LATEX = {ord(sign): f"\\{sign}" for sign in "&%$#_{}"} | {
    ord("\\"): r"\textbackslash{}",
    ord("~"): r"\textasciitilde{}",
    ord("^"): r"\textasciicircum{}",
    ord("<"): r"\textless{}",
    ord(">"): r"\textgreater{}",
    ord("|"): r"\textbar{}",
}
HEAD = "% \\usepackage{booktabs}\n"
RULE = "\\midrule\n"
NONE = "-"  # in a cell: there is nothing


class Link(str):
    """Text of ours that is Markdown."""


def markdown(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A Markdown table after an empty line."""
    heads = [cell(head) for head in heads]
    yield from ("", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|")
    yield from (f"| {' | '.join(map(cell, row))} |" for row in rows)


def cell(text: str) -> str:
    """Text of others inside a line or a table: signs that Markdown, HTML or a terminal would obey are written out."""
    return text if isinstance(text, Link) else UNDERLINE.sub("&#95;", one_line(text).translate(SPELT))


def as_csv(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV, in which no text is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_plain(value) if isinstance(value, str) else value for value in row] for row in rows)
    return out.getvalue()


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    line = one_line(text)
    return f"'{line}" if len(line) > 1 and line[0] in "=+-@" else line


def tabular(heads: Sequence[str], parts: Iterable[Iterable[Sequence[str]]], columns: str = "") -> str:
    """A `tabular` of LaTeX for the package booktabs, with a rule between its parts; without `columns` the first is set
    left and the others right."""
    body = RULE.join("".join(map(latex_row, part)) for part in parts)
    return (
        f"\\begin{{tabular}}{{{columns or 'l' + 'r' * (len(heads) - 1)}}}\n\\toprule\n{latex_row(heads)}{RULE}{body}"
        "\\bottomrule\n\\end{tabular}\n"
    )


def latex_row(words: Iterable[str]) -> str:
    """A row of a `tabular`, in which nothing is a command; a dash alone says that there is nothing."""
    return " & ".join("--" if word == NONE else one_line(word).translate(LATEX) for word in words) + " \\\\\n"


def one_line(text: str) -> str:
    """Text of others without signs that a terminal would obey, on one line."""
    return " ".join(printable(text).split())


def signed(figures: Sequence[float], digits: int = 2, form: str = "{} ({} to {})") -> str:
    """A change with its interval, each with a sign; -0.00 is none."""
    return form.format(*(f"{round(one, digits) + 0.0:+.{digits}f}" for one in figures))
