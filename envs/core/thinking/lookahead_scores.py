"""Lookahead scores: how good one step of lookahead by the game's own `value` finds every action; an input of networks.

It is what the greedy player goes by: each action is tried on a copy resampled for the seat that decides, so it holds
nothing that the seat cannot know. The best action has 0, an average one -1, and none less than `LEAST`.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.memory import copy_record
from theogony.envs.core.rng import mix, seed_bits
from theogony.envs.core.thinking.value_network import OWN_VALUE

if TYPE_CHECKING:
    from theogony.envs.core.batch import Batch
    from theogony.envs.core.position import Position

APART = np.uint64(0x5BD1E9955BD1E995)  # keeps the random numbers of lookahead apart from those that games begin with
LEAST = -4.0  # of the poorest actions, and of those that are not legal


def batch_lookahead(batch: Batch, rows: np.ndarray | None = None) -> np.ndarray:
    """Lookahead scores for the seats that are due in these rows (without: in all), float32 (rows, actions).

    It follows from the batch's seed and the position: asking twice gives the same.
    """
    chosen = np.arange(batch.size) if rows is None else np.array(rows, np.int64)
    seeds = batch.rows["seed"][chosen] ^ batch.rows["episode"][chosen].astype(np.uint64)
    out = np.empty((len(chosen), batch.game.actions.size), np.float32)
    for game, of in batch.games_of(chosen):
        out[of] = _scores(game, batch.states, batch.masks, chosen[of], seeds[of])
    return out


def position_lookahead(position: Position, seed: int = 0) -> np.ndarray:
    """Lookahead scores for the seat that decides, float32 (actions,)."""
    states = position.states[position.now : position.now + 1]
    seeds = np.array([seed_bits(seed)], np.uint64)
    return _scores(position.game, states, position.mask, np.zeros(1, np.int64), seeds)[0]


def _scores(game: Game, states: np.ndarray, masks: np.ndarray, chosen: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    out = np.empty((len(chosen), game.actions.size), np.float32)
    stream, scorer = np.zeros(1, np.uint64), lookahead_kernel(game.spec).lookahead_scores
    scorer(states, game.tables, masks, chosen, seeds, game.scratch(), stream, OWN_VALUE, out)
    return out


@functools.cache
def lookahead_kernel(spec: GameSpec) -> Any:
    """The kernel of a game, `lookahead_scores`: those of position `chosen[j]` into row j of `out`."""
    judge = kernels(spec).judge

    @rule
    def lookahead_scores(states, tables, masks, chosen, seeds, scratch, stream, net, out):
        for j in range(chosen.shape[0]):
            i = chosen[j]
            stream[0] = dice(seeds[j], i, np.int64(states[i].ply))
            judge(states, i, tables, masks[i], scratch, 0, stream, net, True, out[j])
            relate(masks[i], out[j])

    return offered(spec, SimpleNamespace(lookahead_scores=lookahead_scores), ("lookahead_scores",))


@rule
def dice(seed, i, ply):
    """The stream that position i is resampled with. Never one of a game: with its dice the truth would be drawn."""
    return mix(seed ^ APART, i, ply)


@rule
def relate(mask, out):
    """Estimates as differences to the best one, in units of the mean difference."""
    best, total, legal = -np.inf, 0.0, 0
    for action in range(mask.shape[0]):
        if mask[action]:
            best = max(best, np.float64(out[action]))
            total += out[action]
            legal += 1
    mean = best - total / max(legal, 1)
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            out[action] = LEAST
        elif mean > 1e-9:
            out[action] = max((out[action] - best) / mean, LEAST)
        else:
            out[action] = 0.0


# ---- Greedy decisions of many rows of a batch in one compiled call -----------------------------------------------
#
# A row is decided as a position alone would be: on a copy in which what its seat cannot know was drawn anew, and with
# the same random numbers. So it makes no difference to a game whether it was played in a batch or by itself.


def greedy_rows(batch: Batch, rows: np.ndarray, draws: np.ndarray, net: np.ndarray) -> np.ndarray:
    """The best decision by the value `net` for the seats that are due in these rows, int64 (rows,).

    `draws` uint64 (rows, 2): a row thinks with the first, which also decides between equal actions; with the second its
    copy is drawn.
    """
    out, choose = np.empty(len(rows), np.int64), greedy_kernel(batch.game.spec)
    for game, of in batch.games_of(rows):
        room = game.new_states(1), game.scratch(), np.zeros(1, np.uint64)
        chosen = np.empty(len(of), np.int64)
        choose(batch.states, game.tables, batch.masks, rows[of], draws[of], *room, net, chosen)
        out[of] = chosen
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
