"""`EnvPlayer`: a player that decides in an environment as it stands, `env.step(player.act(env))`."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.aec import GameEnv
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, Policy, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.rng import seed_bits
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.wrappers.single_agent import SingleAgentEnv


class EnvPlayer:
    """A player of the game of an environment, with a generator of its own.

    Args:
        player: a name (docs/players.md), a player or a policy.
        env: any environment of this project, also in wrappers, or a `Batch`: it says which game is played.
        seed: of the generator; None draws one from the operating system.

    Raises PlayerError when the player cannot play that game.
    """

    def __init__(self, player: str | Player | Policy, env: Any, seed: int | None = None) -> None:
        self.player: Player = make_player(player, _game_of(env))
        self.name: str = self.player.name
        self._rng = np.random.default_rng() if seed is None else player_rng(seed_bits(seed))

    def act(self, env: Any) -> Any:
        """A legal action for the seat that decides, int; for many games in one, int64 (n,).

        None when the game of an AEC environment is over: what `step` takes then.
        """
        inside = _inside(env)
        if isinstance(inside, Batch):
            return self.player.act(Views.of(inside), self._rng)
        if inside.over or _cut_off(env):
            return None
        return int(self.player.act(Views.at(inside), self._rng)[0])


def _cut_off(env: Any) -> bool:
    """Whether a wrapper has ended the game, as `TimeLimit` does."""
    return any(getattr(env, "truncations", {}).values())


def _game_of(env: Any) -> Game:
    inner = getattr(env, "unwrapped", env)
    aec = inner.env.unwrapped if isinstance(inner, SingleAgentEnv) else inner
    return aec.game if isinstance(aec, GameEnv) else _inside(env).game


def _inside(env: Any) -> Position | Batch:
    """What an environment plays on. Raises PlayerError when it is none of ours, RuntimeError before `reset`."""
    inner = getattr(env, "unwrapped", env)
    if isinstance(inner, SingleAgentEnv):
        inner = inner.env.unwrapped
    if isinstance(inner, GameEnv):
        if not hasattr(inner, "position"):
            raise RuntimeError("call reset() before a player acts")
        return inner.position
    batch = inner if isinstance(inner, Batch) else getattr(inner, "batch", None)
    if isinstance(batch, Batch):
        return batch
    raise PlayerError(f"{env!r:.60} is no environment of theogony, nor a Batch: players play only there")
