"""Players of a user's own, as the tests of tournaments need them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np


class First:
    """Always the first legal action; notes what it sees."""

    seen: ClassVar[list[np.ndarray]] = []

    def __init__(self, game: Any) -> None:
        self.game = game

    def act(self, views: Any, rng: np.random.Generator) -> np.ndarray:
        self.seen.extend(view.observation for view in views)
        return views.masks.argmax(axis=1)


class Last(First):
    """Always the last legal action."""

    def act(self, views: Any, rng: np.random.Generator) -> np.ndarray:
        self.seen.extend(view.observation for view in views)
        return views.masks.shape[1] - 1 - views.masks[:, ::-1].argmax(axis=1)


class Third(First):
    """Another that does the same."""


class Crasher(First):
    """Breaks down in every other decision, drawn."""

    def act(self, views: Any, rng: np.random.Generator) -> np.ndarray:
        if rng.random() < 0.5:
            raise ZeroDivisionError("nothing left")
        return super().act(views, rng)


class Cheat(First):
    """Plays what is not legal."""

    def act(self, views: Any, rng: np.random.Generator) -> np.ndarray:
        return views.masks.argmin(axis=1)


class Peeking(First):
    """Says nothing of positions, and asks for one."""

    def act(self, views: Any, rng: np.random.Generator) -> np.ndarray:
        return np.array([int(view.sample(rng).legal_actions()[0]) for view in views])


def no_player(game: Any) -> object:
    """Something that cannot play."""
    return object()
