"""`TianshouBatch`: a batch of games as what a collector of Tianshou steps. Needs `tianshou`."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from gymnasium import spaces

from theogony.console import extras
from theogony.envs.core.contract import check_reset_options
from theogony.envs.core.game import Game
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.wrappers.over_batch import OverBatch, VectorArguments

try:
    from tianshou.data import Batch as Arrays
except ImportError as error:
    raise extras.missing(error) from error


class TianshouBatch(OverBatch):
    """`num_envs` games in one call; the caller plays one seat of each, the opponents the others.

    It has the methods of Tianshou's `BaseVectorEnv` that a `Collector` calls when it collects steps. `arguments` are
    those of the project's `Batch`: `opponents`, `reward`, `threads`, `observation` ("compact" unless it is given) and
    `seat`, which is a number, "random" unless it is given or, in a cooperative game, "all".

    An observation is a `Batch` of Tianshou's with `obs`, codes (n, length), and `mask`, int8 (n, actions); its
    Q-learning reads the mask there.
    """

    is_async = False

    def __init__(
        self, game: Game, num_envs: int, seed: int | None = None, **arguments: Unpack[VectorArguments]
    ) -> None:
        self._begin(game, num_envs, seed, {"observation": "compact", **arguments})
        self.action_space: spaces.Discrete = spaces.Discrete(game.actions.size)

    def __len__(self) -> int:
        """How many games there are."""
        return self.batch.size

    def seed(self, seed: int | None = None) -> list[Any]:
        """Begin anew, from one seed for all games."""
        self._anew(seed)
        return [seed] * len(self)

    def reset(self, env_id: Any = None, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        """(observations, infos) of some games, which have begun anew when they ended; or of all, in new games.

        New games follow from the last seed, unless one is given. Where nobody has stepped yet they are new already.
        Raises OptionError: there are no options.
        """
        check_reset_options(options, self.batch.game)
        if env_id is None and (seed is not None or not self._fresh):
            self.seed(seed)
        rows = np.arange(len(self)) if env_id is None else np.asarray(env_id)
        return self._seen(rows), _nothing(len(rows))

    def step(self, action: Any, id: Any = None) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, Any]:
        """One decision in every game: (observations, rewards, terminated, truncated, infos).

        Where a game has ended, the observation is its last view, in which all is legal: no decision follows. Raises
        IllegalAction with every game as it was, and ValueError when only some games are to be stepped.
        """
        rows = np.arange(len(self))
        if id is not None and not np.array_equal(id, rows):
            raise ValueError("all games are stepped at once: let the collector collect steps, not episodes")
        self._play(action)
        rewards, over = self._rewards(), self.batch.rows["over"]
        ended = np.flatnonzero(over)
        seen = self._seen(rows)
        seen.obs[ended], seen.mask[ended] = self.batch.last_observations[ended], 1
        return seen, rewards, over == ENDED, over == CUT_OFF, _nothing(len(rows))

    def close(self) -> None:
        """There is nothing to close."""

    def _seen(self, rows: np.ndarray) -> Any:
        return Arrays(obs=self.batch.observations[rows], mask=self.batch.masks[rows])


def _nothing(games: int) -> np.ndarray:
    """Empty infos, object (games,)."""
    return np.array([{} for _ in range(games)], object)
