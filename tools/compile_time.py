"""CPU seconds until the first decision of a game: rules compiled, read from the cache, and after the edit of one rule.

`python tools/compile_time.py [GAME ...] [--against CHECKOUT]`. Every figure is a fresh process with a cache of its
own, in which Numba is imported before the clock starts. The edit is made in memory, in a rule that few others call.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from theogony.envs import GAMES

PROGRAM = """
import sys, time
import numpy as np
from theogony.envs import load
from theogony.envs.core import jit
game, edit = sys.argv[1:]
spec = load(game)
if edit == "edit":  # as if its source had changed: another digest for `score`, and so for all that call it
    from theogony.envs.core.compile import digest
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


def seconds(python: str, game: str, edit: str, cache: str) -> list[str]:
    """CPU seconds to the first decision and to the first step of a batch, in a new process."""
    environment = {**os.environ, "THEOGONY_CACHE_DIR": cache, "THEOGONY_PREBUILT": ""}
    done = subprocess.run(
        [python, "-c", PROGRAM, game, edit], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--against", type=Path, help="an older checkout with its own .venv, measured in turn")
    given = parser.parse_args()
    pythons = {"": sys.executable}
    if given.against is not None:
        pythons = {"before, ": str(given.against / ".venv/bin/python"), "after, ": sys.executable}
    print(f"{'CPU seconds':<48}{'first decision':>16}{'and a batch':>16}")
    for game in given.games:
        with tempfile.TemporaryDirectory() as cache:
            for kind, edit in KINDS.items():
                for which, python in pythons.items():
                    single, batch = seconds(python, game, edit, f"{cache}/{which}")
                    print(f"{game + ', ' + which + kind:<48}{single:>16}{batch:>16}", flush=True)


if __name__ == "__main__":
    main()
