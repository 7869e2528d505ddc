"""Reads damaged files of a kind, each made from a sound one by a few changes.

`python damage.py KIND FOLDER SEED FIRST COUNT` writes and reads the files FIRST to COUNT of a kind, one after another,
and prints a line for each: it is run as a process of its own, so that a crash is seen. A file that takes longer than
`PATIENCE` of a processor, or is waited for longer than `WAITED`, ends the process.
"""

from __future__ import annotations

import faulthandler
import os
import random
import shutil
import signal
import sys
from pathlib import Path

from changes import damage
from kinds import KINDS, Kind

PATIENCE = 20.0  # seconds of a processor that reading a file may take
WAITED = 900.0  # seconds of the clock, of which a busy machine may take many


def read_damaged(kind: Kind, folder: Path, seed: int) -> str:
    """Make one damaged file, and read it: "read", "refused: ..." or "FAILED: ..."."""
    place = folder / "one"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    path = kind.make(place, seed)
    damage(path, random.Random(seed))
    faulthandler.dump_traceback_later(WAITED, exit=True)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)  # the signal ends the process
    try:
        kind.read(path)
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        own = type(error).__name__ in kind.refusals
        return f"refused: {said}" if own else f"FAILED: {said}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        faulthandler.cancel_dump_traceback_later()
    return "read"


def main(name: str, folder: str, seed: str, first: str, count: str) -> None:
    """A line "begin K" and a line with what came of it, for every file."""
    faulthandler.register(signal.SIGPROF, chain=True)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a reader prints must not mix with the results
    for k in range(int(first), int(count)):
        print(f"begin {k}", file=out, flush=True)
        print(read_damaged(KINDS[name], Path(folder), 1_000_000 * int(seed) + k), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
