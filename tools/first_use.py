"""How long it takes until the first decision of a game, and until the first step of a batch, in fresh processes.

    python tools/first_use.py [GAME ...] [--against CHECKOUT]

CPU seconds with rules compiled, read from the cache, and after the edit of one rule, each in a process in which Numba
is imported before the clock starts, with a cache of its own. The edit is made in memory, in a rule that few others
call. CHECKOUT is an older one with its own .venv, measured in turn.

    python tools/first_use.py --wheel dist/theogony-*.whl [GAME ...] [--no-compiling] [--libraries FOLDER]

Seconds from an installed wheel. It is installed into a new environment outside of any checkout, and every game starts
in a process of its own with an empty home. `--no-compiling` fails when a rule is compiled on the way. `--libraries` is
a `site-packages` whose libraries are used instead of downloading them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from theogony.envs import GAMES

FROM_WHEEL = """
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
FROM_CHECKOUT = """
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


def said(command: list[str | Path], **where: object) -> list[str]:
    """Return the words that a process prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True, **where).stdout.split()  # pyright: ignore[reportArgumentType, reportCallIssue]


def from_checkouts(games: list[str], against: Path | None) -> None:
    """Print a table of this checkout, and of another one."""
    pythons = {"": Path(sys.executable)}
    if against is not None:
        pythons = {"before, ": against / ".venv/bin/python", "after, ": Path(sys.executable)}
    print(f"{'CPU seconds':<48}{'first decision':>16}{'and a batch':>16}")
    for game in games:
        with tempfile.TemporaryDirectory() as cache:
            for kind, edit in KINDS.items():
                for which, python in pythons.items():
                    own = {**os.environ, "THEOGONY_CACHE_DIR": f"{cache}/{which}", "THEOGONY_PREBUILT": ""}
                    single, batch = said([python, "-c", FROM_CHECKOUT, game, edit], env=own)
                    print(f"{game + ', ' + which + kind:<48}{single:>16}{batch:>16}", flush=True)


def install(wheel: Path, folder: Path, libraries: Path | None) -> Path:
    """Install a wheel into a new environment. Returns its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    alone = []
    if libraries is not None:
        inside = said([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])[0]
        Path(inside, "libraries.pth").write_text(f"{libraries}\n")
        alone = ["--no-deps", "--no-index"]
    subprocess.run([python, "-m", "pip", "install", "-q", *alone, str(wheel)], check=True)
    return python


def from_wheel(wheel: Path, games: list[str], libraries: Path | None) -> int:
    """Print a table. Returns how many rules were compiled."""
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        python = install(wheel.resolve(), Path(folder, "clean"), libraries)
        print(f"{'seconds':<16}{'first decision':>16}{'and a batch':>14}{'CPU':>8}{'compiled':>10}")
        for game in games:
            with tempfile.TemporaryDirectory() as home:
                own = {"PATH": os.defpath, "HOME": home}
                first, batch, processor, compiled = said([python, "-c", FROM_WHEEL, game], env=own, cwd=home)
            print(f"{game:<16}{first:>16}{batch:>14}{processor:>8}{compiled:>10}", flush=True)
            total += int(compiled)
    return total


def main() -> None:
    """Print a table; exit with 1 when rules were compiled that should not be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--no-compiling", action="store_true")
    parser.add_argument("--libraries", type=Path)
    given = parser.parse_args()
    if given.wheel is None:
        return from_checkouts(given.games, given.against)
    sys.exit(1 if from_wheel(given.wheel, given.games, given.libraries) and given.no_compiling else 0)


if __name__ == "__main__":
    main()
