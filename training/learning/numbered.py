"""What self-play (`selfplay.py`), teaching (`teaching.py`) and searched games (`searching.py`) share.

A game follows from its number and from those who play it, so that it does not matter which thread plays it: a run
learns the same with any number of threads, and the games that a checkpoint interrupts are played again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.rng import uniform
from theogony.envs.core.thinking.planning import Beam, make_beam
from theogony.envs.core.thinking.scratch import Scratch

CHUNK = 4  # games that a thread plays at a time
ROOM = 512  # decisions of such games to begin with; more is made when it is used up
Part = TypeVar("Part")


class Desk(NamedTuple):
    """What a thread plays its games on."""

    state: np.ndarray  # one record: the game
    tables: np.ndarray
    mask: np.ndarray  # int8 (actions,)
    scratch: Scratch
    values: np.ndarray  # float64 (actions,): what each is worth
    beam: Beam  # what plans are made in


def make_desk(game: Game, width: int = 1) -> Desk:
    """A desk for one thread, with plans of such a width at most."""
    mask, values = np.zeros(game.actions.size, np.int8), np.zeros(game.actions.size)
    return Desk(game.new_states(1), game.tables, mask, game.scratch(), values, make_beam(game, width))


@rule
def best_with_noise(mask, values, noise, stream):
    """The legal action of the highest value; `noise` above 0 is the scale of Gumbel noise that is added to values."""
    chosen, most = -1, -np.inf
    for action in range(mask.shape[0]):
        if mask[action]:
            estimate = np.float64(values[action])
            if noise > 0.0:
                estimate -= noise * np.log(-np.log(uniform(stream) + 1e-300) + 1e-300)
            if chosen < 0 or estimate > most:
                chosen, most = action, estimate
    return chosen


@rule
def count(mask):
    """The number of legal actions."""
    choices = 0
    for action in range(mask.shape[0]):
        choices += mask[action]
    return choices


class NumberedGames:
    """Threads that play games by number."""

    def __init__(self, threads: int, name: str) -> None:
        self.threads, self.stopped = threads, False
        self._pool = ThreadPoolExecutor(threads, name)

    def parts(self, play: Callable[[int, int], Part], first: int, count: int, chunk: int = CHUNK) -> list[Part]:
        """What `play(first, last)` gives for all parts of so many games, in their order."""
        cuts = itertools.pairwise([*range(first, first + count, chunk), first + count])
        return list(self._pool.map(lambda cut: play(*cut), cuts))

    def stop(self) -> None:
        """End the threads, at the next whole games."""
        self.stopped = True
        self._pool.shutdown(wait=True)
