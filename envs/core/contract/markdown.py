"""Tables of the documentation, which games and `docs/generate.py` make of what the code says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def table(heads: list[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table, a line a row, cells as their texts."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
