"""Reading a training file, with overrides, and clear errors for what is wrong with it: where, and what was expected."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from theogony.console.machine import machine_bytes
from theogony.envs.core.game import Game
from theogony.envs.core.untrusted import outside_yaml
from theogony.envs.core.untrusted.outside import SHOWN
from theogony.training.config import ConfigError, modules
from theogony.training.config.engines import (
    DEFAULT,
    ENGINES,
    Config,
    DistilConfig,
    PolicyConfig,
    RllibConfig,
    Sb3Config,
    TdConfig,
    is_default_elsewhere,
    keys_of,
    parsed,
    readers,
    without_others,
)
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
        else:
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


# ---- How much memory a run takes, so that a file which asks for too much is refused before anything is made ------

COPIES = 4  # of every weight: itself, its gradient and two moments
FLOAT = 4  # bytes
DECISIONS = 200  # of a game, about
GIGABYTE = 1e9


def check_memory(config: Config, game: Game) -> None:
    """Raise ConfigError naming the entries that ask for more memory than the machine has."""
    for key, what, needed in _needs(config, game):
        if needed > (there := machine_bytes()):
            takes = f"takes about {needed / GIGABYTE:,.0f} GB, and this machine has {there / GIGABYTE:,.0f}"
            raise ConfigError(f"{key}: {what} {takes}")


def _needs(config: Config, game: Game) -> Iterator[tuple[str, str, float]]:
    """(key, what takes it, bytes) of what a run has in memory."""
    if not isinstance(config, TdConfig):
        yield "algorithm.net_arch", "such a network", network_bytes(config, game)
    if isinstance(config, Sb3Config | RllibConfig):
        yield "environment.num_envs", "with algorithm.n_steps, a rollout", rollout_bytes(config, game)
        return
    seen, kept = game.features.length, game.state.itemsize
    if isinstance(config, DistilConfig):  # what every action is worth, too; of games, that and observations are kept
        seen, kept = seen + game.actions.size, seen + FLOAT * game.actions.size
    yield "algorithm.batch_size", "such a batch", COPIES * FLOAT * seen * config.algorithm.batch_size
    games = 2 * config.environment.num_envs  # one set is learnt from while the other is played
    yield "environment.num_envs", "what is kept of so many games", games * DECISIONS * kept


def network_bytes(config: PolicyConfig, game: Game) -> int:
    """What learning takes for the network."""
    import torch  # slow, and reading `key=value` does without

    from theogony.training.networks.policy import make_policy

    with torch.device("meta"):  # shapes only
        policy = make_policy(game, config.network)
    return COPIES * FLOAT * sum(parameter.numel() for parameter in policy.parameters())


def rollout_bytes(config: Sb3Config | RllibConfig, game: Game) -> int:
    """What a rollout takes: observations and masks of all decisions, and the games themselves."""
    floats = isinstance(config, Sb3Config) and config.environment.observation == "float"
    scores = FLOAT * game.actions.size if config.network.lookahead else 0
    decision = game.features.length * (FLOAT if floats else 1) + scores + game.actions.size
    position = game.state.itemsize + (2 + FLOAT * floats) * game.features.length + game.actions.size
    games = config.environment.num_envs
    return games * (config.algorithm.n_steps * decision + position)


# ---- Training files that come with the package: `push_of_faith/quickstart` stands for one of them -----------------


def shipped() -> dict[str, Path]:
    """The files by their names, `game/file` without the ending."""
    found = sorted(Path(str(files("theogony.configs"))).glob("*/*.yaml"))
    return {f"{path.parent.name}/{path.stem}": path for path in found}


def config_file(path: Path) -> Path:
    """The file itself; or, for a name without ending that is no file, the one of the package that has this name.

    Raises ConfigError, which lists the names.
    """
    if path.suffix or path.exists():
        return path
    known = shipped()
    if path.as_posix() not in known:
        raise ConfigError(f"{path}: is no file, and none of that name comes with the package: {', '.join(known)}")
    return known[path.as_posix()]


# ---- Reading: the file, then what the command line changes ---------------------------------------------------------

COMMAND_LINE = "command line: "
RESUMABLE = "algorithm.total_steps evaluation torch_threads environment.threads checkpoint_every ray logging".split()


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


def entries(settings: Mapping[str, Any]) -> list[str]:
    """Entries as the command line has them."""
    return [f"{key}={json.dumps(value)}" for key, value in settings.items()]


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
    message = plain.get(first["type"], first["msg"]).removeprefix("Value error, ")
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
