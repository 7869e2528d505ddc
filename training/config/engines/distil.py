"""`engine: distil`: a policy that learns from a learnt value what every action is worth."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from theogony.envs.core.game import Game
from theogony.training.config import ConfigError
from theogony.training.config.engines.base import BaseConfig, check_other_table, check_pointers
from theogony.training.config.sections import (
    Device,
    Epochs,
    Layers,
    Learning,
    Logging,
    Names,
    Network,
    Noise,
    OtherTable,
    Section,
    Shaping,
    Share,
    ThreadedGames,
)


class Imitating(Learning):
    """A policy that learns what actions are worth."""

    vf_coef: Annotated[float, Field(ge=0)] = Field(default=0.5, description="weight of the value's loss")
    net_arch: Layers = Layers()


class Distil(Section):
    """Who teaches, and how; `environment.num_envs` games are played ahead."""

    teacher: Annotated[str, Names.PLAYER] = Field(
        default="reference",
        description="who plays and judges, one decision ahead: `reference`, a run of `td`, or `greedy`",
    )
    temperature: Annotated[float, Field(gt=0, le=10)] = Field(
        default=0.02, description="of the softmax over what actions are worth, in rewards"
    )
    explore: Share = Field(
        default=0.3, description="share of random decisions; each game draws its own, from 0 up to this"
    )
    noise: Noise = 0.01
    own_turn: bool = Field(default=False, description="the teacher looks ahead to the end of its own turn")
    epochs: Epochs = 1
    other_table: OtherTable = False


class DistilConfig(BaseConfig):
    """A policy that learns from a learnt value what every action is worth."""

    engine: Literal["distil"] = "distil"
    environment: ThreadedGames = ThreadedGames()
    algorithm: Imitating
    shaping: Shaping = "none"
    logging: Logging = ["tensorboard"]
    distil: Distil = Distil()
    device: Device = "cpu"

    @property
    def network(self) -> Network:
        """The network that learns, which never sees lookahead scores."""
        return Network.model_validate(self.algorithm.net_arch.model_dump())

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for pointers at what the game does not have."""
        super().check_fit(game)
        check_other_table(self.distil.other_table, self.start_from, "distil.other_table")
        check_pointers(self.network, game)
        if self.shaping not in ("none", "value"):
            raise ConfigError(f"shaping: {self.shaping}: engine distil leaves out the teacher's own value, or nothing")
