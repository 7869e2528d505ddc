"""Steps of MaskablePPO for a second of the processor: another checkout beside this one, in one run.

    python benchmarks/training.py /path/to/older/checkout [GAME ...] [--without-lookahead]

Both train by this checkout's `configs/GAME/lookahead.yaml` on one thread, a rollout and its update in turn. What
counts is the ratio: a busy machine slows both.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent.parent
GAMES = ("push_of_faith", "orbis")

# What the process of a checkout runs: for every line it reads, a rollout and its update, and it answers with steps a
# second. Folders and the key of lookahead scores had other names before.
WORKER = """
import sys, tempfile, time
from pathlib import Path
try:
    from theogony.training.config.file import load_config
    from theogony.training.learning.sb3 import Sb3Training as Training
except ModuleNotFoundError:
    from theogony.training.config.file import load_config
    from theogony.training.learning.train import Training
file, weight = Path(sys.argv[1]), sys.argv[2]
for key in ("lookahead", "advice"):
    try:
        config = load_config(file, ["torch_threads=1", f"algorithm.net_arch.{key}={weight}"])
        break
    except ValueError as error:
        problem = error
else:
    raise problem
with tempfile.TemporaryDirectory() as folder:
    training = Training(config, Path(folder))
    model = training.model
    training.env.opponents = training.opposition.spec()
    model.start()
    for _ in sys.stdin:
        began, steps = time.process_time(), model.num_timesteps
        model.rollout()
        model.train()
        print((model.num_timesteps - steps) / (time.process_time() - began), flush=True)
"""


class TrainingProcess:
    """One checkout, training one game."""

    def __init__(self, checkout: Path, file: Path, lookahead: float) -> None:
        command = [str(checkout / ".venv/bin/python"), "-c", WORKER, str(file), str(lookahead)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout)

    def iteration(self) -> float:
        """Steps a second of a rollout and its update."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def compare(old: Path, game: str, lookahead: bool, repeats: int) -> tuple[float, float, float]:
    """The medians of both, and the median of the ratios of neighbouring iterations."""
    data = yaml.safe_load((HERE / "configs" / game / "lookahead.yaml").read_text())
    weight = data["algorithm"]["net_arch"].pop("lookahead") if lookahead else 0.0
    data["algorithm"]["net_arch"].pop("lookahead", None)
    data["environment"]["threads"] = 1
    file = HERE / "build" / f"training_{game}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump(data))
    workers = TrainingProcess(old, file, weight), TrainingProcess(HERE, file, weight)
    for worker in workers:  # compiles, or reads the cache
        worker.iteration()
    pairs = [tuple(worker.iteration() for worker in workers) for _ in range(repeats)]
    for worker in workers:
        worker.close()
    before, after = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    return before, after, statistics.median(b / a for a, b in pairs)


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("old", type=Path, help="another checkout, with its own .venv")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--without-lookahead", action="store_true", help="the network without lookahead scores")
    parser.add_argument("--repeats", type=int, default=9, help="pairs of iterations")
    given = parser.parse_args()
    print(f"{'steps/s':<16}{'before':>10}{'after':>10}{'ratio':>8}")
    for game in given.games:
        before, after, ratio = compare(given.old.resolve(), game, not given.without_lookahead, given.repeats)
        print(f"{game:<16}{before:>10,.0f}{after:>10,.0f}{ratio:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
