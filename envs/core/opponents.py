"""Opponents by name: what every environment accepts as `opponents=`.

A spec is `"random"`, `"greedy"`, `"greedy:0.3"` (greedy in 30 % of its decisions, else random), `"reference"` (the
trained agent that comes with a game), a policy, or a list of `(weight, spec)` from which each seat of each game draws.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from theogony.envs.core.game import Game

# (observations (n, length) float32, masks (n, actions) int8, seats (n,) int8) -> n actions; one that
# thinks in positions has `play_rows(batch, rows)`, which is called instead, and looks at resampled ones only,
# and `play_position(position)` for a single game
Policy = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]
OpponentSpec = str | Policy | Sequence[tuple[float, "str | Policy"]]

NAMED = {"reference": "theogony.training.players:reference_policy"}  # made for a game when they are asked for
EXPECTED = '"random", "greedy", "greedy:0.3", "reference", a policy, or a list of (weight, one of these)'


class Opponent(NamedTuple):
    """One kind of opponent: how often it is drawn, and how it plays."""

    weight: float
    greed: float  # share of greedy decisions; nothing to a policy
    policy: Policy | None = None  # None: played inside the kernel


def parse_opponents(spec: OpponentSpec, game: Game | None = None) -> list[Opponent]:
    """The opponents of a spec, weights normalised to sum to 1. Raises ValueError naming what is wrong with it."""
    if isinstance(spec, str) or callable(spec):
        return [_opponent(1.0, spec, game)]
    if not isinstance(spec, Sequence) or not spec:
        raise ValueError(f"opponents={spec!r}: expected {EXPECTED}")
    found = []
    for item in spec:
        if not isinstance(item, Sequence) or isinstance(item, str) or len(item) != 2:
            raise ValueError(f"opponents: {item!r} is no pair (weight, opponent)")
        found.append(_opponent(_weight(item[0]), item[1], game))
    total = sum(opponent.weight for opponent in found)
    if total <= 0:
        raise ValueError("opponents: all weights are zero")
    return [opponent._replace(weight=opponent.weight / total) for opponent in found]


def _weight(weight: Any) -> float:
    if isinstance(weight, str | bool) or not np.isscalar(weight):
        raise ValueError(f"opponents: the weight {weight!r} is not a number")
    number = float(weight)  # pyright: ignore[reportArgumentType]
    if not math.isfinite(number) or number < 0:
        raise ValueError(f"opponents: the weight {weight!r} is not a finite number from 0 on")
    return number


def _opponent(weight: float, spec: Any, game: Game | None) -> Opponent:
    if callable(spec):
        return Opponent(weight, 0.0, spec)
    if not isinstance(spec, str):
        raise ValueError(f"opponent {spec!r}: expected {EXPECTED}")
    if spec in NAMED and game is not None:
        return Opponent(weight, 0.0, _named(spec, game))
    name, colon, share = spec.partition(":")
    if name == "random" and not colon:
        return Opponent(weight, 0.0)
    if name == "greedy":
        try:
            greed = float(share) if colon else 1.0
        except ValueError:
            greed = -1.0
        if 0.0 <= greed <= 1.0:
            return Opponent(weight, greed)
        raise ValueError(f"opponent {spec!r}: the share of greedy decisions is a number from 0 to 1")
    raise ValueError(f"opponent {spec!r}: expected {EXPECTED}")


def _named(name: str, game: Game) -> Policy:
    module, _, attribute = NAMED[name].partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)(game)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"the opponent {name!r} needs pip install 'theogony[train]'", name=error.name
        ) from error
