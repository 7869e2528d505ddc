"""What every engine reads."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from theogony.envs.core.contract import is_reserved
from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame, load
from theogony.training.config import ConfigError
from theogony.training.config.sections import Evaluation, Few, Network, Reward, Section, Steps
from theogony.training.networks.members import pointed_in


class BaseConfig(Section):
    """What every engine reads; each adds `engine`, `environment` and `algorithm` in its own form."""

    game: str = Field(description="a game by name")
    options: dict[str, Any] = Field(
        default={}, description="options of the game: `players`, variants, a component file"
    )
    reward: Reward | None = Field(
        default=None,
        description="`null`: `outcome` for two players and teams, else `rank`; in `distil` what the teacher has learnt",
    )
    seed: Annotated[int, Field(ge=0, lt=2**32)] = Field(default=0, description="of everything")
    evaluation: Evaluation = Evaluation()
    torch_threads: Few | Literal["auto"] = Field(
        default=1, description="of the learner; `auto`: as many as are found to help when the run begins"
    )
    checkpoint_every: Steps = Field(default=200_000, description="steps between two checkpoints")
    start_from: str | None = Field(default=None, description="a run, a checkpoint or a reference player to begin with")
    folder: str | None = Field(
        default=None,
        description="where the run goes; `null`: `runs/` and the name of the file, with a number if it is taken",
    )

    @field_validator("seed", mode="before")
    @classmethod
    def _leave_the_benchmark_alone(cls, seed: Any) -> Any:
        if isinstance(seed, int) and not isinstance(seed, bool) and is_reserved(seed):
            raise ValueError(f"{seed} is a deal of the benchmark, which training never uses; expected 0 to 2**32 - 1")
        return seed

    def make_game(self) -> Game:
        """The game with these options. Raises ConfigError."""
        try:
            return load(self.game).configure(self.options)
        except UnknownGame as error:
            raise ConfigError(f"game: {error}") from None
        except (OptionError, ComponentError, OverflowError) as error:
            raise ConfigError(f"options: {error}") from None

    def make_tested_game(self, game: Game) -> Game:
        """The game of the evaluations: with its own components where the file says so. Raises ConfigError."""
        if self.evaluation.components is None:
            return game
        try:
            tested = game.spec.configure({**self.options, "components": self.evaluation.components})
        except (OptionError, ComponentError, OverflowError) as error:
            raise ConfigError(f"evaluation.components: {error}") from None
        if tested.layout() != game.layout():
            raise ConfigError("evaluation.components: expected those that players see in the same form as in training")
        return tested

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError for what the game does not have, and for keys that do not go together."""
        self.make_tested_game(game)
        if self.reward is not None and self.reward not in game.spec.rewards:
            raise ConfigError(f"reward: {game.spec.name} pays {', '.join(game.spec.rewards)}, not {self.reward}")

    def unused(self) -> list[str]:
        """What the settings say that nobody will use, in sentences: told at the start, and no error."""
        return []


def check_other_table(allowed: bool, start_from: str | None, key: str) -> None:
    """Raise ConfigError where a run may begin as an agent of another table, and begins as none."""
    if allowed and start_from is None:
        raise ConfigError(f"{key}: says where start_from may come from, and there is none")


def check_pointers(network: Network, game: Game) -> None:
    """Raise ConfigError for pointers at what the game does not have, and for rows that it does not declare."""
    if network.rows and not game.action_rows:
        raise ConfigError(f"algorithm.net_arch.rows: {game.spec.name} declares no rows of actions; expected []")
    for name, members in network.pointers.items():
        try:
            pointed_in(game, members)
        except ValueError as error:
            raise ConfigError(f"algorithm.net_arch.pointers.{name}: {error}") from None
