"""Runs that are killed and go on: each must end as one that was never killed, bit by bit.

    python tests/soak/kills.py --count 100

A kill is SIGKILL, at a moment drawn from all that the run does with its files (`moments.py` counts them), or at a time
drawn from its duration. What goes on may be killed again. Runs are processes of their own, forked from one that has
imported everything, so that a kill costs seconds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from theogony.training.storage import checkpoint

HERE = Path(__file__).resolve().parent
CONFIG = HERE / "kills.yaml"
AGAIN = 0.4  # how often a run that goes on is killed once more
PATIENCE = 3600.0  # seconds that a run of a few seconds may take; a busy machine may need many
if str(HERE) not in sys.path:  # for the processes, which import this by its name
    sys.path.insert(0, str(HERE))


@dataclass(frozen=True)
class Whole:
    """The run that was never killed: where it is, how many moments it had and how long it took."""

    folder: Path
    moments: int
    seconds: float


def start(folder: Path, kill_at: int = 0) -> BaseProcess:
    """Begin the run in a process of its own, or go on with it as soon as there is something to go on with."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ready"])
    process = context.Process(target=train, args=(folder, kill_at))
    process.start()
    return process


def train(folder: Path, kill_at: int) -> None:
    """What the process does. How many moments there were, or what went wrong, is written beside the folder."""
    from moments import Moments  # pyright: ignore[reportMissingImports]

    from theogony.training.learning.train import run

    moments = Moments(folder, kill_at)
    sys.stdout = sys.stderr = open(os.devnull, "w")
    moments.install()
    try:
        if (folder / "config.yaml").exists():
            run(None, [], folder)
        else:
            run(CONFIG, [f"folder={folder}"], None)
    except Exception as error:
        _report(folder).write_text(f"{type(error).__name__}: {error}")
        raise
    _report(folder).write_text(str(moments.count))


def _report(folder: Path) -> Path:
    return folder.with_name(f"report-of-{folder.name}")


def ended(process: BaseProcess) -> int:
    """The exit code of a process, waited for. Raises RuntimeError when it does not end."""
    process.join(PATIENCE)
    if process.exitcode is None:
        process.kill()
        raise RuntimeError(f"a run did not end in {PATIENCE:g} seconds")
    return process.exitcode


def whole_run(folder: Path) -> Whole:
    """The run that is not killed. Raises RuntimeError when it fails."""
    ended(start(folder.with_name("first")))  # starts the server of processes, which takes its time
    shutil.rmtree(folder.with_name("first"))
    began = time.monotonic()
    if ended(start(folder)):
        raise RuntimeError(f"the run that was not killed failed: {_report(folder).read_text()}")
    return Whole(folder, int(_report(folder).read_text()), time.monotonic() - began)


def killed_run(folder: Path, whole: Whole, draw: random.Random) -> Counter[str]:
    """A run that is killed and goes on to its end. Raises RuntimeError when it cannot go on, or ends otherwise."""
    counts: Counter[str] = Counter()
    while True:
        kill = not counts["kills"] or draw.random() < AGAIN
        at = draw.randint(1, whole.moments) if kill and draw.random() < 0.7 else 0
        process = start(folder, at)
        if kill and not at:
            process.join(draw.uniform(0, whole.seconds))
            process.kill()
        code = ended(process)
        if code == -signal.SIGKILL:
            counts["kills"] += 1
            counts["at a file" if at else "at a time"] += 1
        elif code:
            raise RuntimeError(f"{folder}: cannot go on after {dict(counts)}: {_report(folder).read_text()}")
        elif not kill:
            break
    difference = differs(folder, whole.folder)
    if difference is not None:
        raise RuntimeError(f"{folder}: {difference} after {dict(counts)}")
    return counts


def differs(one: Path, other: Path) -> str | None:
    """What two runs differ in at their ends, if in anything; the time that they took does not count."""
    paths = [checkpoint.latest(folder) for folder in (one, other)]
    if paths[0].name != paths[1].name:
        return f"the last checkpoint is {paths[0].name} and not {paths[1].name}"
    for name in (checkpoint.POLICY, checkpoint.OPTIMIZER):
        if (paths[0] / name).read_bytes() != (paths[1] / name).read_bytes():
            return f"{name} is another"
    saved = [checkpoint.read(path) for path in paths]
    for name in saved[0].arrays.keys() | saved[1].arrays.keys():
        if saved[0].arrays[name].tobytes() != saved[1].arrays[name].tobytes():
            return f"{name} of the state is another"
    if {**saved[0].numbers, "seconds": 0} != {**saved[1].numbers, "seconds": 0}:
        return "the numbers of the state are others"
    if _metrics(one) != _metrics(other):
        return "the metrics are others"
    if (one / "evaluation.json").read_bytes() != (other / "evaluation.json").read_bytes():
        return "the evaluation is another"
    left = [path.name for path in one.rglob("*.tmp")]
    return f"{left[0]} was left behind" if left else None


def _metrics(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text("utf-8").splitlines()]
    return [{name: value for name, value in line.items() if name not in ("seconds", "cpu")} for line in lines]


def kill_runs(count: int, seed: int, folder: Path) -> dict[str, int]:
    """Kill so many times, runs in this folder being killed as often as it takes. Returns what happened, counted.

    Keys: `kills`, of them `at a file` and `at a time`, and `runs`, all of which ended as the one that was not killed.
    Raises RuntimeError naming the first run that did not; its folder is left as it is.
    """
    draw, counts = random.Random(seed), Counter({"kills": 0, "runs": 0})
    folder.mkdir(parents=True, exist_ok=True)
    whole = whole_run(folder.resolve() / "whole")
    while counts["kills"] < count:
        target = folder.resolve() / f"run-{counts['runs']}"
        counts += killed_run(target, whole, draw)
        counts["runs"] += 1
        shutil.rmtree(target)
    return dict(counts)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="kills")
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(kill_runs(settings.count, settings.seed, Path(folder)))


if __name__ == "__main__":
    main()
