"""The tables of docs/training_file.md, made from the schema of training files (`theogony.training.config.schema`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import annotated_types
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from theogony.training.config import schema
from theogony.training.config.file import UNREAD

UNLIMITED = 10**9  # a bound this high only keeps numbers within what files can hold
SECTIONS: dict[str, type[BaseModel]] = {  # key of the section -> its model, in the order of the page
    "": schema.Config,
    "environment": schema.Environment,
    "algorithm": schema.Algorithm,
    "algorithm.learning_rate": schema.Schedule,
    "algorithm.net_arch": schema.Network,
    "algorithm.net_arch.pointers.NAME": schema.PointedMembers,
    "opponents.N": schema.Opponent,
    "evaluation": schema.Evaluation,
    "curriculum": schema.Curriculum,
    "self_play": schema.SelfPlay,
    "league": schema.League,
    "td": schema.Td,
    "td.plan": schema.Plan,
    "ray": schema.Ray,
    "distil": schema.Distil,
    "rllib": schema.Rllib,
}


def keys() -> str:
    """All keys of a training file as Markdown: a heading and a table for each section."""
    return "\n\n".join(_section(name, model) for name, model in SECTIONS.items())


def _section(name: str, model: type[BaseModel]) -> str:
    heading = f"### `{name}`" if name else "### At the top"
    rows = [line for key, field in model.model_fields.items() for line in _row(f"{name}.{key}".lstrip("."), key, field)]
    return "\n".join([heading, "", "| key | default | values | engines | meaning |", "|---|---|---|---|---|", *rows])


def _row(path: str, key: str, field: FieldInfo) -> Iterator[str]:
    """The row of a key; none of a section, which has a table of its own."""
    if field.description is not None:
        cells = [f"`{key}`", _default(field), _values(field), _engines(path), field.description]
        yield "| " + " | ".join(cells) + " |"


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


def _engines(path: str) -> str:
    """The engines that read a key; empty where all do."""
    readers = [engine for engine, unread in UNREAD.items() if not any(_inside(path, key) for key in unread)]
    return "" if len(readers) == len(UNREAD) else ", ".join(f"`{engine}`" for engine in readers)


def _inside(path: str, key: str) -> bool:
    return path == key or path.startswith((f"{key}.", f"{key}.N"))
