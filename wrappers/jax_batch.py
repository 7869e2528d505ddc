"""`JaxBatch`: a batch of games for learners written in JAX. Needs `jax`."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np

from theogony.console import extras
from theogony.envs.core.game import Game
from theogony.envs.core.record import ENDED, RUNNING
from theogony.wrappers.over_batch import OverBatch, VectorArguments

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise extras.missing(error) from error

ALIGNMENT = 64  # bytes: JAX takes over memory that begins at a multiple, and copies other memory


class Step(NamedTuple):
    """What all games gave, in the sense of dm_env's `TimeStep`; the first axis is games.

    A game that ends is followed by the next in the same step, so where `last` is set, `rewards` and `discounts` belong
    to the game that is over, `observations` and `masks` to the one that begins.
    """

    observations: jax.Array  # uint8 codes, or float32, (n, length)
    masks: jax.Array  # bool (n, actions): what is legal
    rewards: jax.Array  # float32 (n,)
    discounts: jax.Array  # float32 (n,): 0 where a game was ended by its rules, 1 elsewhere
    last: jax.Array  # bool (n,): a game has ended, or was truncated


class JaxBatch(OverBatch):
    """`num_envs` games in one call; the caller plays one seat of each, the opponents the others.

    `arguments` are those of `Batch`: `opponents`, `reward`, `threads`, `observation` ("compact" unless it is given)
    and `seat`, which is a number, "random" unless it is given or, in a cooperative game, "all". What a step gives is
    written once, into memory that JAX takes over through DLPack: on the CPU nothing is copied on the way, and no later
    step changes it. On other devices JAX moves it there.
    """

    def __init__(
        self, game: Game, num_envs: int, seed: int | None = None, **arguments: Unpack[VectorArguments]
    ) -> None:
        self._begin(game, num_envs, seed, {"observation": "compact", **arguments})
        self.num_envs: int = self.batch.size

    def reset(self, seed: int | None = None) -> Step:
        """New games in all rows, from one seed for all. Without one they follow from the last. Raises TypeError."""
        if seed is not None or not self._fresh:
            self._anew(seed)
        self._fresh = False
        nothing = np.zeros(self.num_envs, np.float32)
        return self._step(nothing, np.zeros(self.num_envs, bool), nothing == 0)

    def step(self, actions: Any) -> Step:
        """One decision of the caller in every row; `actions` are integers (n,), of JAX or of NumPy.

        Raises IllegalAction, with every game as it was.
        """
        self._play(actions)
        over = self.batch.rows["over"]
        return self._step(self._rewards(), over != RUNNING, over != ENDED)

    def final_observations(self) -> jax.Array:
        """The caller's last views of the games that ended in the last step, (n, length); of use where they were
        truncated."""
        return hand_over(self.batch.last_observations)

    def _step(self, rewards: np.ndarray, last: np.ndarray, goes_on: np.ndarray) -> Step:
        return Step(
            hand_over(self.batch.observations),
            hand_over(self.batch.masks.view(bool)),
            hand_over(rewards, np.float32),
            hand_over(goes_on, np.float32),
            hand_over(last),
        )


def hand_over(array: np.ndarray, dtype: Any = None) -> jax.Array:
    """A JAX array of what stands in an array now, on the default device."""
    given = jnp.from_dlpack(aligned(array, dtype or array.dtype))
    return given if jax.default_backend() == "cpu" else jax.device_put(given, jax.devices()[0])


def aligned(array: np.ndarray, dtype: Any) -> np.ndarray:
    """A copy in memory of its own that JAX can take over."""
    size = array.size * np.dtype(dtype).itemsize
    memory = np.empty(size + ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    copy = memory[begin : begin + size].view(dtype).reshape(array.shape)
    copy[...] = array
    return copy
