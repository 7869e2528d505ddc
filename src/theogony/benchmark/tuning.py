"""`theogony tune` for a program of the benchmark: its hyperparameters are options of its command line.

A key `learning_rate` of the space is the option `--learning-rate`. Programs are called as in a track, behind the fence,
and leave a network, which is measured as a training file's agent is.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import yaml
from pydantic import Field

from theogony.benchmark.programs import NETWORK, Program, asked_of, call, check_seed, words_of
from theogony.benchmark.tasks import BenchmarkError, Strict
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.outside_yaml import parse_yaml
from theogony.training.config import ConfigError
from theogony.training.config.file import COMMAND_LINE, apply_override
from theogony.training.learning.tune import GO_ON, Asked, Space, measured, within


class Evaluation(Strict):
    """Against whom trials are measured."""

    against: Annotated[list[str], Field(min_length=1)] = ["random", "greedy"]


class Table(Strict):
    """What a program learns: entries behind it on the command line."""

    game: str
    options: dict[str, Any] = {}
    evaluation: Evaluation = Evaluation()


class Job(NamedTuple):
    """A trial: how the program is called, and the folder for what it leaves."""

    asked: Program
    folder: Path


@dataclass(frozen=True)
class TunedProgram:
    """A program with options that are the same in all trials, and the game that it learns."""

    player: str
    table: Table

    @classmethod
    def of(cls, player: str, entries: Sequence[str]) -> TunedProgram:
        """From `examples/tianshou_dqn.py --opponents random` and entries such as game=orbis. Raises ConfigError."""
        found: dict[str, Any] = {}
        for entry in entries:
            apply_override(found, entry)
        return cls(player, checked(Table, found, COMMAND_LINE.removesuffix(": "), ConfigError))

    def game(self) -> Game:
        """The game. Raises ConfigError."""
        try:
            return load(self.table.game).configure(self.table.options)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{COMMAND_LINE}{error}") from None

    def settings(self) -> dict[str, Any]:
        """The program, its content and the game."""
        self.game()
        with _explained():
            asked = asked_of(self.player, 0, 0)
        return {"program": self.player, "sha256": asked.sha256, **self.table.model_dump(mode="json")}

    def former(self, settings: Any) -> dict[str, Any]:
        """As it was."""
        return settings

    def default_space(self) -> Space:
        """A program has none."""
        raise ConfigError(f"{self.player}: has no values to search by default; expected --space FILE")

    def own_values(self, space: Space) -> dict[str, Any]:
        """The values that stand in the command."""
        words, found = words_of(self.player), dict[str, Any]()
        for key, one in space.items():
            if _option(key) in words[:-1]:
                value, _ = parse_yaml(words[words.index(_option(key)) + 1], self.player, ConfigError)
                found |= within(key, one, value)
        return found

    def job(self, asked: Asked, values: Mapping[str, Any], folder: Path) -> Job:
        """The program with the options of a trial."""
        with _explained():
            check_seed(asked.seed)
            return Job(asked_of(self.command(values), asked.steps, asked.seed), folder)

    def made(self, job: Job, asked: Asked) -> tuple[float, int]:
        """Call the program, where it has not ended yet, and measure what it left."""
        with _explained():
            call(job.asked, self.table.game, self.table.options, job.folder, GO_ON.format(asked.folder))
        return measured(str(job.folder / NETWORK), self.game(), self.table.evaluation.against, asked)

    def best(self, values: Mapping[str, Any]) -> str:
        """The agent, as `theogony benchmark run --agent` and lists of entries name it."""
        return yaml.safe_dump({"agent": self.command(values)}, sort_keys=False, width=1000)

    def told(self, values: Mapping[str, Any]) -> str:
        """Values as options of the program."""
        return shlex.join(word for key, value in values.items() for word in (_option(key), str(value)))

    def command(self, values: Mapping[str, Any]) -> str:
        """The program with these options in place of its own."""
        words = shlex.split(self.player)
        for option in map(_option, values):
            while option in words[:-1]:
                del words[words.index(option) : words.index(option) + 2]
        return f"{shlex.join(words)} {self.told(values)}"


def _option(key: str) -> str:
    return f"--{key.replace('_', '-')}"


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """What is wrong with a program, as tuning says it."""
    try:
        yield
    except BenchmarkError as error:
        raise ConfigError(str(error)) from None
