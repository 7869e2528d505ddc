"""How fast rules and searches run here: by Numba, by wasmtime, and in the Python of a page.

python web_speed.py GAME prints decisions a second of random games and milliseconds of a move by search.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from theogony.envs.core.kernels import kernels
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load

SEARCH, MOVES, FIRST = "mcts:64@reference", 24, 2  # decisions that are measured, and those before they count


def clock() -> float:
    """Seconds of the processor; in a page's Python, which knows none, those of the whole Node.js."""
    if sys.platform != "emscripten":
        return time.process_time()
    from js import process  # pyright: ignore[reportMissingImports]

    spent = process.cpuUsage()
    return (spent.user + spent.system) / 1e6


def playouts(name: str) -> float:
    """Decisions a second of random games, of the best of many calls."""
    game = load(name).configure({})
    k, mask = kernels(game.spec), np.zeros(game.actions.size, np.int8)
    states, rng, best = game.new_states(1), np.array([7], np.uint64), 0.0
    k.playouts(states, 0, game.tables, mask, np.uint64(12345), 1, rng)
    end = clock() + 1
    while clock() < end:
        started = clock()
        decisions = k.playouts(states, 0, game.tables, mask, np.uint64(12345), 100, rng)
        best = max(best, decisions / (clock() - started))
    return best


def move(name: str) -> float:
    """Milliseconds of a decision by search, where there is something to decide: the median of some."""
    game = load(name).configure({})
    player, position = make_player(SEARCH, game), Position(game, 11)
    rng, took = np.random.default_rng(4), []
    while len(took) < MOVES and not position.over:
        started = clock()
        action = int(player.act(Views.at(position), rng)[0])
        if position.mask.sum() > 1:
            took.append(clock() - started)
        position.play(action)
    counted = sorted(took[FIRST:])  # a page's NumPy has no median
    return 1000 * counted[len(counted) // 2]


if __name__ == "__main__":
    print(json.dumps([playouts(sys.argv[1]), move(sys.argv[1])]))
