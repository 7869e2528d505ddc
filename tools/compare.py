"""Speed of another checkout beside this one, in one run.

Machines drift by a factor of two within seconds, so figures of two runs say little. Here one process of each checkout
measures in turn, in bursts of hundredths of a second of processor time on the same processor, and what counts is the
ratio of neighbours. Where code and arrays come to lie differs from process to process, and shifts a process by up to a
tenth; so new ones are started several times, the median of the ratios stands for such a pair of processes, and the
table has the median over the pairs, and between which values half of them lie.

    python tools/compare.py /path/to/older/checkout [GAME ...] [--measures pictures training]

`pictures` are pictures a second as `rgb_array` draws them, position by position of a game of greedy players. `training`
is steps of MaskablePPO a second, a rollout and its update at a time, by this checkout's `configs/GAME/lookahead.yaml`
on one thread.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
from shared import ROOT

from theogony.envs import GAMES

MEASURES = ("aec_numpy", "aec_sampler", "playouts", "batch_1", "batch_greedy")
OTHERS = ("pictures", "training")  # measures that take longer: those that are asked for

# What the process of a checkout runs. It reads seconds and answers with decisions a second; where others play greedily
# in the kernel, only those of the caller count.
WORKER = """
import sys, tempfile, time
from pathlib import Path
time.perf_counter = time.process_time  # before anything takes it: what others on the machine take does not count
from theogony import bench
from theogony.envs.core.batch import Batch
from theogony.envs.core.registry import load
game, measure, file = sys.argv[1:]
def against_greedy():
    batch = Batch(load(game).configure(), 64, 1, seat=0, opponents="greedy")
    def burst(seconds):
        steps, started = 0, time.perf_counter()
        while steps == 0 or time.perf_counter() < started + seconds:
            batch.step(batch.sample())
            steps += 1
        return steps * batch.size / (time.perf_counter() - started)
    return burst
def pictures():
    import numpy as np
    from theogony.envs.core.draw.svg import rasterise
    from theogony.envs.core.players import KernelPlay
    from theogony.envs.core.position import Position
    position, stream = Position(load(game).configure(), 3), np.array([3], np.uint64)
    greedy = KernelPlay(position.game)
    def burst(_):  # one picture, of the same position in both processes
        if position.over:
            position.reset(3)
        position.play(greedy.choose(position, 1.0, stream))
        started = time.perf_counter()
        rasterise(position.svg(), width=720)
        return 1 / (time.perf_counter() - started)
    return burst
def training():
    from theogony.training.config.file import load_config
    from theogony.training.learning.sb3 import Sb3Training
    config = load_config(Path(file), ["torch_threads=1", "environment.threads=1"])
    folder = tempfile.TemporaryDirectory()  # until the process ends
    run = Sb3Training(config, Path(folder.name))
    model, run.env.opponents = run.model, run.opposition.spec()
    model.start()
    def burst(_):
        began, steps = time.perf_counter(), model.num_timesteps
        model.rollout()
        model.train()
        return folder and (model.num_timesteps - steps) / (time.perf_counter() - began)
    return burst
own = {"batch_greedy": against_greedy, "pictures": pictures, "training": training}
burst = own[measure]() if measure in own else bench._bursts_of(load(game).configure())[measure]
for seconds in sys.stdin:
    print(burst(float(seconds)), flush=True)
"""


class Worker:
    """A process of a checkout that runs a program, which answers each line that it reads with a line of JSON.

    Processes of several checkouts that are asked in turn are disturbed alike by other work on the machine.
    """

    def __init__(self, checkout: Path, program: str, *words: str) -> None:
        own = {**os.environ, "PYTHONPATH": str(checkout / "src")}  # checkouts may share an environment
        command = [str(checkout / ".venv/bin/python"), "-c", program, *words]
        self._process: Any = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout, env=own
        )

    def ask(self, line: str = "") -> Any:
        """Return what it answers."""
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def compare(old: Path, game: str, measure: str, seconds: float, repeats: int) -> pd.Series:
    """Return the medians of a new process of each, and of the ratios of neighbouring bursts."""
    file = str(ROOT / "configs" / game / "lookahead.yaml")
    workers = {"before": Worker(old, WORKER, game, measure, file), "after": Worker(ROOT, WORKER, game, measure, file)}
    for worker in workers.values():  # compiles, or reads the cache
        worker.ask("0")
        worker.ask(str(5 * seconds))
    bursts = [{name: worker.ask(str(seconds)) for name, worker in workers.items()} for _ in range(repeats)]
    for worker in workers.values():
        worker.close()
    return pd.DataFrame(bursts).assign(ratio=lambda rates: rates["after"] / rates["before"]).median()


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description="Speed of another checkout beside this one.")
    parser.add_argument("old", type=Path, help="another checkout, with its own .venv")
    parser.add_argument("games", nargs="*", help="all of them by default")
    parser.add_argument(
        "--measures",
        nargs="*",
        choices=(*MEASURES, *OTHERS),
        default=MEASURES,
        help=f"by default {', '.join(MEASURES)}",
    )
    parser.add_argument("--seconds", type=float, default=0.02, help="time of each burst")
    parser.add_argument("--repeats", type=int, default=40, help="pairs of bursts of each pair of processes")
    parser.add_argument("--processes", type=int, default=7, help="pairs of processes of each figure")
    given = parser.parse_args()
    if not (python := given.old / ".venv/bin/python").exists():
        parser.error(f"{python} is missing: expected another checkout, with its own .venv")
    if hasattr(os, "sched_setaffinity"):  # processes run on one processor: two differ in speed
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'decisions/s':<16}{'measure':<14}{'before':>14}{'after':>14}{'ratio':>8}  half of them")
    for game, measure in itertools.product(given.games or GAMES, given.measures):
        asked = given.old.resolve(), game, measure, given.seconds, given.repeats
        found = pd.DataFrame([compare(*asked) for _ in range(given.processes)])
        before, after, ratio = found.median()
        low, high = found["ratio"].quantile([0.25, 0.75])
        rates = f"{before:>14,.0f}{after:>14,.0f}{ratio:>8.3f}  {low:.3f} to {high:.3f}"
        print(f"{game:<16}{measure:<14}{rates}", flush=True)


if __name__ == "__main__":
    main()
