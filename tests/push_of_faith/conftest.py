"""Positions to try the rules on."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.game import SPEC

NewPosition = Callable[..., Position]


@pytest.fixture
def new() -> NewPosition:
    """`new(players=3, seed=1, refill="choose", components=...)`: the start of a game."""

    def make(players: int = 2, seed: int = 0, components: Any = None, **options: Any) -> Position:
        return Position(SPEC.configure({"players": players, **options}, components), seed)

    return make


@pytest.fixture
def play() -> Callable[..., Position]:
    """`play(position, decisions, seed)`: go on at random, by default to the end."""

    def go_on(position: Position, decisions: int = 1_000, seed: int = 0) -> Position:
        generator = np.random.default_rng(seed)
        while not position.over and decisions > 0:
            position.play(generator.choice(position.legal_actions()))
            decisions -= 1
        return position

    return go_on
