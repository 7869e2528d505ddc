"""Where a decision in a batch goes, in nanoseconds on one thread: `python tools/batch.py [GAME ...]`.

2,048 games in the middle of random play, all seats the caller's. `step` is the whole of it, without drawing the
action; then come parts of it alone, over the same positions: clearing and writing observations, masks, and the decision
itself on a copy that is in the cache. Each is the best of many, since other work on the machine only adds.

The last two tell what observations wait for: `one row` writes those of all games into the same row, so that rows cost
no memory; `32 games` are those of the same few again and again, whose positions are in the cache and whose branches
the processor has learnt.
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable

import numpy as np

from theogony.envs import GAMES, load
from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.kernels import CALLER
from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.memory import borrowed, clear_record, copy_record

SIZE, REPEATS = 2048, 150
COLUMNS = ("step", "sample", "observe", "legal", "apply", "one row", "32 games")


def parts(spec: GameSpec) -> tuple[Callable[..., None], Callable[..., None], Callable[..., None]]:
    """Parts of a step over all rows: observations of the first `games` into the first `rows`, masks, decisions."""
    legal, observe, advance = spec.legal, spec.observe, kernels(spec).advance

    @rule
    def observations(b, games, rows):
        b = borrowed(b)
        for i in range(b.states.shape[0]):
            g = b.states[i % games]
            clear_record(b.features, i % rows)
            observe(g, b.tables[0], g.actor, b.features[i % rows])

    @rule
    def masks(b):
        b = borrowed(b)
        for i in range(b.states.shape[0]):
            b.masks[i, :] = 0
            legal(b.states[i], b.tables[0], b.masks[i])

    @rule
    def decisions(b, actions, spare, taken):
        b = borrowed(b)
        for i in range(b.states.shape[0]):
            copy_record(spare, 0, b.states, i)
            if taken:
                advance(spare[0], b.tables[0], actions[i])

    return observations, masks, decisions


def best(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """Return nanoseconds a game of the fastest call."""
    return 1e9 * min(timeit.repeat(work, before, number=1, repeat=REPEATS)) / SIZE


def line(spec: GameSpec) -> list[float]:
    """The figures of a game, as in COLUMNS."""
    game = spec.configure()
    batch = Batch(game, SIZE, seed=1)
    for _ in range(400):
        batch.step(batch.sample())
    observations, masks, decisions = parts(spec)
    actions, spare, arrays = batch.sample(), game.new_states(1), batch._arrays
    kept = [array.copy() for array in (batch.states, batch.rows, batch.masks)]

    def restore() -> None:
        for array, before in zip((batch.states, batch.rows, batch.masks), kept, strict=True):
            array.view(np.uint8)[:] = before.view(np.uint8)

    step = best(lambda: batch._kernels.batch_step(arrays, actions, CALLER, 0, 0, SIZE), restore)
    restore()
    copies = best(lambda: decisions(arrays, actions, spare, False))
    return [
        step,
        best(batch.sample),
        best(lambda: observations(arrays, SIZE, SIZE)),
        best(lambda: masks(arrays)),
        best(lambda: decisions(arrays, actions, spare, True)) - copies,
        best(lambda: observations(arrays, SIZE, 1)),
        best(lambda: observations(arrays, 32, 1)),
    ]


def main() -> None:
    """Print a table."""
    print(f"{'ns a decision':<16}" + "".join(f"{name:>10}" for name in COLUMNS))
    for name in sys.argv[1:] or GAMES:
        print(f"{name:<16}" + "".join(f"{found:>10.0f}" for found in line(load(name))), flush=True)


if __name__ == "__main__":
    main()
