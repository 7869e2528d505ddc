"""What is played and how much may be learnt: tasks and suites, read from `tasks.yaml`, and tracks."""

from __future__ import annotations

import functools
import hashlib
import json
import math
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, cast

from theogony.envs.core.contract import COUNT
from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame, load
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field, model_validator
from theogony.envs.core.untrusted.outside_yaml import read_yaml

TASKS = Path(__file__).with_name("tasks.yaml")
TEAM = "team"  # in a cooperative game: the agent plays every seat
REFERENCE = "reference"  # the opponent, which `references` says more exactly
LATER: dict[str, Any] = {"one": None, "learns_with": {}}  # fields that came later: the digest has others than these
Name = Annotated[str, Field(min_length=1, max_length=200)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]  # SHA-256


class BenchmarkError(ValueError):
    """A task, a results file or a submission cannot be used: names it, and what was expected."""


class Strict(BaseModel):
    """No unknown keys, no silent conversions."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Task(Strict):
    """One task: a game with its options, whom the agent meets, and on how many reserved deals.

    `one` scores 1; without it, the reference player, or greedy where there is none. `learns_with`: options that a
    training within a track has in place of these, such as the components to learn with.
    """

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*-\d+p(-[a-z]+)?-v\d+$")]
    game: Name
    options: dict[str, Any]
    reward: Literal["outcome", "rank", "progress"]
    deals: Annotated[int, Field(ge=1, le=COUNT)]
    opponents: Annotated[list[Name], Field(min_length=1)]
    records: Annotated[int, Field(ge=0)] = 1
    one: Name | None = None
    learns_with: dict[str, Any] = {}

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that stand for everything that is played."""
        content = self.model_dump()
        said = {name: value for name, value in content.items() if name not in LATER or value != LATER[name]}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def options_of_training(self) -> dict[str, Any]:
        """The options with which an agent of a track learns."""
        return {**self.options, **self.learns_with}

    def make_game(self) -> Game:
        """The game with its options. Raises BenchmarkError."""
        try:
            game = _configured(self.game, json.dumps(self.options))
        except (UnknownGame, OptionError, ComponentError) as error:
            raise BenchmarkError(f"task {self.id}: {error}") from None
        if self.reward not in game.spec.rewards:
            raise BenchmarkError(f"task {self.id}: {self.game} pays {', '.join(game.spec.rewards)}, not {self.reward}")
        if TEAM in self.opponents and not game.spec.cooperative:
            raise BenchmarkError(f'task {self.id}: "team" is for cooperative games, and {self.game} is none')
        return game

    def seats(self, game: Game, opponent: str) -> list[int]:
        """The seats that the agent takes, one a game of a deal; of a team it has all, and counts as seat 0."""
        return [0] if opponent == TEAM else list(range(game.players))

    def seat_recorded(self, game: Game, opponent: str, deal: int) -> int:
        """The agent's seat in the game of a deal that may be recorded: another with each deal."""
        return deal % len(self.seats(game, opponent))


@functools.lru_cache(maxsize=64)
def _configured(game: str, options: str) -> Game:
    """A game with its options, made once: it takes a tenth of a second, a hundred packs of components many seconds."""
    return load(game).configure(json.loads(options))


