"""Runs that are killed and go on: each must end as one that was never killed, bit by bit.

    python benchmarks/soak/kills.py --count 100

A kill is SIGKILL, at a moment drawn from all that the run does with its files (`hook/sitecustomize.py` counts them), or
at a time drawn from its duration. What goes on may be killed again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theogony.training import checkpoint

HERE = Path(__file__).parent
CONFIG, HOOK = HERE / "kills.yaml", HERE / "hook"
AGAIN = 0.4  # how often a run that goes on is killed once more
PATIENCE = 600.0  # seconds that a run may take


@dataclass(frozen=True)
class Whole:
    """The run that was never killed: where it is, how many moments it had and how long it took."""

    folder: Path
    moments: int
    seconds: float


def start(folder: Path, arguments: list[str], kill_at: int = 0, count: Path | None = None) -> subprocess.Popen[str]:
    """`theogony train` in a process of its own."""
    paths = [str(HOOK), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "KILL_FOLDER": str(folder), "KILL_AT": str(kill_at)}
    if count is not None:
        env["KILL_COUNT"] = str(count)
    command = [sys.executable, "-m", "theogony.training.train", *arguments]
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def arguments_for(folder: Path) -> list[str]:
    """Begin the run, or go on with it as soon as there is something to go on with."""
    if (folder / "config.yaml").exists():
        return ["--resume", str(folder)]
    return [str(CONFIG), f"folder={folder}"]


def whole_run(folder: Path) -> Whole:
    """The run that is not killed. Raises RuntimeError when it fails."""
    count, began = folder.with_name("moments"), time.monotonic()
    process = start(folder, arguments_for(folder), count=count)
    if process.wait(PATIENCE):
        raise RuntimeError(f"the run that was not killed failed: {_said(process)}")
    return Whole(folder, int(count.read_text()), time.monotonic() - began)


def killed_run(folder: Path, whole: Whole, draw: random.Random) -> Counter[str]:
    """A run that is killed and goes on to its end. Raises RuntimeError when it cannot go on, or ends otherwise."""
    counts: Counter[str] = Counter()
    while True:
        kill = not counts["kills"] or draw.random() < AGAIN
        at = draw.randint(1, whole.moments) if kill and draw.random() < 0.7 else 0
        process = start(folder, arguments_for(folder), at)
        if kill and not at:
            _kill_later(process, draw.uniform(0, whole.seconds))
        code = process.wait(PATIENCE)
        if code == -signal.SIGKILL:
            counts["kills"] += 1
            counts["at a file" if at else "at a time"] += 1
        elif code:
            raise RuntimeError(f"{folder}: cannot go on after {dict(counts)}: {_said(process)}")
        elif not kill:
            break
    difference = differs(folder, whole.folder)
    if difference is not None:
        raise RuntimeError(f"{folder}: {difference} after {dict(counts)}")
    return counts


def _kill_later(process: subprocess.Popen[str], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()


def _said(process: subprocess.Popen[str]) -> str:
    return " ".join((process.stderr.read() if process.stderr else "").split())[-500:]


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
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


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
