"""What a results file says of a training: from what it learnt, how long that took, how good it was on the way."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from theogony.benchmark.tasks import Strict

Count = Annotated[int, Field(ge=0)]
Time = Annotated[float, Field(ge=0)]  # seconds


class Point(Strict):
    """A point of a learning curve: the share of games won against each player, on deals that are not reserved."""

    decisions: Count
    won: dict[str, Annotated[float, Field(ge=0, le=1)]]


class Trained(Strict):
    """How the agent of a task was trained: the training file in force, or the program; and what it learnt from."""

    task: str
    config: dict[str, Any]
    decisions: Count
    curve: list[Point]


class TrainingSeconds(Strict):
    """Times of a training while it learnt: on the clock, of all processors; the same at the points of the curve."""

    task: str
    wall: Time
    cpu: Time
    curve: list[tuple[Time, Time]]
