"""The kernels of a batch as a device runs them: each thread plays the row of its number."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from theogony.envs.core.batch import SAMPLER
from theogony.envs.core.batches.arguments import OpponentTable
from theogony.envs.core.batches.kernels import ALL_SEATS, CALLER, ROW, BatchArrays, batch_kernels
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.memory import borrowed
from theogony.envs.core.record import RUNNING
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.sampling import sample_rows
from theogony.web.calls import Call


@functools.cache
def cuda_kernels(spec: GameSpec) -> Any:
    """`reset`, `step` and `sample` of rows first..last, `s` the first scratch row of the slice.

    `illegal` has a flag a row, set where the action was not legal: that game stays as it was.
    """
    batch = batch_kernels(spec)
    start, take = batch.batch_start, batch.batch_step

    @rule
    def reset(b, streams, seed, s, first, last):
        """Begin a game in every row, and the stream from which its actions are drawn."""
        for i in range(first, last):
            streams[i] = mix(seed, i, SAMPLER)
        start(b, seed, s, first, last)

    @rule
    def step(b, actions, illegal, s, first, last):
        """One decision of the caller in every row; a game that ends is followed by the next."""
        b = borrowed(b)
        for i in range(first, last):
            action = actions[i]
            legal = 0 <= action < b.masks.shape[1]
            if legal:
                legal = b.masks[i, action] != 0
            illegal[i] = not legal
            if legal:
                take(b, actions, CALLER, s, i, i + 1)
            else:
                b.rows[i].over = RUNNING

    @rule
    def sample(b, streams, actions, s, first, last):
        """A uniformly drawn legal action for every row, from its own stream."""
        sample_rows(b.masks, streams, actions, first, last)

    return offered(spec, SimpleNamespace(reset=reset, step=step, sample=sample), ("reset", "step", "sample"))


def arrays(
    game: Game, size: int, seat_mode: int = ALL_SEATS, reward: int = 0, others: OpponentTable | None = None
) -> BatchArrays:
    """What the kernels of so many games work on: zeros, but for the tables and the opponents."""
    others = others or OpponentTable()
    nets, net_ends = others.nets()
    codes, last_codes = np.zeros((2, size, game.features.length), np.uint8)
    return BatchArrays(
        states=game.new_states(size),
        tables=game.tables,
        rows=np.zeros(size, ROW),
        packs=np.zeros(size, np.uint32),
        features=game.features.records(codes),
        masks=np.zeros((size, game.actions.size), np.int8),
        last_features=game.features.records(last_codes),
        last_worth=np.zeros(size),
        opponents=others.records,
        nets=nets,
        net_ends=net_ends,
        scratch=game.scratch(size),
        seat_mode=seat_mode,
        reward=reward,
    )


def calls(game: Game) -> dict[str, Call]:
    """The kernels of a device, with arguments of the types that they get."""
    k, b = cuda_kernels(game.spec), arrays(game, 1)
    actions, illegal, streams = np.zeros(1, np.int64), np.zeros(1, np.int8), np.zeros(1, np.uint64)
    return {
        "reset": Call(k.reset, (b, streams, np.uint64(0), 0, 0, 0)),
        "step": Call(k.step, (b, actions, illegal, 0, 0, 0)),
        "sample": Call(k.sample, (b, streams, actions, 0, 0, 0)),
    }
