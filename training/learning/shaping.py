"""Potential-based shaping: the game's own `value` of a position, paid out as it changes.

Adding `gamma * potential(next) - potential(now)` to the reward leaves the best policy what it is (Ng, Harada and
Russell 1999), and tells the learner at once what a decision was worth. At the end the potential is zero.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_record
from theogony.envs.core.record import CUT_OFF


class Shaping:
    """Shaping rewards for the seat of the learner in every row of a batch; for seat 0 where it plays a whole team."""

    def __init__(self, batch: Batch, weight: float, gamma: float, goes_on: bool = True) -> None:
        self.batch, self.weight, self.gamma, self.goes_on = batch, weight, gamma, goes_on
        self._kernel = _potentials(batch.game.spec)
        self._scratch = batch.game.new_states(1)
        self._now = np.zeros(batch.size, np.float32)

    def begin(self) -> None:
        """Take the positions as they are for the start."""
        self._now = self.potentials()

    def step(self, dones: np.ndarray) -> np.ndarray:
        """The shaping reward of the step just made, float32 (size,); `dones` says where a game has ended.

        Where a game that was cut off would go on, its last position keeps its potential.
        """
        then, cut = self.potentials(), self.goes_on & (self.batch.rows["over"] == CUT_OFF)
        gained = self.gamma * np.where(cut, self.batch.last_worth, np.where(dones, 0, then)) - self._now
        self._now = then
        return self.weight * gained.astype(np.float32)

    def potentials(self) -> np.ndarray:
        """The game's value of every position for the learner's seat, float32 (size,)."""
        out = np.zeros(self.batch.size, np.float32)
        batch = self.batch
        self._kernel(batch.states, batch.game.tables, batch.packs(), batch.rows, self._scratch, out)
        return out


@functools.cache
def _potentials(spec: GameSpec) -> Any:
    value = spec.value

    @rule
    def potentials(states, tables, packs, rows, scratch, out):
        """The value of each position for the seat of its learner; `value` may write on a position, so on a copy."""
        for i in range(out.shape[0]):
            copy_record(scratch, 0, states, i)
            out[i] = value(scratch[0], tables[packs[i]], max(np.int64(rows[i].learner), np.int64(0)))

    return potentials
