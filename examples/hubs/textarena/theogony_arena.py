"""Modern board games with the interface of TextArena: the model is the only player, the game plays the others.

import textarena as ta
import theogony_arena  # registers Theogony-PushOfFaith-v0 and its like
env = ta.make("Theogony-PushOfFaith-v0", opponents="greedy")
env.reset(num_players=1, seed=1)
"""

from __future__ import annotations

from typing import Any

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY, register

from theogony.wrappers.text import Turn, Turns

GAMES = ("push_of_faith", "orbis", "innovation", "terra_mystica", "god_of_war")


class TheogonyArena(ta.Env):
    """One game after another; `arguments` are those of `theogony.wrappers.text.TextEnv`."""

    def __init__(self, game: str, **arguments: Any) -> None:
        self._turns = Turns(game, **{"marked": True, **arguments})

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """A new deal. TextArena refuses more than one player here: the others are named by `opponents`."""
        self.state = ta.SinglePlayerState(num_players=num_players, seed=seed)
        self.state.reset(game_state={}, player_prompt_function=lambda **_: "")
        self.state.observations[0].clear()
        self._tell(self._turns.reset(seed), ta.ObservationType.PROMPT)

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Play a reply. Invalid ones are explained by the game itself, which goes on by its own rules for them."""
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=0)
        turn = self._turns.step(action)
        if turn.over:
            self.state.set_outcome(self._turns.env.reward, turn.text)
            self.state.game_info[0].update(self._turns.env.result(), invalid_move=turn.metadata["invalid"] > 0)
        self._tell(turn, ta.ObservationType.GAME_BOARD)
        return self.state.step()

    def _tell(self, turn: Turn, kind: ta.ObservationType) -> None:
        self.state.add_observation(turn.text, kind)
        self.state.step_info.update({**turn.metadata, "turn_reward": turn.reward})


for game in GAMES:
    name = f"Theogony-{game.title().replace('_', '')}-v0"
    if name not in ENV_REGISTRY:
        register(name, TheogonyArena, [ta.wrappers.LLMObservationWrapper], game=game)
