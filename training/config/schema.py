"""The training file: a union on `engine:` of the classes in `engines/`, each with the keys that its engine reads.

A key of another engine is refused, unless it says what is so by default: runs of earlier versions, and results that
name their settings, list the keys of all engines.
"""

from __future__ import annotations

import functools
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from theogony.training.config.engines.base import BaseConfig
from theogony.training.config.engines.distil import DistilConfig
from theogony.training.config.engines.rllib import RllibConfig
from theogony.training.config.engines.sb3 import Sb3Config
from theogony.training.config.engines.td import TdConfig
from theogony.training.config.sections import Section, sections_in

PolicyConfig = Sb3Config | RllibConfig | DistilConfig  # what learns is a policy, and no value alone
LocalConfig = Sb3Config | TdConfig | DistilConfig  # of the engines that learn in this process
Config = PolicyConfig | TdConfig
ENGINES: dict[str, type[BaseConfig]] = {
    "sb3": Sb3Config,
    "rllib": RllibConfig,
    "td": TdConfig,
    "distil": DistilConfig,
}
DEFAULT = "sb3"
UNION: TypeAdapter[Config] = TypeAdapter(Annotated[Config, Field(discriminator="engine")])


def parsed(data: dict[str, Any]) -> Config:
    """A training file from its data. Raises ValidationError, whose places begin with the engine."""
    data = {"engine": DEFAULT, **data}
    model = ENGINES.get(str(data["engine"]))
    return UNION.validate_python(data if model is None else without_others(model, data))


@functools.cache
def keys_of(model: type[Section], prefix: str = "") -> dict[str, FieldInfo]:
    """The dotted keys of a section and of all in it; N stands for a number in a list, NAME for one in a mapping."""
    found: dict[str, FieldInfo] = {}
    for name, field in model.model_fields.items():
        found[f"{prefix}{name}"] = field
        for below, section in sections_in(field.annotation):
            found |= keys_of(section, f"{prefix}{name}.{below}{'.' if below else ''}")
    return found


def readers(key: str) -> list[str]:
    """The engines that have a dotted key."""
    return [engine for engine, model in ENGINES.items() if key in keys_of(model)]


def without_others(model: type[BaseConfig], data: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Data without the keys that only other engines have, where they say what is so by default."""
    known, kept = keys_of(model), {}
    for key, value in data.items():
        place = f"{prefix}{key}"
        if place not in known and is_default_elsewhere(place, value):
            continue
        kept[key] = without_others(model, value, f"{place}.") if place in known and isinstance(value, dict) else value
    return kept


def is_default_elsewhere(key: str, value: Any) -> bool:
    """Whether a value is the default of a dotted key in some engine."""
    return any(_says_default(keys_of(ENGINES[engine])[key], value) for engine in readers(key))


def _says_default(field: FieldInfo, value: Any) -> bool:
    kind: Any = field.annotation
    try:
        return TypeAdapter(kind).validate_python(value, strict=True) == field.default
    except ValidationError:
        return False
