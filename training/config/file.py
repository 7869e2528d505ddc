"""Reading a training file, with overrides, and clear errors for what is wrong with it: where, and what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from theogony.envs.core.untrusted import outside_yaml
from theogony.envs.core.untrusted.outside import SHOWN
from theogony.training.config import ConfigError, modules
from theogony.training.config.keys import inside, refuse_unknown, source_of
from theogony.training.config.memory import check_memory
from theogony.training.config.schema import DEFAULT, ENGINES, Config, parsed, without_others
from theogony.training.config.shipped import config_file

COMMAND_LINE = "command line: "
RESUMABLE = (
    "algorithm.total_steps",
    "evaluation",
    "torch_threads",
    "environment.threads",
    "checkpoint_every",
    "ray",
    "logging",
)


def load_config(path: Path, overrides: list[str] | tuple[str, ...] = ()) -> Config:
    """Read, change and check a training file, or one of the package by name ("push_of_faith/quickstart").

    Raises ConfigError naming file, line, key and what was expected.
    """
    path = config_file(path)
    data, lines = read_yaml(path)
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected keys and values, such as `game: push_of_faith`")
    sources = {key: f"{path}: line {line}: " for key, line in lines.items()}
    for override in overrides:
        key = apply_override(data, override)
        sources = {k: v for k, v in sources.items() if not inside(k, key)} | {key: COMMAND_LINE}
    return _checked(data, path, sources)


def read_yaml(path: Path) -> tuple[Any, dict[str, int]]:
    """The data of a YAML file, and the line of every dotted key. Raises ConfigError."""
    data, node = outside_yaml.read_yaml(path, str(path), ConfigError)
    return data, dict(_lines(node))


def resumed_config(run: Path, overrides: list[str] | tuple[str, ...] = ()) -> Config:
    """The configuration of a run that goes on. Only what does not decide how it went so far may be changed."""
    if not (run / "config.yaml").is_file():
        raise ConfigError(f"{run}: is no run: there is no config.yaml")
    for override in overrides:
        key = override.partition("=")[0]
        if not any(inside(key, allowed) for allowed in RESUMABLE):
            raise ConfigError(f"command line: {key}: cannot change when a run goes on; expected {', '.join(RESUMABLE)}")
    return load_config(run / "config.yaml", overrides)


def apply_override(data: dict[str, Any], override: str) -> str:
    """Set one `dotted.key=value` in nested data, the value read as YAML. Returns the key. Raises ConfigError."""
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ConfigError(f"command line: {override!r}: expected key=value, such as algorithm.gamma=0.99")
    value, _ = outside_yaml.parse_yaml(text, f"command line: {key}: {text!r}", ConfigError)
    *parents, last = key.split(".")
    place: Any = data
    for parent in parents:
        if isinstance(place, dict):
            place.setdefault(parent, {})
        place = place[_index(place, parent, key)]
    place[_index(place, last, key)] = value
    return key


def _index(place: Any, step: str, key: str) -> Any:
    """What a part of a dotted key means in a dict or list. Raises ConfigError when there is no such place."""
    if isinstance(place, dict):
        return step
    if isinstance(place, list) and step.isdecimal() and int(step) < len(place):
        return int(step)
    raise ConfigError(f"command line: {key}: there is nothing called {step!r} to change there")


def _checked(data: dict[Any, Any], path: Path, sources: dict[str, str]) -> Config:
    engine = data.get("engine", DEFAULT)
    if engine not in list(ENGINES):
        where = source_of("engine", path, sources)
        raise ConfigError(f"{where}engine: there is no engine {engine!r:.{SHOWN}}; expected {' or '.join(ENGINES)}")
    data = without_others(ENGINES[engine], data)
    refuse_unknown(engine, data, path, sources)
    try:
        config = parsed(data)
    except ValidationError as error:
        raise ConfigError(_explain(error, data, path, sources)) from None
    _refuse_modules(config, path, sources)
    try:
        game = config.make_game()
        config.check_fit(game)
        check_memory(config, game)
    except ConfigError as error:
        key = str(error).partition(":")[0]
        raise ConfigError(f"{source_of(key, path, sources)}{error}") from None
    return config


def _refuse_modules(config: Config, path: Path, sources: dict[str, str]) -> None:
    """Raise ConfigError where the file, and not the command line, leads to code; nothing was imported by then."""
    for key, what in modules.named_in(config):
        source = source_of(key, path, sources)
        if source != COMMAND_LINE and not modules.allowed():
            raise ConfigError(f"{source}{key}: {what}; {modules.how_to_consent()}")


def _explain(error: ValidationError, data: Any, path: Path, sources: dict[str, str]) -> str:
    """The first problem of a validation as one line."""
    errors = error.errors()  # the places of all begin with the engine
    place = errors[0]["loc"][:-1]
    first = max((other for other in errors if other["loc"][: len(place)] == place), key=lambda other: len(other["loc"]))
    found = [str(part) for part in first["loc"][1:]]
    keys: list[str] = []
    for part in found:  # leave out the names of the branches of a union, which pydantic adds
        if isinstance(data, dict) and (part in data or first["type"] == "missing"):
            data = data.get(part)
        elif isinstance(data, list) and part.isdecimal():
            data = data[int(part)]
        else:
            break
        keys.append(part)
    key = ".".join(keys)
    plain = {"missing": "is missing", "model_type": "expected keys and values"}
    message = plain.get(first["type"], first["msg"])
    message = message.removeprefix("Value error, ")
    if first["type"] not in ("missing", "value_error"):
        message = f"{message[:1].lower()}{message[1:]}, found {first['input']!r:.{SHOWN}}"
    return f"{source_of(key, path, sources)}{key}: {message}" if key else f"{path}: {message}"


def _lines(node: yaml.Node | None, prefix: str = "") -> Iterator[tuple[str, int]]:
    """(dotted key, line) of everything in a YAML document."""
    entries: list[tuple[str, yaml.Node, yaml.Node]] = []
    if isinstance(node, yaml.MappingNode):
        entries = [(name.value, name, value) for name, value in node.value]
    elif isinstance(node, yaml.SequenceNode):
        entries = [(str(index), value, value) for index, value in enumerate(node.value)]
    for name, place, value in entries:
        yield f"{prefix}{name}", place.start_mark.line + 1
        yield from _lines(value, f"{prefix}{name}.")
