"""Keys that an engine does not have: looked for before all else, named at once, with what was perhaps meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from theogony.training.config import ConfigError
from theogony.training.config.schema import ENGINES, is_default_elsewhere, keys_of, readers
from theogony.training.config.sections import Section, sections_in

MOST = 10  # keys that one error names


def refuse_unknown(engine: str, data: dict[Any, Any], path: Path, sources: dict[str, str]) -> None:
    """Raise ConfigError naming the keys that the engine does not have; `sources` says where each was given."""
    unknown = _unknown(engine, ENGINES[engine], data, "")
    problems = [f"{source_of(key, path, sources)}{key}: {problem}" for key, problem in islice(unknown, MOST)]
    if next(unknown, None) is not None:
        problems.append("and more")
    if problems:
        raise ConfigError("; ".join(problems))


def source_of(key: str, path: Path, sources: dict[str, str]) -> str:
    """Where a key was given: line or command line of the key itself or of what it stands in."""
    while key:
        if key in sources:
            return sources[key]
        key = key.rpartition(".")[0]
    return f"{path}: "


def inside(key: str, other: str) -> bool:
    """Whether a dotted key is another or stands in it."""
    return key == other or key.startswith(other + ".")


def _unknown(engine: str, model: type[Section], data: dict[Any, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """(dotted key, what is wrong with it) of the keys that a section does not have."""
    for key, value in data.items():
        place = f"{prefix}{key}"
        if key in model.model_fields:
            for below, section in sections_in(model.model_fields[key].annotation):
                for where, item in _held(below, value, place):
                    yield from _unknown(engine, section, item, f"{where}.")
        elif readers(place):
            yield from _of_others(engine, place, value)
        elif not (key in model.former and value == model.former[key]):
            yield place, f"there is no such key; {_hint(engine, model, str(key))}"


def _of_others(engine: str, key: str, value: Any) -> Iterator[tuple[str, str]]:
    """What of a key that only other engines have is not there by default: the key, or single ones of a section."""
    inner = {f"{key}.{name}": one for name, one in value.items()} if isinstance(value, dict) else {}
    wrong = {place: one for place, one in inner.items() if readers(place) and not is_default_elsewhere(place, one)}
    for place, one in wrong.items():
        yield from _of_others(engine, place, one)
    if not wrong:
        known = readers(key)
        yield key, f"engine {engine} does not read it; {' and '.join(known)} {'does' if len(known) == 1 else 'do'}"


def _hint(engine: str, model: type[Section], key: str) -> str:
    """What was perhaps meant by a key that no engine has in this place."""
    known = list(model.model_fields)
    near = sorted(place for place in keys_of(ENGINES[engine]) if place.rpartition(".")[2] == key)
    near = near or difflib.get_close_matches(key, known, n=1)
    return f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(known)}"


def _held(below: str, value: Any, key: str) -> Iterator[tuple[str, dict[Any, Any]]]:
    """(dotted key, data) of the sections that a value holds: itself, or those in a list (N) or a mapping (NAME)."""
    items: dict[str, Any] = {}
    if not below:
        items = {key: value}
    elif isinstance(value, dict) and below == "NAME":
        items = {f"{key}.{name}": item for name, item in value.items()}
    elif isinstance(value, list) and below == "N":
        items = {f"{key}.{index}": item for index, item in enumerate(value)}
    yield from ((where, item) for where, item in items.items() if isinstance(item, dict))
