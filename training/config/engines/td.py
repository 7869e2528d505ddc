"""`engine: td`: a value learnt by TD(λ) on afterstates, in self-play."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.planning import MOST_PLANS
from theogony.training.config import ConfigError
from theogony.training.config.engines.base import BaseConfig, check_other_table
from theogony.training.config.sections import (
    RANDOM,
    Address,
    CutOff,
    Device,
    Epochs,
    Learning,
    Logging,
    Noise,
    Opponents,
    OtherTable,
    Section,
    Share,
    ThreadedGames,
    ValueWidths,
    Workers,
)


class Plan(Section):
    """Planned games: the network plays the best plan of the own turn or round (docs/search.md)."""

    width: Annotated[int, Field(ge=0, le=MOST_PLANS)] = Field(
        default=0, description="plans that are followed at once; 0: none"
    )
    share: Share = Field(default=1.0, description="share of the games in which it plans")
    ends: Share = Field(
        default=0.0, description="share of planned decisions whose end of the plan is learnt from as well"
    )


class Starts(Section):
    """Games that begin from a position of a recorded game, drawn for each (docs/train_further.md)."""

    share: Share = Field(default=0.0, description="share of games that begin from positions of recorded ones")
    files: list[str] = Field(
        default=[], description="recorded games, or folders of some; ours, or those `verify` reads"
    )


class Td(Section):
    """TD(λ) on afterstates in self-play; `environment.num_envs` games are played between two updates."""

    former: ClassVar[dict[str, Any]] = {"heads": {}}

    td_lambda: Share = Field(
        default=0.8,
        description="how far the final reward is traced back: 0: to the last afterstate; 1: to every one alike",
    )
    explore: Share = Field(default=0.01, description="share of decisions drawn at random")
    noise: Noise = 0.01
    widths: ValueWidths = Field(default=[128, 64], description="hidden layers of the value network")
    own_value: bool = Field(default=True, description="whether the network also sees the game's own `value`")
    own_turn: bool = Field(
        default=False, description="look ahead to the end of one's own turn, as the greedy player does"
    )
    opponents: Share = Field(
        default=0.0, description="share of games in which one seat learns and `opponents` play the others"
    )
    epochs: Epochs = 1
    search: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        default=0, description="simulations of a search that plays every decision and teaches; 0: none"
    )
    tried: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        default=0,
        description="with `search`: simulations of an action that teaches although it was not played; 0: none does",
    )
    plan: Plan = Plan()
    variants: Annotated[list[dict[str, Any]], Field(max_length=100)] = Field(
        default=[], description="other options of the game: each game is played with `options` or one of these, in turn"
    )
    starts: Starts = Starts()
    other_table: OtherTable = False


class Ray(Section):
    """Workers on a Ray cluster that play the games, each with `environment.threads` threads.

    Without Ray the same file runs in threads of its own process, and learns the same.
    """

    workers: Workers = Field(default=0, description="actors that play; 0: no Ray")
    address: Address = None


class TdConfig(BaseConfig):
    """A value learnt in self-play."""

    engine: Literal["td"] = "td"
    environment: ThreadedGames = ThreadedGames()
    algorithm: Learning
    opponents: Opponents = RANDOM
    cut_off: CutOff = "goes_on"
    logging: Logging = ["tensorboard"]
    td: Td = Td()
    ray: Ray = Ray()
    device: Device = "cpu"

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for keys of self-play and of the cluster that do not go together."""
        super().check_fit(game)
        if self.opponents != RANDOM and not self.td.opponents:
            raise ConfigError("opponents: no game is played against them; expected td.opponents above 0")
        if self.td.search and self.td.opponents:
            raise ConfigError("td.search: searched games have no opponents; expected td.opponents 0")
        if self.td.tried and not self.td.search:
            raise ConfigError("td.tried: there is no search that tries anything; expected td.search as well")
        if self.td.search and self.td.plan.width:
            raise ConfigError("td.plan: a game is searched or planned; expected td.search 0")
        if self.td.plan.ends and not self.td.plan.width:
            raise ConfigError("td.plan.ends: there are no plans that end; expected td.plan.width above 0")
        if self.td.plan.share != Plan().share and not self.td.plan.width:
            raise ConfigError("td.plan.share: there are no plans; expected td.plan.width above 0")
        if self.td.search and self.td.starts.share:
            raise ConfigError("td.starts: searched games begin at their beginning; expected td.search 0")
        if bool(self.td.starts.share) != bool(self.td.starts.files):
            raise ConfigError("td.starts: share and files go together; expected both or neither")
        check_other_table(self.td.other_table, self.start_from, "td.other_table")
        if self.ray.address is not None and not self.ray.workers:
            raise ConfigError("ray.address: nobody is to play there; expected ray.workers above 0")
