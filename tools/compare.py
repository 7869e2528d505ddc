"""Speed of another checkout beside this one, in one run.

Machines drift by a factor of two within seconds, so figures of two runs say little. Here one process of each checkout
measures in turn, in bursts of hundredths of a second of processor time on the same processor, and what counts is the
ratio of neighbours. Where code and arrays come to lie differs from process to process, and shifts a process by up to a
tenth; so new ones are started several times, the median of the ratios stands for such a pair of processes, and the
table has the median over the pairs, and between which values half of them lie.

    python tools/compare.py /path/to/older/checkout [GAME ...] [--measures training]

`training` is steps of MaskablePPO a second, a rollout and its update at a time, by this checkout's
`configs/GAME/lookahead.yaml` on one thread.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
MEASURES = ("aec_numpy", "aec_sampler", "playouts", "batch_1", "batch_greedy")
TRAINING = "training"  # a measure of its own: it takes minutes

# What the process of a checkout runs. It reads lines `measure seconds` and answers with decisions a second; where
# others play greedily in the kernel, only those of the caller count.
WORKER = """
import sys, tempfile, time
from pathlib import Path
time.perf_counter = time.process_time  # before anything takes it: what others on the machine take does not count
from theogony import bench
from theogony.envs.core.batch import Batch
from theogony.envs.core.registry import load
def against_greedy():
    batch = Batch(load(sys.argv[1]).configure(), 64, 1, seat=0, opponents="greedy")
    def burst(seconds):
        steps, started = 0, time.perf_counter()
        while steps == 0 or time.perf_counter() < started + seconds:
            batch.step(batch.sample())
            steps += 1
        return steps * batch.size / (time.perf_counter() - started)
    return burst
def training():
    from theogony.training.config.file import load_config
    from theogony.training.learning.sb3 import Sb3Training
    config = load_config(Path(sys.argv[3]), ["torch_threads=1", "environment.threads=1"])
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
own = {"batch_greedy": against_greedy, "training": training}
bursts = {sys.argv[2]: own[sys.argv[2]]()} if sys.argv[2] in own else bench._bursts_of(load(sys.argv[1]).configure())
for line in sys.stdin:
    measure, seconds = line.split()
    print(bursts[measure](float(seconds)), flush=True)
"""


class SpeedProcess:
    """One checkout, measuring one game."""

    def __init__(self, checkout: Path, game: str, measure: str) -> None:
        python = str(checkout / ".venv/bin/python")
        command = [python, "-c", WORKER, game, measure, str(HERE / "configs" / game / "lookahead.yaml")]
        own = {**os.environ, "PYTHONPATH": str(checkout / "src")}  # checkouts may share an environment
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout, env=own
        )

    def burst(self, measure: str, seconds: float) -> float:
        """Decisions a second of one burst."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{measure} {seconds}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def on_one_processor() -> None:
    """What is started from here runs on one processor, where the system can say so: two differ in speed."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def compare(old: Path, new: Path, game: str, measure: str, seconds: float, repeats: int) -> tuple[float, float, float]:
    """One new process of each: the medians of both, and of the ratios of neighbouring bursts."""
    workers = SpeedProcess(old, game, measure), SpeedProcess(new, game, measure)
    for worker in workers:  # compiles, or reads the cache
        worker.burst(measure, 0.0)
        worker.burst(measure, 5 * seconds)
    pairs = [tuple(worker.burst(measure, seconds) for worker in workers) for _ in range(repeats)]
    for worker in workers:
        worker.close()
    before, after = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    return before, after, statistics.median(b / a for a, b in pairs)


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description="Speed of another checkout beside this one.")
    parser.add_argument("old", type=Path, help="another checkout, with its own .venv")
    parser.add_argument("games", nargs="*", help="all of them by default")
    parser.add_argument(
        "--measures", nargs="*", choices=(*MEASURES, TRAINING), default=MEASURES, help="all but training by default"
    )
    parser.add_argument("--seconds", type=float, default=0.02, help="time of each burst")
    parser.add_argument("--repeats", type=int, default=40, help="pairs of bursts of each pair of processes")
    parser.add_argument("--processes", type=int, default=7, help="pairs of processes of each figure")
    given = parser.parse_args()
    if not (python := given.old / ".venv/bin/python").exists():
        parser.error(f"{python} is missing: expected another checkout, with its own .venv")
    on_one_processor()
    games = given.games or ["push_of_faith", "orbis", "innovation", "terra_mystica", "god_of_war"]
    print(f"{'decisions/s':<16}{'measure':<14}{'before':>14}{'after':>14}{'ratio':>8}  half of them")
    for game, measure in itertools.product(games, given.measures):
        asked = given.old.resolve(), HERE, game, measure, given.seconds, given.repeats
        found = [compare(*asked) for _ in range(given.processes)]
        before, after = (statistics.median(rates) for rates in list(zip(*found, strict=True))[:2])
        low, ratio, high = statistics.quantiles((one for *_, one in found), n=4)
        print(
            f"{game:<16}{measure:<14}{before:>14,.0f}{after:>14,.0f}{ratio:>8.3f}  {low:.3f} to {high:.3f}", flush=True
        )


if __name__ == "__main__":
    main()
