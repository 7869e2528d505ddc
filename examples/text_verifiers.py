"""A game in words as a multi-turn environment with the methods of `verifiers`: setup_state, env_response, is_completed.

    python examples/text_verifiers.py --game push_of_faith

`GameEnv` needs nothing but Theogony; with the library, let it inherit from `vf.MultiTurnEnv` as well, and give `reward`
to its rubric. A message is `{"role": ..., "content": ...}`.
"""

from __future__ import annotations

import argparse
from typing import Any

from theogony.wrappers.text import TextEnv

Messages = list[dict[str, str]]


class GameEnv:
    """Every rollout is a game of its own, in `state`; `arguments` are those of `TextEnv`."""

    def __init__(self, game: str, **arguments: Any) -> None:
        self.game, self.arguments = game, arguments

    def setup_state(self, state: dict[str, Any]) -> dict[str, Any]:
        """A new game for this rollout; `state["seed"]` may name one. Its first text is the prompt."""
        state["game"] = TextEnv(self.game, **self.arguments)
        state["prompt"] = [{"role": "user", "content": state["game"].reset(state.get("seed"))}]
        return state

    def env_response(self, messages: Messages, state: dict[str, Any]) -> tuple[Messages, dict[str, Any]]:
        """Play the last reply of the model; the answer is the next position."""
        return [{"role": "user", "content": state["game"].step(messages[-1]["content"])}], state

    def is_completed(self, messages: Messages, state: dict[str, Any]) -> bool:
        """Whether the game is over."""
        return state["game"].over


def reward(state: dict[str, Any]) -> float:
    """For a rubric: the reward of the game; `state["game"].result()` counts invalid replies apart."""
    return state["game"].reward


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    env = GameEnv(parser.parse_args().game, moves="numbered")
    state = env.setup_state({"seed": 1})
    messages = list(state["prompt"])
    while not env.is_completed(messages, state):
        messages.append({"role": "assistant", "content": "Move: 1"})  # here a model would answer
        messages += env.env_response(messages, state)[0]
    print(messages[-1]["content"])
