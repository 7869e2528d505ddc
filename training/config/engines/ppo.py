"""What PPO reads in both engines that learn by it: `sb3.py` and `rllib.py`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from theogony.envs.core.game import Game
from theogony.training.config import ConfigError
from theogony.training.config.engines.base import check_pointers
from theogony.training.config.sections import RANDOM, Few, Games, Learning, Network, Opponent, Share, Some


class SeatedGames(Games):
    """Games of a learner in one seat."""

    seat: int | Literal["random", "all"] = Field(
        default="random", description="seat of the learner; `random`: drawn for each game; `all`: a whole team"
    )


class Ppo(Learning):
    """PPO with masked actions; the names are those of Stable-Baselines3."""

    n_steps: Some = Field(default=36, description="decisions in each game between two updates")
    n_epochs: Few = Field(default=4, description="how often each decision of a rollout is used")
    gamma: Share = Field(default=1.0, description="discount")
    gae_lambda: Share = Field(default=0.95, description="λ of generalised advantage estimation")
    clip_range: Annotated[float, Field(gt=0)] = Field(default=0.2, description="clipping of PPO's ratio")
    ent_coef: Annotated[float, Field(ge=0)] = Field(default=0.0, description="weight of the entropy bonus")
    vf_coef: Annotated[float, Field(ge=0)] = Field(default=0.5, description="weight of the value's loss")
    net_arch: Network = Network()


def check_ppo(environment: SeatedGames, algorithm: Ppo, opponents: list[Opponent], game: Game) -> None:
    """Raise ConfigError for a seat that the game does not have, for players without a seat, and for minibatches beyond
    a rollout."""
    seat, rollout = environment.seat, environment.num_envs * algorithm.n_steps
    if seat == "all" and not game.spec.cooperative:
        raise ConfigError(f"environment.seat: all seats together have no single reward in {game.spec.name}")
    if seat == "all" and opponents != RANDOM:
        raise ConfigError(
            "opponents: environment.seat: all leaves no seat to them; expected another seat, or none of them"
        )
    if isinstance(seat, int) and not 0 <= seat < game.players:
        raise ConfigError(f'environment.seat: {seat} is no seat; expected 0 to {game.players - 1} or "random"')
    if algorithm.batch_size > rollout:
        raise ConfigError(
            f"algorithm.batch_size: {algorithm.batch_size} is more than a rollout has; "
            f"expected at most num_envs * n_steps = {rollout}"
        )
    check_pointers(algorithm.net_arch, game)
