"""`Turns`: a game in words as hubs for language models want it: text, reward, whether it is over, metadata."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from theogony.wrappers.text.env import TextEnv


@dataclass(frozen=True)
class Turn:
    """What a reply led to.

    `reward` is that of this turn alone; rewards of all turns add up to that of the game. `metadata` has the counts of
    `TextEnv.result`, the legal moves as texts, and as `action_mask`, 0 or 1 for each action of the game; both are empty
    where legal moves are hidden, and when the game is over.
    """

    text: str
    reward: float
    over: bool
    metadata: dict[str, Any]


class Turns:
    """One game after another; `arguments` are those of `TextEnv`.

    `invalid` is paid for every reply without a legal move, such as -0.01, so that form is learnt before play.
    """

    def __init__(self, game: str, *, invalid: float = 0.0, **arguments: Any) -> None:
        self.env = TextEnv(game, **arguments)
        self._invalid = invalid

    def reset(self, seed: int | None = None) -> Turn:
        """A new game: its rules, and the first position."""
        return Turn(self.env.reset(seed), 0.0, False, self.metadata())

    def step(self, reply: str) -> Turn:
        """Play a reply."""
        env, before = self.env, (self.env.reward, self.env.invalid)
        text = env.step(reply)
        reward = env.reward - before[0] + self._invalid * (env.invalid - before[1])
        return Turn(text, reward, env.over, self.metadata())

    def metadata(self) -> dict[str, Any]:
        """The counts so far, and what is legal."""
        env = self.env
        shown = not env.over and env.moves != "hidden"
        legal = env.legal_moves() if shown else {}
        mask = [0] * env.game.actions.size if shown else []
        for action in legal.values():
            mask[action] = 1
        return {**env.result(), "legal_moves": list(legal), "action_mask": mask}
