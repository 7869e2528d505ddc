"""What goes over the wire: a reply of the model, and what it led to."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.types import Action, Observation
from pydantic import Field


class MoveAction(Action):
    """What the model said."""

    message: str = Field(..., description="free text with `Move: ...` on a line of its own")


class GameObservation(Observation):
    """What the model reads. `reward` is that of the turn; `info` has counts, legal moves and `action_mask`."""

    text: str = Field(default="", description="rules and position at first, then what followed")
    info: dict[str, Any] = Field(default_factory=dict, description="metadata, which the wire would drop")
