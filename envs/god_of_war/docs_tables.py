"""Tables of the pieces in docs/games/god_of_war.md, made from the component file (see docs/generate.py)."""

from __future__ import annotations

from theogony.envs.core.game import GameSpec, read_components
from theogony.envs.god_of_war.components.files import DEFAULT_COMPONENTS
from theogony.envs.god_of_war.components.provenance import WORDS, notes


def provenance(spec: GameSpec) -> str:
    """What is printed and what is reconstructed, part by part; entries with the same remark stand together."""
    parts: dict[str, dict[str, dict[str, list[str]]]] = {}
    for note in notes(read_components(DEFAULT_COMPONENTS)):
        cells = parts.setdefault(note.part, {word: {} for word in WORDS})
        cells[note.word].setdefault(note.remark, []).append(f"`{note.what}`" if note.what else "itself")
    rows = [f"| {part} | " + " | ".join(_cell(cells[word]) for word in WORDS) + " |" for part, cells in parts.items()]
    return "\n".join((f"| part of the file | {' | '.join(WORDS)} |", "| --- | --- | --- |", *rows))


def _cell(remarks: dict[str, list[str]]) -> str:
    return "; ".join(", ".join(whats) + (f" ({remark})" if remark else "") for remark, whats in remarks.items())


TABLES = {"provenance": provenance}
