"""`EnvPlayer`: a player that decides in an environment as it stands, `env.step(player.act(env))`."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.aec import GameEnv
from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.arguments import checked_actions
from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, Policy, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.rng import seed_bits
from theogony.envs.core.thinking.player_names import PlayerError, check_made_for
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.wrappers.single_agent import SingleAgentEnv


class EnvPlayer:
    """A player of the game of an environment, with a generator of its own.

    Args:
        player: a name (docs/players.md), a player or a policy.
        env: any environment of this project, also in wrappers, a `Batch` or a `Position`: it says which game is played.
        seed: of the generator; None draws one from the operating system.

    Raises PlayerError when the player cannot play that game.
    """

    def __init__(self, player: str | Player | Policy, env: Any, seed: int | None = None) -> None:
        self._game: Game = _inside(env).game  # the last that it was found to be able to play
        self.player: Player = make_player(player, self._game)
        self.name: str = self.player.name
        self._rng = np.random.default_rng() if seed is None else player_rng(seed_bits(seed))

    def act(self, env: Any) -> Any:
        """A legal action for the seat that decides, int; for many games in one, int64 (n,).

        None when the game of an AEC environment or of a position is over: what `step` takes then. Raises PlayerError in
        another game, or at another table, than the player was made for, and ValueError when a policy gives no integers.
        """
        inside = _inside(env)
        if inside.game is not self._game:
            check_made_for(self.player, inside.game)
            self._game = inside.game
        who = f"player {self.name!r:.60}"
        if isinstance(inside, Batch):
            return checked_actions(self.player.act(Views.of(inside), self._rng), inside.size, who)
        position = inside if isinstance(inside, Position) else inside.position
        if position.over or any(getattr(env, "truncations", {}).values()):  # by a wrapper, as `TimeLimit` does
            return None
        return int(checked_actions(self.player.act(Views.at(position), self._rng), 1, who)[0])

    def __repr__(self) -> str:
        """Its name, and what it plays."""
        return f"<player {self.name!r:.60} of {self._game!r}>"


def _inside(env: Any) -> GameEnv | Batch | Position:
    """What an environment plays on. Raises PlayerError when it is none of ours."""
    inner = getattr(env, "unwrapped", env)
    if isinstance(inner, SingleAgentEnv):
        inner = inner.env.unwrapped
    if isinstance(inner, GameEnv | Position):
        return inner
    batch = inner if isinstance(inner, Batch) else getattr(inner, "batch", None)
    if isinstance(batch, Batch):
        return batch
    raise PlayerError(f"{env!r:.60} is no environment of theogony, no Batch and no Position: players play only there")
