"""A game in words with the interface of TextArena: reset, get_observation, step and close.

    python examples/text_textarena.py --game push_of_faith

Needs nothing but Theogony: whatever plays in an arena of this kind, plays here. The other seats are Theogony's players.
"""

from __future__ import annotations

import argparse
from typing import Any

from theogony.wrappers.text import TextEnv


class GameArena:
    """One game after another; `arguments` are those of `TextEnv`."""

    def __init__(self, game: str, **arguments: Any) -> None:
        self.env = TextEnv(game, **arguments)

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """A new game for one reader. Raises ValueError for more."""
        if num_players != 1:
            raise ValueError(f"num_players={num_players}: one reads; name the others in opponents=")
        self.text = self.env.reset(seed)

    def get_observation(self) -> tuple[int, str]:
        """The seat that decides, and what it reads."""
        return self.env.seat, self.text

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play a reply. Returns whether the game is over, and its counts so far."""
        self.text = self.env.step(action)
        return self.env.over, self.env.result()

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """The reward of the reader's seat, and the counts of its game."""
        return {self.env.seat: self.env.reward}, {self.env.seat: self.env.result()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    arena = GameArena(parser.parse_args().game, moves="numbered")
    arena.reset(seed=1)
    done = False
    while not done:
        seat, text = arena.get_observation()
        done, info = arena.step("Move: 1")  # here a model would answer
    print(arena.get_observation()[1], arena.close()[0])
