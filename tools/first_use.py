"""Seconds from an installed wheel to the first decision of a game, and to the first step of a batch with opponents.

    python tools/first_use.py dist/theogony-*.whl [GAME ...] [--no-compiling] [--libraries FOLDER]

The wheel is installed into a new environment outside of any checkout, and every game starts in a process of its own
with an empty home. `--no-compiling` fails when a rule is compiled on the way. `--libraries` is a `site-packages` whose
libraries are used instead of downloading them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

GAMES = ("push_of_faith", "orbis", "innovation", "terra_mystica", "god_of_war")
PROGRAM = """
import sys, time
import numpy as np
started = time.perf_counter()
import theogony
from theogony.envs import load
from theogony.envs.core.batch import Batch
env = theogony.make(sys.argv[1])
env.reset(seed=1)
env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
first = time.perf_counter() - started
batch = Batch(load(sys.argv[1]).configure(), 64, seed=1, opponents="greedy", seat=0)
batch.step(batch.sample())
from theogony.envs.core.compile.progress import COMPILING
print(f"{first:.2f} {time.perf_counter() - started:.2f} {time.process_time():.2f} {COMPILING.done}")
"""


def install(wheel: Path, folder: Path, libraries: Path | None) -> Path:
    """A new environment with the wheel. Returns its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    if libraries is not None:
        inside = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                                capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip
        Path(inside, "libraries.pth").write_text(f"{libraries}\n")
    alone = ["--no-deps", "--no-index"] if libraries is not None else []
    subprocess.run([python, "-m", "pip", "install", "-q", *alone, str(wheel)], check=True)
    return python


def measure(python: Path, game: str, home: str) -> tuple[float, float, float, int]:
    """Seconds to the first decision, to the first step of a batch, of the processor; rules that were compiled."""
    environment = {"PATH": os.defpath, "HOME": home}
    done = subprocess.run(
        [python, "-c", PROGRAM, game], env=environment, cwd=home, capture_output=True, text=True, check=True
    )
    first, batch, processor, compiled = done.stdout.split()
    return float(first), float(batch), float(processor), int(compiled)


def main() -> None:
    """Print a table; exit with 1 when rules were compiled that should not be."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--no-compiling", action="store_true")
    parser.add_argument("--libraries", type=Path)
    given = parser.parse_args()
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        python = install(given.wheel.resolve(), Path(folder, "clean"), given.libraries)
        print(f"{'seconds':<16}{'first decision':>16}{'and a batch':>14}{'CPU':>8}{'compiled':>10}")
        for game in given.games:
            with tempfile.TemporaryDirectory() as home:
                first, batch, processor, compiled = measure(python, game, home)
            print(f"{game:<16}{first:>16.2f}{batch:>14.2f}{processor:>8.2f}{compiled:>10}", flush=True)
            total += compiled
    sys.exit(1 if given.no_compiling and total else 0)


if __name__ == "__main__":
    main()
