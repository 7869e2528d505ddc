"""The client: `with TheogonyEnv(base_url=...).sync() as env: env.reset(seed=1)`."""

from __future__ import annotations

from typing import Any

from models import GameObservation, MoveAction
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State


class TheogonyEnv(EnvClient[MoveAction, GameObservation, State]):
    """One game at a time, over a WebSocket of its own."""

    def _step_payload(self, action: MoveAction) -> dict[str, Any]:
        return {"message": action.message}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[GameObservation]:
        inner, reward, done = payload.get("observation", {}), payload.get("reward"), payload.get("done", False)
        seen = {name: inner[name] for name in ("text", "info") if name in inner}
        return StepResult(observation=GameObservation(**seen, reward=reward, done=done), reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
