"""Reading a training file, with overrides, and clear errors for what is wrong with it: where, and what was expected."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted import outside_yaml
from theogony.envs.core.untrusted.outside import SHOWN
from theogony.training.config import modules
from theogony.training.config.keys import inside, refuse_unknown, source_of
from theogony.training.config.memory import check_memory
from theogony.training.config.schema import Algorithm, Config, ConfigError
from theogony.training.config.shipped import config_file
from theogony.training.networks.members import pointed_in

COMMAND_LINE = "command line: "
NUMBER = re.compile(r"[-+]?\d[\d_]*[eE][-+]?\d+$")  # 1e-3, which YAML 1.1 takes for text
# What an engine has no counterpart of: it must be left as it is by default.
UNREAD = {
    "sb3": ("td", "ray", "distil", "device"),
    "rllib": (
        "shaping", "environment.threads", "algorithm.normalize_advantage", "algorithm.target_kl", "curriculum",
        "self_play", "league", "export_sb3", "td", "ray", "distil", "device", "logging",
    ),
    "td": (
        "shaping", "environment.seat", "algorithm.n_steps", "algorithm.n_epochs", "algorithm.gamma",
        "algorithm.gae_lambda", "algorithm.clip_range", "algorithm.normalize_advantage", "algorithm.ent_coef",
        "algorithm.vf_coef", "algorithm.target_kl", "algorithm.net_arch", "curriculum", "self_play", "league", "rllib",
        "export_sb3", "distil",
    ),
    "distil": (
        "environment.seat", "environment.observation", "algorithm.n_steps", "algorithm.n_epochs", "algorithm.gamma",
        "algorithm.gae_lambda", "algorithm.clip_range", "algorithm.normalize_advantage", "algorithm.ent_coef",
        "algorithm.target_kl", "algorithm.net_arch.lookahead", "opponents", "curriculum", "self_play", "league",
        "rllib", "ray", "export_sb3", "td",
    ),
}  # fmt: skip
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
    data, node = outside_yaml.read_yaml(path, str(path), ConfigError, Loader)
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
    value, _ = outside_yaml.parse_yaml(text, f"command line: {key}: {text!r}", ConfigError, Loader)
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
    refuse_unknown(data, path, sources)
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise ConfigError(_explain(error, data, path, sources)) from None
    _refuse_modules(config, path, sources)
    try:
        game = config.make_game()
        _check_fit(config, game)
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


def _check_fit(config: Config, game: Game) -> None:
    """What depends on the game, or on two keys at once."""
    seat, rollout = config.environment.seat, config.environment.num_envs * config.algorithm.n_steps
    if config.reward is not None and config.reward not in game.spec.rewards:
        raise ConfigError(f"reward: {game.spec.name} pays {', '.join(game.spec.rewards)}, not {config.reward}")
    if seat == "all" and not game.spec.cooperative:
        raise ConfigError(f"environment.seat: all seats together have no single reward in {game.spec.name}")
    if isinstance(seat, int) and not 0 <= seat < game.players:
        raise ConfigError(f'environment.seat: {seat} is no seat; expected 0 to {game.players - 1} or "random"')
    if config.league is not None and game.spec.cooperative:
        raise ConfigError(f"league: {game.spec.name} is cooperative: there is nobody to beat")
    if config.league is not None and all(opponent.player != "self" for opponent in config.opponents):
        raise ConfigError("league: it is of past selves; expected the player self among the opponents")
    if config.engine in ("sb3", "rllib") and config.algorithm.batch_size > rollout:
        raise ConfigError(
            f"algorithm.batch_size: {config.algorithm.batch_size} is more than a rollout has; "
            f"expected at most num_envs * n_steps = {rollout}"
        )
    for name, members in config.algorithm.net_arch.pointers.items():
        try:
            pointed_in(game, members)
        except ValueError as error:
            raise ConfigError(f"algorithm.net_arch.pointers.{name}: {error}") from None
    _refuse_unread(config)
    if config.engine in ENGINE_CHECKS:
        ENGINE_CHECKS[config.engine](config)


def _refuse_unread(config: Config) -> None:
    """What an engine does not read is refused, not passed over."""
    usual = Config(game=config.game, algorithm=Algorithm(total_steps=1))
    for key in UNREAD[config.engine]:
        found, expected = (functools.reduce(getattr, key.split("."), root) for root in (config, usual))
        if found != expected:
            raise ConfigError(f"{key}: engine {config.engine} has no such thing; leave it out")


def _check_rllib(config: Config) -> None:
    """What `engine: rllib` cannot do, or not with these numbers."""
    for index, opponent in enumerate(config.opponents):
        if opponent.player == "curriculum":
            raise ConfigError(f"opponents.{index}.player: engine rllib has no curriculum; expected self or a player")
    if config.rllib.workers > config.environment.num_envs:
        games = config.environment.num_envs
        raise ConfigError(f"rllib.workers: {config.rllib.workers} are too many for environment.num_envs: {games}")


def _check_td(config: Config) -> None:
    """Keys of `engine: td` that do not go together."""
    if config.td.search and config.td.opponents:
        raise ConfigError("td.search: searched games have no opponents; expected td.opponents 0")
    if config.td.search and config.td.plan.width:
        raise ConfigError("td.plan: a game is searched or planned; expected td.search 0")
    if config.td.other_table and config.start_from is None:
        raise ConfigError("td.other_table: says where start_from may come from, and there is none")
    if config.ray.address is not None and not config.ray.workers:
        raise ConfigError("ray.address: nobody is to play there; expected ray.workers above 0")


ENGINE_CHECKS = {"rllib": _check_rllib, "td": _check_td}


def _explain(error: ValidationError, data: Any, path: Path, sources: dict[str, str]) -> str:
    """The first problem of a validation as one line."""
    errors = error.errors()
    place = errors[0]["loc"][:-1]
    first = max((other for other in errors if other["loc"][: len(place)] == place), key=lambda other: len(other["loc"]))
    found = [str(part) for part in first["loc"]]
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


class Loader(yaml.SafeLoader):
    """Plain data only; numbers such as 1e-3 are numbers."""


Loader.yaml_implicit_resolvers = {k: list(v) for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+0123456789"))


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
