"""What the runs of all hubs share: the same game, the same replies, and one line of JSON that says what happened."""

import json
from typing import Any

ARGUMENTS: dict[str, Any] = {"moves": "numbered", "opponents": "greedy", "marked": True}
SEED = 5


def reply(decision: int) -> str:
    """The fourth is no move at all."""
    return "I cannot decide." if decision == 3 else "Move: 2"


def say(texts: list[str], rewards: list[float], result: dict[str, Any]) -> None:
    """The last line of a run."""
    kept = {name: result[name] for name in ("seat", "reward", "decisions", "invalid")}
    print(json.dumps({"texts": texts, "rewards": rewards, "result": kept}))
