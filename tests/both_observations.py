"""Games with the usual observation and with attributes, played side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.game import GameSpec
from theogony.envs.core.position import Position

ATTRIBUTES = {"observation": "attributes"}


def played(spec: GameSpec, seed: int, most: int = 1 << 30, **options: Any) -> Iterator[tuple[Position, Position]]:
    """One game at random, with the usual observation and with attributes, decision by decision."""
    usual, other = (Position(spec.configure(given), seed) for given in (options, {**options, **ATTRIBUTES}))
    rng = np.random.default_rng(seed)
    while not usual.over and usual.now < most:
        yield usual, other
        action = int(rng.choice(usual.legal_actions()))
        usual.play(action)
        other.play(action)


def seen(position: Position, seat: int) -> Any:
    """What a seat sees, as a record of features."""
    return position.game.features.records(position.observe_codes(seat).copy())[0]


def check_usual_comes_last(spec: GameSpec, most: int = 1 << 30, **options: Any) -> None:
    """The usual observation stands unchanged at the end of the one with attributes, and the game is the same."""
    for usual, other in played(spec, 4, most, **options):
        length = usual.game.features.length
        for seat in range(usual.game.players):
            assert (other.observe_codes(seat)[-length:] == usual.observe_codes(seat)).all()
        assert (other.mask == usual.mask).all() and other.key() == usual.key()
