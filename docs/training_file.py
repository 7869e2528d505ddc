"""The tables of docs/training_file.md, made from the schema of training files (`theogony.training.config.sections`)."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any, get_args

import annotated_types
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from theogony.training.config.engines import ENGINES, keys_of

UNLIMITED = 10**9  # a bound this high only keeps numbers within what files can hold
HEAD = ["| key | engines | default | values | meaning |", "|---|---|---|---|---|"]


def keys() -> str:
    """Return all keys of a training file as a Markdown table, each with the engines that read it."""
    rows: dict[str, list[str]] = {}
    for engine, model in ENGINES.items():
        for key, field in keys_of(model).items():
            for row in _row(key, field):
                rows.setdefault(row, []).append(engine)
    engines = [f"* `{engine}`: {inspect.cleandoc(model.__doc__ or '')}" for engine, model in ENGINES.items()]
    lines = [row.format("all" if len(read) == len(ENGINES) else ", ".join(read)) for row, read in rows.items()]
    return "\n".join([*engines, "", *HEAD, *lines])


def _row(key: str, field: FieldInfo) -> Iterator[str]:
    """Yield the row of a key, with room for its engines; none for a section, whose keys have rows of their own."""
    if field.description is not None:
        cells = [
            text.replace("{", "{{").replace("}", "}}") for text in (_default(field), _values(field), field.description)
        ]
        yield "| " + " | ".join([f"`{key}`", "{}", *cells]) + " |"


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "must be given"
    return f"`{json.dumps(field.default, ensure_ascii=False)}`"


def _values(field: FieldInfo) -> str:
    """The values that a choice names, or the lowest and the highest number."""
    choices = [str(value) for value in _choices(field.annotation)]
    if choices:
        return ", ".join(f"`{choice}`" for choice in choices)
    bounds = field.metadata or [one for part in get_args(field.annotation) for one in getattr(part, "__metadata__", ())]
    return ", ".join(text for text in map(_bound, _flat(bounds)) if text)


def _flat(bounds: list[Any]) -> Iterator[Any]:
    for one in bounds:
        yield from one.metadata if isinstance(one, FieldInfo) else [one]


def _choices(annotation: Any) -> Iterator[Any]:
    """The words of every `Literal` in a type."""
    for part in get_args(annotation):
        if isinstance(part, str):
            yield part
        else:
            yield from _choices(part)


def _bound(one: Any) -> str:
    match one:
        case annotated_types.Ge(ge=int() | float() as low):
            return f"from {low:,}"
        case annotated_types.Gt(gt=int() | float() as low):
            return f"above {low:,}"
        case annotated_types.Le(le=int() | float() as high) if high < UNLIMITED:
            return f"to {high:,}"
    return ""
