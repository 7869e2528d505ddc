"""The kernels of a batch as a device runs them: each thread plays the row of its number."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from theogony.envs.core.batches.kernels import ALL_SEATS, CALLER, OPPONENT, ROW, BatchArrays, batch_kernels
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.memory import borrowed
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.sampling import sample_rows
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.web.calls import Call

SAMPLER = 1  # as in `core/batch.py`


@functools.cache
def cuda_kernels(spec: GameSpec) -> Any:
    """`reset`, `step` and `sample` of rows first..last, `s` the first scratch row of the slice.

    `illegal` has a flag a row: a row whose action is not legal stays as it was, and is flagged.
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
            if legal:
                take(b, actions, CALLER, s, i, i + 1)
            else:
                illegal[i] = 1

    @rule
    def sample(b, streams, actions, s, first, last):
        """A uniformly drawn legal action for every row, from its own stream."""
        sample_rows(b.masks, streams, actions, first, last)

    return offered(spec, SimpleNamespace(reset=reset, step=step, sample=sample), ("reset", "step", "sample"))


def arrays(game: Game, size: int, seat_mode: int = ALL_SEATS, reward: int = 0, greed: float = 0.0) -> BatchArrays:
    """What the kernels of so many games work on, all zeros; the opponents are one player, greedy so often."""
    opponents = np.zeros(1, OPPONENT)
    opponents["cumulative"], opponents["controller"], opponents["greed"] = 1.0, -1, greed
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
        opponents=opponents,
        nets=OWN_VALUE,
        net_ends=np.zeros(1, np.int64),
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
