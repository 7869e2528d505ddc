"""Greedy decisions of many rows of a batch in one compiled call.

A row is decided as a position alone would be: on a copy in which what its seat cannot know was drawn anew, and with the
same random numbers. So it makes no difference to a game whether it was played in a batch or by itself.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.memory import copy_record

if TYPE_CHECKING:
    from theogony.envs.core.batch import Batch


def greedy_rows(batch: Batch, rows: np.ndarray, draws: np.ndarray, net: np.ndarray) -> np.ndarray:
    """The best decision by the value `net` for the seats that are due in these rows, int64 (rows,).

    `draws` uint64 (rows, 2): a row thinks with the first, which also decides between equal actions; with the second its
    copy is drawn.
    """
    out = np.empty(len(rows), np.int64)
    for game, of in batch.games_of(rows):
        out[of] = _chosen(game, batch.states, batch.masks, rows[of], draws[of], net)
    return out


def _chosen(
    game: Game, states: np.ndarray, masks: np.ndarray, rows: np.ndarray, draws: np.ndarray, net: np.ndarray
) -> np.ndarray:
    out, stream = np.empty(len(rows), np.int64), np.zeros(1, np.uint64)
    choose = greedy_kernel(game.spec)
    choose(states, game.tables, masks, rows, draws, game.new_states(1), game.scratch(), stream, net, out)
    return out


@functools.cache
def greedy_kernel(spec: GameSpec) -> Any:
    """The kernel of a game: the decision of position `rows[j]` into `out[j]`."""
    resample, choose = kernels(spec).resample, kernels(spec).choose

    @rule
    def greedy_rows(states, tables, masks, rows, draws, copy, scratch, stream, net, out):
        for j in range(rows.shape[0]):
            copy_record(copy, 0, states, rows[j])
            stream[0] = draws[j, 1]
            resample(copy, 0, tables, np.int64(copy[0].actor), stream)
            stream[0] = draws[j, 0]
            out[j] = choose(copy, 0, tables, masks[rows[j]], scratch, 0, 1.0, stream, net)

    return greedy_rows
