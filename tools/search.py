"""How fast tree search is, on one thread, by CPU time.

`python tools/search.py [GAME ...]`: simulations a second from the starting position, the best of three searches
with random rollouts, with the `value` of the leaf, and with greedy rollouts; then the milliseconds of a decision of
greedy play and of the reference player, one decision ahead to long searches, the mean over the first decisions of a
game. Two players.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from shared import milliseconds

from theogony.envs import GAMES, load
from theogony.envs.core.position import Position
from theogony.training.players.search import Search, SearchOptions

ITERATIONS = {"random": 5000, "value": 5000, "greedy": 300}
PLAYERS = (
    "greedy",
    "greedy@reference",
    "reference",
    "mcts:64@reference",
    "mcts:64:value@reference",
    "mcts:1600@reference",
)


def rate(position: Position, rollout: str, iterations: int) -> float:
    """Simulations a second, the best of three searches after one that compiles."""
    stream, seconds = np.array([1], np.uint64), []
    search = Search(position.game, SearchOptions(iterations=iterations, rollout=rollout))  # pyright: ignore[reportArgumentType]
    search.choose(position.states, position.now, stream)
    for _ in range(3):
        started = time.process_time()
        search.choose(position.states, position.now, stream)
        seconds.append(time.process_time() - started)
    return iterations / min(seconds)


def main() -> None:
    """Print both tables."""
    try:
        games = {name: load(name).configure({"players": 2}) for name in sys.argv[1:] or GAMES}
    except ValueError as error:
        raise SystemExit(f"search.py: {error}") from None
    print(f"{'simulations/s':<18}" + "".join(f"{name:>12}" for name in ITERATIONS))
    for name, game in games.items():
        rates = (rate(Position(game, seed=1), rollout, iterations) for rollout, iterations in ITERATIONS.items())
        print(f"{name:<18}" + "".join(f"{found:>12,.0f}" for found in rates), flush=True)
    print(f"\n{'ms a decision':<18}" + "".join(f"{name:>25}" for name in PLAYERS))
    for name, game in games.items():
        print(
            f"{name:<18}" + "".join(f"{milliseconds(game, one):>25.2f}" for one in PLAYERS),
            flush=True,
        )


if __name__ == "__main__":
    main()
