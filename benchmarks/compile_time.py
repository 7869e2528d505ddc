"""CPU seconds until the first decision of a game: rules compiled, read from the cache, and after the edit of one rule.

`python benchmarks/compile_time.py [GAME ...]`. Every figure is a fresh process with a cache of its own, in which Numba
is imported before the clock starts. The edit is made in memory, in a rule that few others call.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from theogony.envs import GAMES

PROGRAM = """
import sys, time
import numpy as np
from theogony.envs import load
from theogony.envs.core import jit
game, edit = sys.argv[1:]
spec = load(game)
if edit == "edit":  # as if its source had changed: another digest for `score`, and so for all that call it
    from theogony.envs.core import digest
    digest._digests[spec.score] = b"edited"
from theogony.envs.core.batch import Batch
from theogony.envs.core.position import Position
started = time.process_time()
position = Position(spec.configure(), 1)
position.play(int(position.legal_actions()[0]))
position.observe(0), position.scores(), position.rewards("rank")
first = time.process_time() - started
batch = Batch(spec.configure(), 8, seed=1, opponents="greedy", seat=0)
batch.step(batch.sample())
print(f"{first:.2f} {time.process_time() - started:.2f}")
"""
KINDS = {"first compilation": "", "from the cache": "", "one rule edited": "edit"}


def seconds(game: str, edit: str, cache: str) -> list[str]:
    """CPU seconds to the first decision and to the first step of a batch, in a new process."""
    command = [sys.executable, "-c", PROGRAM, game, edit]
    done = subprocess.run(
        command, env={**os.environ, "THEOGONY_CACHE_DIR": cache}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def main() -> None:
    """Print a table."""
    print(f"{'CPU seconds':<40}{'first decision':>16}{'and a batch':>16}")
    for game in sys.argv[1:] or GAMES:
        with tempfile.TemporaryDirectory() as cache:
            for kind, edit in KINDS.items():
                single, batch = seconds(game, edit, cache)
                print(f"{game + ', ' + kind:<40}{single:>16}{batch:>16}", flush=True)


if __name__ == "__main__":
    main()
