"""The kernels of a batch as a device runs them: each thread plays the row of its number.

While it plays, a thread has its game in memory of its own (`WORDS`), which a device lays out so that threads that do
the same at once touch neighbouring bytes. In the memory between two kernels, word w of all games lies together, for
the same reason.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.batch import SAMPLER
from theogony.envs.core.batches.kernels import CALLER, batch_kernels
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.memory import borrowed
from theogony.envs.core.portable.layouts import flat_kinds, kind_of
from theogony.envs.core.record import RUNNING
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.sampling import sample_rows
from theogony.web.calls import Call, batch_arrays

# The arrays of `BatchArrays` that a thread has in memory of its own, and the bytes of their words; 0: scratch, which is
# nowhere else. Codes and masks are bytes, so that a tensor shows them without a copy.
WORDS = {"states": 8, "rows": 8, "features": 1, "masks": 1, "scratch.states": 0, "scratch.masks": 0}
SCRATCH = {name for name, word in WORDS.items() if not word}
ADDRESS = 4  # of the numbers of an array (`layouts.flattened`), that which is its address
GAME, SEEN = {"states", "rows", "masks"}, {"features"}
# By kernel: what a thread fetches before it plays, and what it writes back.
MOVED = {
    "reset": (set(), GAME | SEEN),
    "step": (GAME, GAME | SEEN),
    "play": (GAME, GAME | SEEN),
    "sample": ({"masks"}, set()),
}


class Own(NamedTuple):
    """An array that a thread has in memory of its own: `place` is that of its address among the flat arguments."""

    place: int
    bytes: int
    word: int  # bytes; 0: it is scratch
    fetched: bool
    back: bool


@functools.cache
def cuda_kernels(spec: GameSpec) -> Any:
    """`reset`, `step`, `play` and `sample` of rows first..last, `s` the first scratch row of the slice.

    `illegal` has a flag a row, set where the action was not legal: that game stays as it was.
    """
    batch = batch_kernels(spec)
    start, take, play_on, refresh = batch.batch_start, batch.batch_step, batch.batch_play, kernels(spec).refresh

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
                refresh(b.states[i], b.tables[b.packs[i]], b.features, b.masks, i)

    @rule
    def play(b, streams, decisions, s, first, last):
        """So many random decisions of the caller in every row."""
        play_on(b, streams, decisions, s, first, last)

    @rule
    def sample(b, streams, actions, s, first, last):
        """A uniformly drawn legal action for every row, from its own stream."""
        sample_rows(b.masks, streams, actions, first, last)

    found = SimpleNamespace(reset=reset, step=step, play=play, sample=sample)
    return offered(spec, found, tuple(vars(found)))


def calls(game: Game) -> dict[str, Call]:
    """The kernels of a device, with arguments of the types that they get."""
    k, b = cuda_kernels(game.spec), batch_arrays(game, 1)
    actions, illegal, streams = np.zeros(1, np.int64), np.zeros(1, np.int8), np.zeros(1, np.uint64)
    return {
        "reset": Call(k.reset, (b, streams, np.uint64(0), 0, 0, 0)),
        "step": Call(k.step, (b, actions, illegal, 0, 0, 0)),
        "play": Call(k.play, (b, streams, 0, 0, 0, 0)),
        "sample": Call(k.sample, (b, streams, actions, 0, 0, 0)),
    }


def own_arrays(name: str, call: Call) -> list[Own]:
    """The arrays that a thread of a kernel has in memory of its own; `call` is of one row."""
    fetched, back = MOVED[name]
    return [
        Own(place, array.nbytes, WORDS[which], which in fetched, which in back)
        for which, array, place in _arrays(call.arguments[0])
        if which in fetched | back or (back and which in SCRATCH)
    ]


def _arrays(values: Any, place: int = 0, before: str = "") -> Iterator[tuple[str, np.ndarray, int]]:
    """The arrays of a named tuple, and the places of their addresses among its flat numbers."""
    for name, value in values._asdict().items():
        if isinstance(value, tuple):
            yield from _arrays(value, place, f"{before}{name}.")
        elif isinstance(value, np.ndarray):
            yield before + name, value, place + ADDRESS
        place += len(list(flat_kinds([kind_of(value)])))
