"""What a game has where it does not say otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import SEATS

NOT_GIVEN: Any = None  # a rule that follows from others


@rule
def nothing_hidden(g, t, seat, rng):
    """Of a game in which all is open but the dice to come."""


def value_of(score: Callable) -> Callable:
    """The value of a position where a game has none of its own: the score less the mean of the others' scores."""

    @rule
    def value(g, t, seat):
        scores = np.zeros(SEATS)  # the only array that a rule makes: a game in earnest has a value of its own
        score(g, t, scores)
        total = 0.0
        for other in range(g.players):
            total += scores[other]
        others = (total - scores[seat]) / max(np.int64(g.players) - 1, 1)
        return (scores[seat] - others) / t.scale

    return value


def no_components(options: Any) -> dict[str, Any]:
    """Of a game whose pieces are all in its rules."""
    return {}