class Tasks(Strict):
    """All tasks, the suites by name, and the SHA-256 of who `reference` is at each table, such as orbis-2p."""

    suites: dict[str, list[str]]
    references: dict[str, Digest] = {}
    tasks: list[Task]

    @model_validator(mode="after")
    def _suites_name_tasks(self) -> Tasks:
        ids = [task.id for task in self.tasks]
        if twice := [one for one in ids if ids.count(one) > 1]:
            raise ValueError(f"the task {twice[0]} is there twice")
        for suite, members in self.suites.items():
            if missing := [one for one in members if one not in ids]:
                raise ValueError(f"the suite {suite} names {missing[0]}, and there is no such task")
        return self

    def task(self, name: str) -> Task:
        """A task by its id. Raises BenchmarkError, which names other versions of it, or tasks of that table."""
        found = {task.id: task for task in self.tasks}
        if name in found:
            return found[name]
        base = name.rpartition("-v")[0] or name
        versions = [one for one in found if one.rpartition("-v")[0] == base]
        others = versions or [task.id for task in self.tasks if task.id.startswith(base)]
        known = f"this version has {', '.join(others)}" if others else f"expected an id such as {next(iter(found))}"
        raise BenchmarkError(f"there is no task {name}; {known}")

    def suite(self, name: str) -> list[Task]:
        """The tasks of a suite, or those of ids with commas between them. Raises BenchmarkError."""
        if name in self.suites:
            return [self.task(one) for one in self.suites[name]]
        known, named = [task.id for task in self.tasks], list(dict.fromkeys(map(str.strip, name.split(","))))
        tables = {one.rpartition("-v")[0] for one in known}  # of which there may be another version
        if set(named) & set(known) or named[0].rpartition("-v")[0] in tables:
            return [self.task(one) for one in named]
        expected = f"suites are {', '.join(self.suites)}"
        if set(named) & set(self.suites):
            expected = f"expected one suite alone, or ids of tasks; {expected}"
        if near := [task.id for task in self.tasks if task.game == named[0].partition("-")[0]]:
            expected = f"tasks of that game are {', '.join(near)}; {expected}"
        raise BenchmarkError(f"there is no suite or task {name!r}; {expected}")


@functools.cache
def shipped() -> Tasks:
    """The tasks of this version. Raises BenchmarkError naming what is wrong."""
    content, _ = read_yaml(TASKS, str(TASKS), BenchmarkError)
    return checked(Tasks, content, str(TASKS), BenchmarkError)


class Suite(NamedTuple):
    """Tasks under a name, as `run` plays them."""

    name: str
    tasks: tuple[Task, ...]

    @classmethod
    def named(cls, name: str, tasks: Tasks | None = None, only: str = "") -> Suite:
        """A suite of this version's tasks, or of others; `only` names some of them, or all. Raises BenchmarkError."""
        known = tasks or shipped()
        members = {task.id: task for task in known.suite(name)}
        wanted = [one for one in dict.fromkeys(map(str.strip, only.split(","))) if one] or list(members)
        if strange := [one for one in wanted if one not in members]:
            raise BenchmarkError(f"{strange[0]}: is no task of the suite {name}; it has {', '.join(members)}")
        return cls(",".join(map(str.strip, name.split(","))), tuple(members[one] for one in wanted))

    def trial(self, deals: int) -> Suite:
        """A suite whose tasks have so many deals at most: what is played is no result of the suite any more."""
        return Suite(self.name, tuple(task.model_copy(update={"deals": min(deals, task.deals)}) for task in self.tasks))


# ---- Tracks: how much an agent may learn. Only agents of one track are compared as learners

TrackName = Literal["200k", "1M", "10M", "1h"]
SLACK = 1.05  # a track ends with an update, and updates are made of whole rollouts or games


class Track(NamedTuple):
    """At most so many decisions of the learner, or so many seconds of the processor while it learns."""

    decisions: float
    cpu: float


TRACKS: dict[TrackName, Track] = {
    "200k": Track(200_000, math.inf),
    "1M": Track(1_000_000, math.inf),
    "10M": Track(10_000_000, math.inf),
    "1h": Track(math.inf, 3600),
}


def track_named(name: str | None) -> TrackName | None:
    """The name of a track, or of none. Raises BenchmarkError for any other."""
    if name is not None and name not in TRACKS:
        raise BenchmarkError(f"there is no track {name!r}; tracks are {', '.join(TRACKS)}")
    return cast(TrackName | None, name)


# ---- What a results file says of a training: from what it learnt, how long that took, how good it was on the way

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Time = Annotated[float, Field(ge=0)]  # seconds


class Point(Strict):
    """A point of a learning curve: the share of games won against each player, on deals that are not reserved."""

    decisions: Count
    won: dict[str, Share]


class Trained(Strict):
    """How the agent of a task was trained: the training file in force, or the program; and what it learnt from."""

    task: str
    config: dict[str, Any]
    decisions: Count
    curve: list[Point]


class TrainingSeconds(Strict):
    """Times of a training while it learnt: on the clock, of all processors; the same at the points of the curve."""

    task: str
    wall: Time
    cpu: Time
    curve: list[tuple[Time, Time]]
