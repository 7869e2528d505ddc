"""Tracks: how much an agent may learn. Only agents of one track are compared as learners."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

from theogony.benchmark.tasks import BenchmarkError

TrackName = Literal["200k", "1M", "10M", "1h"]
SLACK = 1.05  # a track ends with an update, and updates are made of whole rollouts or games


class Track(NamedTuple):
    """At most so many decisions of the learner, or so many seconds of the processor while it learns."""

    decisions: float
    cpu: float


TRACKS: dict[TrackName, Track] = {
    "200k": Track(200_000, math.inf),
    "1M": Track(1_000_000, math.inf),
    "10M": Track(10_000_000, math.inf),
    "1h": Track(math.inf, 3600),
}


def track_named(name: str | None) -> TrackName | None:
    """The name of a track, or of none. Raises BenchmarkError for any other."""
    for known in get_args(TrackName):
        if name == known:
            return known
    if name is None:
        return None
    raise BenchmarkError(f"there is no track {name!r}; tracks are {', '.join(TRACKS)}")
