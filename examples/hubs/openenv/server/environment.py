"""The environment: a game in words, behind the interface of OpenEnv."""

from __future__ import annotations

import os
from typing import Any
from uuid import uuid4

from models import GameObservation, MoveAction
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import State

from theogony.wrappers.text import Turn, Turns

SETTINGS = {"game": "push_of_faith", "opponents": "greedy", "moves": "listed"}  # THEOGONY_GAME=orbis and so on


class TheogonyEnvironment(Environment[MoveAction, GameObservation, State]):
    """One game after another. Which one the surroundings of the server say: a client has no say in what runs here."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        given = {name: os.environ.get(f"THEOGONY_{name.upper()}", usual) for name, usual in SETTINGS.items()}
        arguments: dict[str, Any] = {"marked": True, **given}
        self._turns = Turns(arguments.pop("game"), invalid=-0.01, **arguments)
        self._state = State(episode_id=None, step_count=0)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> GameObservation:
        """A new deal; the seed names it."""
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return _seen(self._turns.reset(seed))

    def step(self, action: MoveAction, timeout_s: float | None = None, **_: Any) -> GameObservation:
        """Play a reply."""
        self._state.step_count += 1
        return _seen(self._turns.step(action.message))

    @property
    def state(self) -> State:
        """Which game, and how many replies so far."""
        return self._state


def _seen(turn: Turn) -> GameObservation:
    return GameObservation(text=turn.text, reward=turn.reward, done=turn.over, info=turn.metadata)
