"""The training file: what it may say, how it is read, and clear errors for what is wrong with it."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame, load
from theogony.training.sets import member_entries

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[int, Field(ge=1)]
ENGINES = ("sb3", "rllib")
NUMBER = re.compile(r"[-+]?\d[\d_]*[eE][-+]?\d+$")  # 1e-3, which YAML 1.1 takes for text


class ConfigError(ValueError):
    """A training file, an override or a run cannot be used: says where, and what was expected."""


class Section(BaseModel):
    """A part of the file: no unknown keys, no silent conversions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Environment(Section):
    """How many games are played side by side, and by how many threads of the environment."""

    num_envs: Positive = 256
    threads: Positive = 1
    seat: int | Literal["random", "all"] = "random"  # all: a whole team, in a cooperative game


class Schedule(Section):
    """A number that goes evenly from `start` to `end` over the run."""

    start: Annotated[float, Field(gt=0)]
    end: Annotated[float, Field(ge=0)]


class Members(Section):
    """A set of like things in the observation: features with an axis that counts them, and the width of their layers.

    `length` is how many there are; without it the longest axis that all features share. See `training/sets.py`.
    """

    features: Annotated[list[str], Field(min_length=1)]
    width: Positive = 16
    length: Annotated[int, Field(ge=2)] | None = None


class Network(Section):
    """Widths of the layers: first those that policy and value share, then those of each.

    Members of the `sets` pass small layers of their own first, the same for every member of a set.
    With `advice` above 0 the network also sees what looking ahead by the game's `value` says of every action (as the
    greedy player does), and its choice begins with that, so much weighted; how much it counts is learnt.
    """

    shared: list[Positive] = []
    policy: list[Positive] = [256, 256]
    value: list[Positive] = [256, 256]
    residual: Annotated[int, Field(ge=0)] = 0  # so many blocks with skip connections, behind the shared layers
    advice: Annotated[float, Field(ge=0)] = 0.0
    activation: Literal["relu", "tanh"] = "relu"
    sets: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Members] = {}

    @model_validator(mode="after")
    def _blocks_have_a_width(self) -> Network:
        if self.residual and not self.shared:
            raise ValueError("residual blocks have the width of the last shared layer, and there is none")
        return self

    @model_validator(mode="after")
    def _every_feature_is_in_one_set(self) -> Network:
        seen: dict[str, str] = {}
        for name, members in self.sets.items():
            for feature in members.features:
                if feature in seen:
                    raise ValueError(f"sets: the feature {feature!r} is in {seen[feature]} and in {name}; expected one")
                seen[feature] = name
        return self


class Algorithm(Section):
    """PPO with masked actions; the names are those of Stable-Baselines3."""

    total_steps: Positive
    n_steps: Positive = 36
    batch_size: Annotated[int, Field(ge=2)] = 1024
    n_epochs: Positive = 4
    learning_rate: Annotated[float, Field(gt=0)] | Schedule = 3e-4
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip_range: Annotated[float, Field(gt=0)] = 0.2
    normalize_advantage: bool = True
    ent_coef: Annotated[float, Field(ge=0)] = 0.0
    vf_coef: Annotated[float, Field(ge=0)] = 0.5
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    target_kl: Annotated[float, Field(gt=0)] | None = None
    net_arch: Network = Network()


class Opponent(Section):
    """One kind of opponent and how often it is drawn for a seat."""

    player: str
    weight: Annotated[float, Field(ge=0)] = 1.0


class Curriculum(Section):
    """The player `curriculum`: greedy in a share of its decisions, raised as the learner gets better."""

    start: Share = 0.0
    step: Annotated[float, Field(gt=0, le=1)] = 0.05
    raise_above: Share = 0.6  # share of games won against it
    games: Positive = 500  # over the last so many games


class SelfPlay(Section):
    """The player `self`: a policy drawn from the pool of past selves."""

    size: Positive = 8
    every: Positive = 200_000  # steps between two members of the pool


class League(Section):
    """Past selves measured against each other and against fixed players; hard ones are drawn more often."""

    games: Positive = 200  # of every new self against each other and against each anchor
    power: Annotated[float, Field(ge=0)] = 2.0  # weight of a past self: (share of games the newest loses to it)^power
    anchors: Annotated[list[str], Field(min_length=1)] = ["random", "greedy"]  # ratings count from the last


class Evaluation(Section):
    """Masked play against fixed players, seats rotated."""

    every: Positive = 200_000
    games: Positive = 400
    against: Annotated[list[str], Field(min_length=1)] = ["random", "greedy"]
    final_games: Positive = 2000


