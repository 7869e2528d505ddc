"""What sections of a training file are made of: keys as pydantic has them, schedules, and networks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.value_network import LAYERS, WIDEST

Share = Annotated[float, Field(ge=0, le=1)]
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


class Schedule(Section):
    """A number that goes evenly from `start` to `end` over the run."""

    start: Annotated[float, Field(gt=0)] = Field(description="at the beginning of the run")
    end: Annotated[float, Field(ge=0)] = Field(description="at its end")


def rate_at(rate: float | Schedule, done: float) -> float:
    """The learning rate when such a share of the run is done."""
    if not isinstance(rate, Schedule):
        return rate
    return rate.start + (rate.end - rate.start) * min(done, 1.0)


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

    lookahead: Annotated[float, Field(ge=0)] = setting(
        0.0, "first weight of the lookahead scores; 0: the network does without them"
    )


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
