"""What a score of 0 and of 1 is: mean rewards of random and of the reference player, measured on the same deals.

They are in `anchors.json`, which `rescore.py` writes, with the mean reward of every single deal: on other deals 0 and 1
would have been others, and the intervals of scores take that into account.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from theogony.benchmark.tasks import BenchmarkError, Strict
from theogony.envs.core.untrusted.outside import read_json

ANCHORS = Path(__file__).parents[1] / "anchors.json"
LEAST = 0.02  # difference of rewards below which 0 and 1 are not told apart


class Anchor(Strict):
    """The mean rewards that score 0 and 1 against each opponent of a task; `player` is who scores 1.

    `deals` holds by opponent what 0 and 1 got on average in each deal; it is empty where only the means are known.
    """

    player: str
    task_digest: str
    theogony: str
    opponents: dict[str, tuple[float, float]]
    deals: dict[str, tuple[list[float], list[float]]] = {}

    def score(self, against: str, reward: float) -> float | None:
        """The score of a mean reward; None against whom 0 and 1 are not known, or not told apart."""
        if against not in self.opponents:
            return None
        zero, one = self.opponents[against]
        return None if one - zero < LEAST else (reward - zero) / (one - zero)

    def of_first(self, deals: int, digest: str) -> Anchor:
        """What 0 and 1 got in the first deals alone, for a task that has these only."""
        first = {against: (zero[:deals], one[:deals]) for against, (zero, one) in self.deals.items()}
        means = {against: (sum(zero) / deals, sum(one) / deals) for against, (zero, one) in first.items()}
        return self.model_copy(update={"task_digest": digest, "opponents": means, "deals": first})


Anchors = dict[str, Anchor]  # by the id of the task
_FILE = TypeAdapter(Anchors)


def read_anchors(path: Path) -> Anchors:
    """The anchors of a file. Raises BenchmarkError."""
    try:
        return _FILE.validate_json(json.dumps(read_json(path, str(path), BenchmarkError)))
    except ValidationError as error:
        raise BenchmarkError(f"{path}: {error.errors()[0]['msg']}") from None


@functools.cache
def shipped_anchors() -> Anchors:
    """Those of this version."""
    return read_anchors(ANCHORS)
