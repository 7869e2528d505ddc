"""Tables and cells of Markdown, in which no text of others is obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from theogony.envs.core.untrusted.outside import printable

SPELT = {ord(sign): f"&#{ord(sign)};" for sign in "&<>|\\`*[]~#!"}
UNDERLINE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")  # between letters it is none of Markdown's


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table after an empty line."""
    yield from ("", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|")
    yield from (f"| {' | '.join(row)} |" for row in rows)


def cell(text: str) -> str:
    """Text of others inside a line or a table: signs that Markdown, HTML or a terminal would obey are written out."""
    return UNDERLINE.sub("&#95;", one_line(text).translate(SPELT))


def one_line(text: str) -> str:
    """Text of others without signs that a terminal would obey, on one line."""
    return " ".join(printable(text).split())
