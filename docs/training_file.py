"""All keys of docs/training_file.md, made from the schema of training files (`theogony.training.config.sections`)."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import annotated_types
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from theogony.training.config.engines import ENGINES, keys_of

UNLIMITED = 10**9  # a bound this high only keeps numbers within what files can hold
WIDTH = 120  # of a line


class Key(NamedTuple):
    """What is said of a key: its default, its meaning, and the engines that read it."""

    default: str
    meaning: str
    engines: list[str]


def keys() -> str:
    """Return all keys of a training file as YAML, with defaults, what they mean, and the engines that read them."""
    known: dict[str, Key] = {}
    for engine, model in ENGINES.items():
        for name, field in keys_of(model).items():
            if field.description is not None:
                meaning = "; ".join(filter(None, [_values(field), field.description])).replace("`", "")
                known.setdefault(name, Key(_default(field), meaning, [])).engines.append(engine)
    return "\n".join(["```yaml", *_lines(known, list(ENGINES)), "```"])


def _lines(known: dict[str, Key], said: list[str], indent: str = "") -> Iterator[str]:
    """Yield the lines of keys below one another; engines are named where they are others than `said` above."""
    for name in dict.fromkeys(key.partition(".")[0] for key in known):
        below = {key.partition(".")[2]: found for key, found in known.items() if key.startswith(f"{name}.")}
        if name == "N":  # an entry of a list
            lines = list(_lines(below, said, indent))
            yield from (f"{indent}- {lines[0].strip()}", *(f"  {line}" for line in lines[1:]))
            continue
        own = known.get(name)
        readers = own.engines if own else _readers(below)
        comment = f"[{', '.join(readers)}]" if readers and readers != said else ""
        value = f" {own.default}" if own and own.default not in ("", *(["{}"] if below else [])) else ""
        yield from _line(f"{indent}{name}:{value}", f"{comment} {own.meaning if own else ''}".strip())
        if not value:
            yield from _lines(below, readers or said, f"{indent}  ")


def _readers(keys: dict[str, Key]) -> list[str]:
    """The engines that read each of these keys, none where they differ."""
    first, *others = (key.engines for key in keys.values())
    return first if all(engines == first for engines in others) else []


def _line(start: str, comment: str) -> Iterator[str]:
    """Yield a key with its comment, which goes on below it where it is long."""
    if not comment:
        yield start
        return
    indent = " " * (len(start) - len(start.lstrip()) + 2)
    lines = textwrap.wrap(comment, WIDTH - 4, initial_indent="-" * len(start))
    yield f"{start}  # {lines[0][len(start) :]}"
    rest = " ".join(lines[1:])
    yield from textwrap.wrap(rest, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")


def _default(field: FieldInfo) -> str:
    """The default as YAML, nothing for a key that must be given."""
    return "" if field.default is PydanticUndefined else json.dumps(field.default, ensure_ascii=False).replace('"', "")


def _values(field: FieldInfo) -> str:
    """The values that a choice names, or the lowest and the highest number."""
    if choices := [str(value) for value in _choices(field.annotation)]:
        return " | ".join(choices)
    bounds = field.metadata or [one for part in get_args(field.annotation) for one in getattr(part, "__metadata__", ())]
    return re.sub(r"from (\S+) to", r"\1 to", " ".join(filter(None, map(_bound, _flat(bounds)))))


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