class Rllib(Section):
    """What only `engine: rllib` reads: processes that play, one network for all seats or one each, and the cluster."""

    workers: Annotated[int, Field(ge=0)] = 2  # 0: the learner's own process plays
    policies: Literal["shared", "separate"] = "shared"
    address: Annotated[str, Field(min_length=1)] | None = None  # of a running cluster; None: RAY_ADDRESS, or one here


class Config(Section):
    """A whole training file. `folder` is where the run goes, by default `runs/` and the name of the file."""

    game: str
    options: dict[str, Any] = {}
    reward: Literal["outcome", "rank", "margin"] | None = None
    shaping: Annotated[float, Field(ge=0)] = 0.0
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    engine: str = "sb3"
    environment: Environment = Environment()
    algorithm: Algorithm
    opponents: Annotated[list[Opponent], Field(min_length=1)] = [Opponent(player="random")]
    curriculum: Curriculum = Curriculum()
    self_play: SelfPlay = SelfPlay()
    league: League | None = None  # without it all past selves are drawn alike
    evaluation: Evaluation = Evaluation()
    torch_threads: Positive | Literal["auto"] = 1  # auto: as many as are found to help when the run begins
    checkpoint_every: Positive = 200_000
    rllib: Rllib = Rllib()
    start_from: str | None = None  # a run or checkpoint whose network is the beginning of this one
    folder: str | None = None
    export_sb3: bool = False  # also write sb3.zip at the end: for SB3's own `load`, which executes what is in it

    @field_validator("engine")
    @classmethod
    def _known_engine(cls, engine: str) -> str:
        if engine not in ENGINES:
            raise ValueError(f"there is no engine {engine!r}; expected {' or '.join(ENGINES)}")
        return engine

    @model_validator(mode="after")
    def _somebody_plays(self) -> Config:
        if sum(opponent.weight for opponent in self.opponents) <= 0:
            raise ValueError("opponents: the weights are all zero; expected one above zero")
        return self

    def make_game(self) -> Game:
        """The game with these options. Raises ConfigError."""
        try:
            return load(self.game).configure(self.options)
        except UnknownGame as error:
            raise ConfigError(f"game: {error}") from None
        except (OptionError, ComponentError) as error:
            raise ConfigError(f"options: {error}") from None


# What RLlib has no counterpart of: it must be left as it is by default.
NOT_IN_RLLIB = (
    "shaping", "environment.threads", "algorithm.normalize_advantage", "algorithm.target_kl", "curriculum",
    "self_play", "league", "export_sb3",
)  # fmt: skip
RESUMABLE = ("algorithm.total_steps", "evaluation", "torch_threads", "environment.threads", "checkpoint_every")


