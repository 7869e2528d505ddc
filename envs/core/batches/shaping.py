"""Potential-based shaping: what a position is worth, paid out as it changes.

Adding `gamma * potential(next) - potential(now)` to the reward leaves the best policy what it is (Ng, Harada and
Russell 1999), and tells the learner at once what a decision was worth. At the end the potential is zero.

The potential is a kind of reward (`margin`, `rank`, `progress`, `points`), as if the game ended now: that is known by
the rules alone. With `value` it is the game's own value, by which the greedy player plays: knowledge of how to play.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game, GameSpec, OptionError
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.memory import copy_record
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED, SEATS
from theogony.envs.core.rewards import POINTS

OWN_VALUE = "value"


class Shaping:
    """Shaping rewards for the seat of the learner in every row of a batch; for seat 0 where it plays a whole team.

    Args:
        batch: the games.
        kind: the potential, `value` or a kind of reward that the game pays. Raises OptionError for another.
        gamma: discount.
        goes_on: whether a game that was truncated keeps a potential, since it would go on.
    """

    def __init__(self, batch: Batch, kind: str, gamma: float, goes_on: bool = True) -> None:
        self.batch, self.gamma, self.goes_on = batch, gamma, goes_on
        self.is_value = kind == OWN_VALUE
        self._potential = Potential(batch.game, kind)
        self._now = np.zeros(batch.size, np.float32)

    def begin(self) -> None:
        """Take the positions as they are for the start."""
        self._now = self.potentials()

    def step(self, dones: np.ndarray) -> np.ndarray:
        """The shaping reward of the step just made, float32 (size,); `dones` says where a game has ended.

        Where a game that was truncated would go on, its last position keeps its value, or the potential that it had
        when the learner decided.
        """
        then, cut = self.potentials(), self.goes_on & (self.batch.rows["over"] == CUT_OFF)
        kept = self.batch.last_worth if self.is_value else self._now
        gained = self.gamma * np.where(cut, kept, np.where(dones, 0, then)) - self._now
        self._now = then
        return gained.astype(np.float32)

    def potentials(self) -> np.ndarray:
        """The potential of every position for the learner's seat, float32 (size,)."""
        batch = self.batch
        return self._potential.of(batch.states, batch.packs(), np.maximum(batch.rows["learner"], 0))


class Potential:
    """What positions of a game are worth to a seat, by `value` or by a kind of reward. Raises OptionError."""

    def __init__(self, game: Game, kind: str) -> None:
        self.game = game
        if kind != OWN_VALUE and kind not in game.spec.rewards:
            known = ", ".join(("none", OWN_VALUE, *game.spec.rewards))
            raise OptionError(f"{game.spec.name}: shaping={kind!r} is not one of {known}")
        self._kind = -1 if kind == OWN_VALUE else game.spec.reward_index(kind)
        self._kernel = _potentials(game.spec)
        self._room = game.new_states(1), np.zeros((2, SEATS))

    def of(self, states: np.ndarray, packs: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The potential of positions (n,) for a seat of each (n,), float32 (n,); `packs` are rows of `game.tables`."""
        out = np.zeros(len(states), np.float32)
        self._kernel(states, self.game.tables, packs, seats.astype(np.int64), self._kind, *self._room, out)
        return out

    def here(self, position: Position) -> float:
        """The potential of a position for the seat that decides."""
        state = position.states[position.now : position.now + 1]
        return float(self.of(state, np.zeros(1, np.int64), np.array([position.actor]))[0])


@functools.cache
def _potentials(spec: GameSpec) -> Any:
    value, score, rewards, par = spec.value, spec.score, kernels(spec).rewards, spec.par or 0.0

    @rule
    def potentials(states, tables, packs, seats, kind, scratch, pay, out):
        """The potential of each position for a seat; on a copy, since `value` may write on it."""
        for i in range(out.shape[0]):
            copy_record(scratch, 0, states, i)
            pack = packs[i]
            if kind < 0:
                out[i] = value(scratch[0], tables[pack], seats[i])
            elif kind == POINTS:  # as they are, whatever a game's outlook expects
                score(scratch[0], tables[pack], pay[0])
                out[i] = min(max((pay[0, seats[i]] - par) / tables[pack].scale, -1.0), 1.0)
            else:
                scratch[0].over = ENDED
                rewards(scratch, 0, tables[pack : pack + 1], kind, pay[0], pay[1])
                out[i] = pay[1, seats[i]]

    return potentials
