"""`engine: rllib`: PPO of Ray RLlib, on as many machines as a cluster has."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from theogony.envs.core.game import Game
from theogony.training.config import ConfigError
from theogony.training.config.engines.base import BaseConfig
from theogony.training.config.engines.ppo import Ppo, SeatedGames, check_ppo
from theogony.training.config.sections import RANDOM, Address, Network, Opponents, Section, Workers


class Rllib(Section):
    """Processes that play, one network for all seats or one each, and the cluster."""

    workers: Workers = Field(default=2, description="processes that play; 0: that of the learner")
    policies: Literal["shared", "separate"] = Field(
        default="shared", description="one network for all seats, or one each"
    )
    address: Address = None


class RllibConfig(BaseConfig):
    """PPO of Ray RLlib, in which all seats can learn at once."""

    engine: Literal["rllib"] = "rllib"
    environment: SeatedGames = SeatedGames()
    algorithm: Ppo
    opponents: Opponents = RANDOM
    shaping: ClassVar[str] = "none"  # RLlib learns from the rewards of the game alone
    rllib: Rllib = Rllib()

    @property
    def network(self) -> Network:
        """The network that learns, for all seats or for each."""
        return self.algorithm.net_arch

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for what PPO cannot do, for a curriculum and for too many workers."""
        super().check_fit(game)
        check_ppo(self.environment, self.algorithm, self.opponents, game)
        for index, opponent in enumerate(self.opponents):
            if opponent.player == "curriculum":
                raise ConfigError(
                    f"opponents.{index}.player: engine rllib has no curriculum; expected self or a player"
                )
        if self.rllib.workers > self.environment.num_envs:
            games = self.environment.num_envs
            raise ConfigError(f"rllib.workers: {self.rllib.workers} are too many for environment.num_envs: {games}")
