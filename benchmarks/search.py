"""Iterations a second of tree search from the starting position, on one thread, by CPU time.

`python benchmarks/search.py [GAME ...]`: the best of three searches with random rollouts, with the `value` of the
leaf, and with greedy rollouts, two players.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from theogony.envs import GAMES, load
from theogony.envs.core.position import Position
from theogony.training.players.search import Search, SearchOptions

ITERATIONS = {"random": 5000, "value": 5000, "greedy": 300}


def rate(position: Position, rollout: str, iterations: int) -> float:
    """Iterations a second, the best of three searches after one that compiles."""
    stream, seconds = np.array([1], np.uint64), []
    search = Search(position.game, SearchOptions(iterations=iterations, rollout=rollout))  # pyright: ignore[reportArgumentType]
    search.choose(position.states, position.now, stream)
    for _ in range(3):
        started = time.process_time()
        search.choose(position.states, position.now, stream)
        seconds.append(time.process_time() - started)
    return iterations / min(seconds)


def main() -> None:
    """Print a table."""
    print(f"{'iterations/s':<18}" + "".join(f"{name:>12}" for name in ITERATIONS))
    for name in sys.argv[1:] or GAMES:
        position = Position(load(name).configure({"players": 2}), seed=1)
        rates = (rate(position, rollout, iterations) for rollout, iterations in ITERATIONS.items())
        print(f"{name:<18}" + "".join(f"{found:>12,.0f}" for found in rates), flush=True)


if __name__ == "__main__":
    main()
