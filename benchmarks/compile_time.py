"""`python benchmarks/compile_time.py [GAME]`: seconds until a first decision, with an empty cache and with a full one.

Compiles what the AEC environment and raw playouts need, in a fresh process each time. The third figure is that of a
process which finds everything but the code of one rule: the game's `value` is replaced by another function.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

PROGRAM = """
import sys, time, dataclasses
started = time.perf_counter()
import numpy as np
from theogony.envs import load
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.position import Position
imported = time.perf_counter()
spec = load(sys.argv[1])
if sys.argv[2] == "edited":
    @rule
    def value(g, t, seat):
        return g.players * 0.5
    spec = dataclasses.replace(spec, value=value)
game = spec.configure({})
position = Position(game, 1)
position.play(int(position.legal_actions()[0]))
k = kernels(spec)
depth = spec.lookahead + 1
scratch, masks = game.new_states(depth), np.zeros((depth, game.actions.size), np.int8)
rng = np.array([1], np.uint64)
k.greedy(position.states, position.now, game.tables, position.mask[0], scratch, masks, 0, rng)
k.playouts(game.new_states(1), 0, game.tables, np.zeros(game.actions.size, np.int8), 0, 1, rng)
print(f"{time.perf_counter() - imported:.2f}")
"""


def main() -> None:
    """Print the three figures."""
    game = sys.argv[1] if len(sys.argv) > 1 else "push_of_faith"
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "THEOGONY_CACHE_DIR": folder}
        for what, argument in (("first compilation", ""), ("from the cache", ""), ("one rule edited", "edited")):
            command = [sys.executable, "-c", PROGRAM, game, argument]
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
            print(f"{game}: {what}: {done.stdout.strip()} s")


if __name__ == "__main__":
    main()
