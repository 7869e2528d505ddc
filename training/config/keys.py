"""Unknown keys of a training file: looked for before anything else, all named at once, with what was perhaps meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from theogony.training.config.schema import Config, ConfigError


def refuse_unknown(data: dict[Any, Any], path: Path, sources: dict[str, str]) -> None:
    """Raise ConfigError naming every key that the training file does not have; `sources` says where each was given."""
    problems = [
        f"{source_of(key, path, sources)}{key}: there is no such key; {hint}"
        for key, hint in _unknown(Config, data, "")
    ]
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


def _unknown(model: type[BaseModel], data: dict[Any, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """(dotted key, hint) of the keys that a section does not have."""
    known, former = list(model.model_fields), getattr(model, "former", {})
    for key, value in data.items():
        if key in former and value == former[key]:
            continue
        if key in model.model_fields:
            yield from _inside(model.model_fields[key].annotation, value, f"{prefix}{key}")
        else:
            below = sorted(place for place in _places(Config) if place.rpartition(".")[2] == str(key))
            near = below or difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(known)}"
            yield f"{prefix}{key}", hint


def _places(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """The dotted keys of all sections, but for those in lists and mappings."""
    for name, field in model.model_fields.items():
        yield f"{prefix}{name}"
        for part in (field.annotation, *get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from _places(part, f"{prefix}{name}.")


def _inside(kind: Any, value: Any, key: str) -> Iterator[tuple[str, str]]:
    """(dotted key, hint) of unknown keys in the value of a key, which by its type may hold sections.

    That is: a section, or sections in a list, in a mapping or in a choice.
    """
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if isinstance(value, dict):
            yield from _unknown(kind, value, f"{key}.")
        return
    for part in get_args(kind):
        sections = isinstance(part, type) and issubclass(part, BaseModel)
        if sections and getattr(kind, "__origin__", None) is list and isinstance(value, list):
            for index, item in enumerate(value):
                yield from _inside(part, item, f"{key}.{index}")
        elif sections and getattr(kind, "__origin__", None) is dict and isinstance(value, dict):
            for name, item in value.items():
                yield from _inside(part, item, f"{key}.{name}")
        elif not isinstance(part, str):  # a choice such as `float | Schedule`, or an annotation
            yield from _inside(part, value, key)