def load_config(path: Path, overrides: list[str] | tuple[str, ...] = ()) -> Config:
    """Read, change and check a training file. Raises ConfigError naming file, line, key and what was expected."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    try:
        root = yaml.compose(text, Loader)
        lines = dict(_lines(root))
        data = yaml.load(text, Loader)  # a SafeLoader: plain data only
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: is not YAML: {' '.join(str(error).split())}") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected keys and values, such as `game: push_of_faith`")
    sources = {key: f"{path}: line {line}: " for key, line in lines.items()}
    for override in overrides:
        key = apply_override(data, override)
        sources = {k: v for k, v in sources.items() if not _inside(k, key)} | {key: "command line: "}
    return _checked(data, path, sources)


def resumed_config(run: Path, overrides: list[str] | tuple[str, ...] = ()) -> Config:
    """The configuration of a run that goes on. Only what does not decide how it went so far may be changed."""
    if not (run / "config.yaml").is_file():
        raise ConfigError(f"{run}: is no run: there is no config.yaml")
    for override in overrides:
        key = override.partition("=")[0]
        if not any(_inside(key, allowed) for allowed in RESUMABLE):
            raise ConfigError(f"command line: {key}: cannot change when a run goes on; expected {', '.join(RESUMABLE)}")
    return load_config(run / "config.yaml", overrides)


def apply_override(data: dict[str, Any], override: str) -> str:
    """Set one `dotted.key=value` in nested data, the value read as YAML. Returns the key. Raises ConfigError."""
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ConfigError(f"command line: {override!r}: expected key=value, such as algorithm.gamma=0.99")
    try:
        value = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError):
        raise ConfigError(f"command line: {key}: {text!r} is not YAML") from None
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


def _checked(data: dict[str, Any], path: Path, sources: dict[str, str]) -> Config:
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise ConfigError(_explain(error, data, path, sources)) from None
    try:
        game = config.make_game()
        _check_fit(config, game)
    except ConfigError as error:
        key = str(error).partition(":")[0]
        raise ConfigError(f"{_source(key, path, sources)}{error}") from None
    return config


def _check_fit(config: Config, game: Game) -> None:
    """What depends on the game, or on two keys at once."""
    seat, rollout = config.environment.seat, config.environment.num_envs * config.algorithm.n_steps
    if seat == "all" and not game.spec.cooperative:
        raise ConfigError(f"environment.seat: all seats together have no single reward in {game.spec.name}")
    if isinstance(seat, int) and not 0 <= seat < game.players:
        raise ConfigError(f'environment.seat: {seat} is no seat; expected 0 to {game.players - 1} or "random"')
    if config.league is not None and game.spec.cooperative:
        raise ConfigError(f"league: {game.spec.name} is cooperative: there is nobody to beat")
    if config.league is not None and all(opponent.player != "self" for opponent in config.opponents):
        raise ConfigError("league: it is of past selves; expected the player self among the opponents")
    if config.algorithm.batch_size > rollout:
        raise ConfigError(
            f"algorithm.batch_size: {config.algorithm.batch_size} is more than a rollout has; "
            f"expected at most num_envs * n_steps = {rollout}"
        )
    for name, members in config.algorithm.net_arch.sets.items():
        try:
            member_entries(game.features, members.features, members.length)
        except ValueError as error:
            raise ConfigError(f"algorithm.net_arch.sets.{name}: {error}") from None
    if config.engine == "rllib":
        _check_rllib(config)


def _check_rllib(config: Config) -> None:
    """What `engine: rllib` cannot do is refused, not passed over."""
    usual = Config(game=config.game, algorithm=Algorithm(total_steps=1))
    for key in NOT_IN_RLLIB:
        found, expected = (functools.reduce(getattr, key.split("."), root) for root in (config, usual))
        if found != expected:
            raise ConfigError(f"{key}: engine rllib has no such thing; leave it out")
    for index, opponent in enumerate(config.opponents):
        if opponent.player == "curriculum":
            raise ConfigError(f"opponents.{index}.player: engine rllib has no curriculum; expected self or a player")
    if config.rllib.workers > config.environment.num_envs:
        games = config.environment.num_envs
        raise ConfigError(f"rllib.workers: {config.rllib.workers} are too many for environment.num_envs: {games}")


def _explain(error: ValidationError, data: Any, path: Path, sources: dict[str, str]) -> str:
    """The first problem of a validation as one line."""
    first = error.errors()[0]
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
    message = {"extra_forbidden": "there is no such key", "missing": "is missing"}.get(first["type"], first["msg"])
    message = message.removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message += f"; expected one of {', '.join(_known_keys(keys[:-1]))}"
    elif first["type"] not in ("missing", "value_error"):
        message = f"{message[:1].lower()}{message[1:]}, found {first['input']!r}"
    return f"{_source(key, path, sources)}{key}: {message}" if key else f"{path}: {message}"


def _known_keys(keys: list[str]) -> list[str]:
    """The keys of the section that dotted keys lead to."""
    section: Any = Config
    for key in keys:
        if key not in section.model_fields:  # a number in a list, or a name of the user's choosing
            continue
        inner = section.model_fields[key].annotation
        models = [
            a for a in (inner, *getattr(inner, "__args__", ())) if isinstance(a, type) and issubclass(a, BaseModel)
        ]
        section = models[0]
    return list(section.model_fields)


def _source(key: str, path: Path, sources: dict[str, str]) -> str:
    """Where a key was given: line or command line of the key itself or of what it stands in."""
    while key:
        if key in sources:
            return sources[key]
        key = key.rpartition(".")[0]
    return f"{path}: "


def _inside(key: str, other: str) -> bool:
    return key == other or key.startswith(other + ".")


class Loader(yaml.SafeLoader):
    """Plain data only; numbers such as 1e-3 are numbers."""


Loader.yaml_implicit_resolvers = {k: list(v) for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+0123456789"))


def _lines(node: yaml.Node | None, prefix: str = "") -> Any:
    """(dotted key, line) of everything in a YAML document. Raises ValueError for a key that stands twice."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for name, value in node.value:
            if name.value in seen:
                raise ValueError(f"line {name.start_mark.line + 1}: {prefix}{name.value} is given twice")
            seen.add(name.value)
            yield f"{prefix}{name.value}", name.start_mark.line + 1
            yield from _lines(value, f"{prefix}{name.value}.")
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield f"{prefix}{index}", value.start_mark.line + 1
            yield from _lines(value, f"{prefix}{index}.")
