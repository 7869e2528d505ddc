"""A game in words with the interface of OpenEnv: typed actions and observations, reset, step and state.

python examples/text_openenv.py --game push_of_faith    # with the library, inherit from its three classes
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from theogony.wrappers.text import TextEnv


@dataclass
class MoveAction:
    """What the model said."""

    message: str


@dataclass
class GameObservation:
    """What the model reads; `metadata` has the counts of the game once it is over."""

    text: str
    reward: float = 0.0
    done: bool = False
    metadata: dict[str, Any] | None = None


class GameEnvironment:
    """One game after another; `arguments` are those of `TextEnv`."""

    def __init__(self, game: str, **arguments: Any) -> None:
        self.env = TextEnv(game, **arguments)

    def reset(self, seed: int | None = None) -> GameObservation:
        """A new game."""
        return GameObservation(self.env.reset(seed))

    def step(self, action: MoveAction) -> GameObservation:
        """Play a reply. The reward comes at the end."""
        text, over = self.env.step(action.message), self.env.over
        return GameObservation(text, self.env.reward if over else 0.0, over, self.env.result() if over else None)

    @property
    def state(self) -> dict[str, Any]:
        """The counts of the game so far."""
        return self.env.result()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    environment = GameEnvironment(parser.parse_args().game, moves="numbered")
    observation = environment.reset(seed=1)
    while not observation.done:
        observation = environment.step(MoveAction("Move: 1"))  # here a model would answer
    print(observation.text)
