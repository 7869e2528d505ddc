"""What is printed in the rulebook and what is reconstructed, as the notes of the component file say.

A note `source` speaks of the object that it stands in, `hp_source` of its field `hp`; a note further inside goes before
one further out. Each begins with one of `WORDS`; a remark may follow after a colon. Notes decide nothing in play and
are no part of the component digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

WORDS = ("printed", "reconstructed")
BY_KEY = ("action_cards", "status_cards")  # objects whose entries are called by their keys
OWN_PART = {"heroes": "hero", "scenes": "scene"}  # lists of which each entry is a part of its own


class Note(NamedTuple):
    """One note: the part of the file, what in it is meant, one of `WORDS`, and the remark."""

    part: str
    what: str
    word: str
    remark: str


def notes(data: dict[str, Any]) -> Iterator[Note]:
    """Every note of a component file, in its order. Raises ValueError for one that begins with no word of `WORDS`."""
    for section, content in data.items():
        if section.endswith("_source"):
            yield _note(section.removesuffix("_source"), "", content)
        elif section in OWN_PART:
            for entry in content:
                yield from _notes(entry, f"{OWN_PART[section]} {entry['name']}", "")
        else:
            yield from _notes(content, section, "", by_key=section in BY_KEY)


def _notes(data: Any, part: str, title: str, by_key: bool = False) -> Iterator[Note]:
    """The notes of a piece of the file; `title` is that of the nearest object around it that has one."""
    if isinstance(data, list):
        for entry in data:
            yield from _notes(entry, part, _title(entry) or title)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key == "source":
                yield _note(part, title, value)
            elif key.endswith("_source"):
                yield _note(part, _field(title, key.removesuffix("_source"), data), value)
            else:
                yield from _notes(value, part, key if by_key else _title(value) or title)


def _title(entry: Any) -> str:
    """What an object is called by: its id, its label, or the name of one that has a number."""
    if not isinstance(entry, dict):
        return ""
    if isinstance(entry.get("id"), int):
        return entry["name"]
    return entry.get("id", entry.get("label", ""))


def _field(title: str, field: str, data: dict[str, Any]) -> str:
    value = data.get(field)
    said = f"{field} {value}" if isinstance(value, int) else field
    return f"{title}: {said}" if title else said


def _note(part: str, what: str, text: str) -> Note:
    word, _, remark = text.partition(": ")
    if word not in WORDS:
        raise ValueError(f"{part}: {what or 'source'}: {text!r} begins with none of {', '.join(WORDS)}")
    return Note(part, what, word, remark)
