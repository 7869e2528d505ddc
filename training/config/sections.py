"""Sections of a training file that several engines share, as pydantic models."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.value_network import LAYERS, WIDEST

Share = Annotated[float, Field(ge=0, le=1)]
Some = Annotated[int, Field(ge=1, le=1_000_000)]  # games side by side, decisions of a rollout: what takes memory
Count = Annotated[int, Field(ge=1, le=10**9)]  # of games
Steps = Annotated[int, Field(ge=1, lt=10**12)]  # checkpoints are named by their steps, in twelve digits
Positive = Annotated[float, Field(gt=0)]
Weight = Annotated[float, Field(ge=0)]
Few = Annotated[int, Field(ge=1, le=1024)]
Threads = Annotated[Few, Field(description="threads of the environment; worth it from about 1,024 games")]
Width = Annotated[int, Field(ge=1, le=65_536)]  # of a layer
Widths = Annotated[list[Width], Field(max_length=64)]
ValueWidths = Annotated[list[Annotated[int, Field(ge=1, le=WIDEST)]], Field(min_length=1, max_length=LAYERS)]
Reward = Literal["outcome", "rank", "margin", "progress", "points"]
Truncation = Annotated[
    Literal["bootstrap", "terminal"],
    Field(
        description="what a game counts that a limit ended: `bootstrap`: what the learner expects of its last "
        "position; `terminal`: what evaluations make of it, a loss for a team, else nothing"
    ),
]


class Names(Enum):
    """What a key names that may execute code; `modules.py` looks for keys that are marked with one of these."""

    PLAYER = "player"
    CLUSTER = "cluster"


class Section(BaseModel):
    """A part of the file: no unknown keys, no silent conversions, no numbers without end."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def setting(default: Any, description: str) -> Any:
    """A key with its default, and what is said of it (docs/training_file.md)."""
    return Field(default=default, description=description)


def sections_in(kind: Any) -> Iterator[tuple[str, type[Section]]]:
    """The sections that a key of this type may hold, and where: "" for itself, "N" in a list, "NAME" in a mapping."""
    if isinstance(kind, type) and issubclass(kind, Section):
        yield "", kind
    below = {list: "N", dict: "NAME"}.get(get_origin(kind), "")  # pyright: ignore[reportArgumentType]
    for part in get_args(kind):
        for _, section in sections_in(part):
            yield below, section


class Games(Section):
    """The games that are played side by side."""

    num_envs: Some = setting(256, "games played side by side; between two updates of `td` and `distil`")


class ThreadedGames(Games):
    """Games that threads of this process play."""

    threads: Threads = 1


class Schedule(Section):
    """A number that goes evenly from `start` to `end` over the run."""

    start: Positive = Field(description="at the beginning of the run")
    end: Weight = Field(description="at its end")


def rate_at(rate: float | Schedule, done: float) -> float:
    """The learning rate when such a share of the run is done."""
    if not isinstance(rate, Schedule):
        return rate
    return rate.start + (rate.end - rate.start) * min(done, 1.0)


class Learning(Section):
    """How long is learnt, and with what steps."""

    total_steps: Steps = Field(description="decisions to learn from; PPO makes whole rollouts of `num_envs * n_steps`")
    batch_size: Annotated[int, Field(ge=2, le=10**9)] = setting(1024, "decisions in a minibatch")
    learning_rate: Positive | Schedule = setting(
        3e-4, "a number, or `{start: 1e-3, end: 1e-4}`: linearly from one to the other"
    )
    max_grad_norm: Positive = setting(0.5, "clipping of the gradient's norm")


class Evaluation(Section):
    """Masked play against fixed players, seats rotated."""

    every: Steps = setting(200_000, "steps between two evaluations")
    games: Count = setting(400, "games of each")
    against: Annotated[list[str], Field(min_length=1), Names.PLAYER] = setting(["random", "greedy"], "against whom")
    final_games: Count = setting(2000, "games of the evaluation at the end")
    components: str | None = setting(
        None, "components of these games, such as packs held out of training; `null`: as in training"
    )


class Opponent(Section):
    """One kind of opponent and how often it is drawn for a seat."""

    player: Annotated[str, Names.PLAYER] = Field(description="a player by name, a run, `self` or `curriculum`")
    weight: Weight = setting(1.0, "how often, against the weights of the others")


class Layers(Section):
    """Widths of the layers: first those that policy and value share, then those of each."""

    shared: Widths = setting([], "widths of the layers that policy and value share")
    policy: Widths = setting([256, 256], "widths of the layers of the policy alone")
    value: Widths = setting([256, 256], "widths of the layers of the value alone")
    rows: Annotated[list[Width], Field(max_length=8)] = setting(
        [], "widths of the layers that judge each action by its own rows of the observation; `[]`: none"
    )
    activation: Literal["relu", "tanh"] = setting("relu", "activation of all layers")


class Network(Layers):
    """The network of a policy.

    With `lookahead` above 0 the network also sees lookahead scores: how good the greedy player finds every action. They
    are added to the logits, multiplied by a weight that begins with this number and is learnt like all others.
    """

    lookahead: Weight = setting(0.0, "first weight of the lookahead scores; 0: the network does without them")


class ValueNetwork(Section):
    """The network of `engine: td`: its hidden layers, and whether it sees the game's own value; what it learns."""

    widths: ValueWidths = [128, 64]
    own_value: bool = True
    reward: Reward = "outcome"


# ---- What a game that a limit ended counts in training: the key `truncation` of a training file ---------------------
#
# A limit on rounds or decisions is not always a part of the task. Where it is none, the game would go on, and is worth
# what the learner expects of its last position (Pardo et al. 2018, "Time limits in reinforcement learning"). Where it
# is one, as for a team, whose evaluations count such a game as lost, that estimate only confirms itself: an agent
# which holds out for ever never learns that it has not won.


def worth_of_truncation(truncation: Truncation, game: Game, reward: str) -> float:
    """What is learnt of such a game in place of a final reward; NaN: what the learner expects of its last position."""
    if truncation == "bootstrap":
        return math.nan
    return -1.0 if game.spec.cooperative and reward == "outcome" else 0.0
