"""How fast tree search is, on one thread, by CPU time.

`python tools/search.py [GAME ...]`: simulations a second from the starting position, the best of three searches
with random rollouts, with the `value` of the leaf, and with greedy rollouts; then the milliseconds of a decision of
greedy play and of the reference player, one decision ahead to long searches, the mean over the first decisions of a
game. Two players.
"""

from __future__ import annotations

import sys
import time
import timeit
from collections.abc import Callable, Iterable

import numpy as np
from shared import milliseconds

from theogony.envs import GAMES, load
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.training.players.search import Search, SearchOptions

ITERATIONS = {"random": 5000, "value": 5000, "greedy": 300}
PLAYERS = ("greedy", "greedy@reference", "reference")
PLAYERS += ("mcts:64@reference", "mcts:64:value@reference", "mcts:1600@reference")


def rate(game: Game, rollout: str) -> float:
    """Return simulations a second, the best of three searches after one that compiles."""
    position, stream = Position(game, seed=1), np.array([1], np.uint64)
    search = Search(game, SearchOptions(iterations=ITERATIONS[rollout], rollout=rollout))  # pyright: ignore[reportArgumentType]
    seconds = timeit.repeat(
        lambda: search.choose(position.states, position.now, stream), timer=time.process_time, number=1, repeat=4
    )
    return ITERATIONS[rollout] / min(seconds[1:])


def table(games: dict[str, Game], head: str, names: Iterable[str], form: str, of: Callable[[Game, str], float]) -> None:
    """Print what is found of each game under each name."""
    print(f"{head:<18}" + "".join(f"{name:>25}" for name in names))
    for title, game in games.items():
        print(f"{title:<18}" + "".join(f"{of(game, name):>25{form}}" for name in names), flush=True)


def main() -> None:
    """Print both tables."""
    try:
        games = {name: load(name).configure({"players": 2}) for name in sys.argv[1:] or GAMES}
    except ValueError as error:
        raise SystemExit(f"search.py: {error}") from None
    table(games, "simulations/s", ITERATIONS, ",.0f", rate)
    table(games, "\nms a decision", PLAYERS, ".2f", milliseconds)


if __name__ == "__main__":
    main()
