"""A decision as those hear it who look on."""

from __future__ import annotations

from typing import Any

YOURS, THEIRS = "to your colour", "to their own colour"


def move_text(game: Any, before: Any, action: int, after: Any, who: int | str | None) -> str:
    """A move in words; `your` is said to who makes it, and to nobody else. All of it is open."""
    said = game.vocabulary.say(game.actions, action, int(before.decision))
    return said if who == int(before.actor) else said.replace(YOURS, THEIRS)
