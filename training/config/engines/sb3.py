"""`engine: sb3`: MaskablePPO of sb3-contrib, in this process."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from theogony.envs.core.game import Game
from theogony.training.config import ConfigError
from theogony.training.config.engines.base import BaseConfig
from theogony.training.config.engines.ppo import Ppo, SeatedGames, check_ppo
from theogony.training.config.sections import (
    RANDOM,
    Count,
    CutOff,
    Few,
    Logging,
    Names,
    Network,
    Opponents,
    Section,
    Shaping,
    Share,
    Some,
    Steps,
    Threads,
)


class Sb3Games(SeatedGames):
    """Games of a learner in one seat, which threads of this process play."""

    threads: Threads = 1
    observation: Literal["float", "compact"] = Field(
        default="compact", description="`compact`: one byte an entry, which the network decodes; `float`: four bytes"
    )


class Sb3Ppo(Ppo):
    """PPO of sb3-contrib."""

    normalize_advantage: bool = Field(default=True, description="whether advantages are normalised in each minibatch")
    target_kl: Annotated[float, Field(gt=0)] | None = Field(
        default=None, description="an update ends early beyond this divergence; `null`: never"
    )


class Curriculum(Section):
    """The player `curriculum`: greedy in a share of its decisions, raised as the learner gets better."""

    start: Share = Field(default=0.0, description="share of its decisions that is greedy at first")
    step: Annotated[float, Field(gt=0, le=1)] = Field(default=0.05, description="by how much that share grows")
    raise_above: Share = Field(
        default=0.6, description="it grows when the learner wins more than this share of the games"
    )
    games: Some = Field(default=500, description="number of last games that are counted")


class SelfPlay(Section):
    """The player `self`: a policy drawn from the pool of past selves."""

    size: Few = Field(default=8, description="past selves in the pool")
    every: Steps = Field(default=200_000, description="steps after which a new one joins it")


class LeagueSettings(Section):
    """Past selves measured against each other and against fixed players; hard ones are drawn more often."""

    games: Count = Field(default=200, description="games of every new self against each other one and each anchor")
    power: Annotated[float, Field(ge=0)] = Field(
        default=2.0, description="a past self is drawn by the share of games that the newest loses to it, to this power"
    )
    anchors: Annotated[list[str], Field(min_length=1), Names.PLAYER] = Field(
        default=["random", "greedy"], description="fixed players; ratings count from the last"
    )


GROW = {"curriculum": "curriculum", "self_play": "self"}  # settings of opponents that grow: what these are called


class Sb3Config(BaseConfig):
    """MaskablePPO against fixed players, a curriculum or past selves."""

    engine: Literal["sb3"] = "sb3"
    environment: Sb3Games = Sb3Games()
    algorithm: Sb3Ppo
    shaping: Shaping = "none"
    cut_off: CutOff = "goes_on"
    opponents: Opponents = RANDOM
    curriculum: Curriculum = Curriculum()
    self_play: SelfPlay = SelfPlay()
    league: LeagueSettings | None = None  # without it all past selves are drawn alike
    logging: Logging = ["tensorboard"]
    export_sb3: bool = Field(default=False, description="also write `sb3.zip`, for the `load` of Stable-Baselines3")

    @property
    def network(self) -> Network:
        """The network that learns."""
        return self.algorithm.net_arch

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for what PPO cannot do, and for a league where there is nobody to beat."""
        super().check_fit(game)
        check_ppo(self.environment, self.algorithm, self.opponents, game)
        known = ["none", "value", *(kind for kind in game.spec.rewards if kind != "outcome")]
        if self.shaping not in known:
            raise ConfigError(f"shaping: {game.spec.name} knows {', '.join(known)}, not {self.shaping}")
        if self.league is not None and game.spec.cooperative:
            raise ConfigError(f"league: {game.spec.name} is cooperative: there is nobody to beat")
        if self.league is not None and all(opponent.player != "self" for opponent in self.opponents):
            raise ConfigError("league: it is of past selves; expected the player self among the opponents")

    def unused(self) -> list[str]:
        """Settings of opponents that nobody plays."""
        played, fields = {one.player for one in self.opponents}, type(self).model_fields
        return [
            f"{section}: its settings do nothing, since `{player}` is not among the opponents"
            for section, player in GROW.items()
            if player not in played and getattr(self, section) != fields[section].default
        ]
