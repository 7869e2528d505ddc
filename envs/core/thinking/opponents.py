"""Who plays the other seats: what every environment accepts as `opponents=`.

A spec is a player, by name or as an object (`theogony.envs.core.players`), a policy, or a list of `(weight, one of
these)` from which each seat of each game draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, Policy, make_player
from theogony.envs.core.thinking.player_names import PlayerError

OpponentSpec = str | Player | Policy | Sequence[tuple[float, "str | Player | Policy"]]


class Opponent(NamedTuple):
    """A player, and how often it is drawn."""

    weight: float
    player: Player


def parse_opponents(spec: OpponentSpec, game: Game | None) -> list[Opponent]:
    """The opponents of a spec, weights normalised to sum to 1; `game` is None in a game of another project.

    Raises PlayerError, or CheckpointError, naming what is wrong with it.
    """
    if isinstance(spec, str) or not isinstance(spec, Sequence):
        return [Opponent(1.0, make_player(spec, game))]
    if not spec:
        raise PlayerError("opponents: the list is empty; expected pairs (weight, player)")
    found = []
    for item in spec:
        if not isinstance(item, Sequence) or isinstance(item, str) or len(item) != 2:
            raise PlayerError(f"opponents: {item!r} is no pair (weight, player)")
        found.append(Opponent(_weight(item[0]), make_player(item[1], game)))
    total = sum(opponent.weight for opponent in found)
    if total <= 0:
        raise PlayerError("opponents: all weights are zero")
    return [opponent._replace(weight=opponent.weight / total) for opponent in found]


def _weight(weight: Any) -> float:
    if isinstance(weight, str | bool) or not np.isscalar(weight):
        raise PlayerError(f"opponents: the weight {weight!r} is not a number")
    number = float(weight)  # pyright: ignore[reportArgumentType]
    if not math.isfinite(number) or number < 0:
        raise PlayerError(f"opponents: the weight {weight!r} is not a finite number from 0 on")
    return number
