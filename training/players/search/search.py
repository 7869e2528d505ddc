"""A searching player of one game."""

from __future__ import annotations

import time

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.value_network import OWN_VALUE
from theogony.training.players.search.kernels import NO_PRIOR, Question, search_kernels
from theogony.training.players.search.options import SearchOptions
from theogony.training.players.search.tree import NODES, make_tree

CHUNK = 64  # iterations between two looks at the clock


class Search:
    """A searching player of one game. `choose` gets a resampled copy of the position, never the true one."""

    def __init__(self, game: Game, options: SearchOptions | None = None, net: np.ndarray = OWN_VALUE) -> None:
        self.game, self.net = game, net
        self.options = options or SearchOptions()
        self._settings = self.options.settings(game.spec)
        branching = min(game.actions.size, 64)
        timed = self.options.milliseconds is not None
        self.tree = make_tree(game, NODES if timed else min(self.options.iterations * branching + 1024, NODES))
        self._kernels = search_kernels(game.spec)

    def choose(self, states: np.ndarray, i: int, rng: np.ndarray, prior: np.ndarray | None = None) -> int:
        """The action with the most visits for the acting seat of position i, which is not changed.

        `rng` is a one-element uint64 array: the player's own stream. `prior`, float64 (actions,), weighs the actions of
        the position itself, in place of the prior of the options.
        """
        o, tree, nodes = self.options, self.tree, self.tree.nodes
        given = NO_PRIOR if prior is None else prior
        q = Question(states, i, self.game.tables, int(states[i].actor), self.net, given, self._settings)
        self._kernels.begin(q, tree)
        if o.halving:
            self._kernels.halve(q, tree, o.iterations, rng.copy(), rng)
            return int(nodes["action"][tree.alive[0]])
        self._kernels.iterate(q, tree, -1, 0, rng, rng)  # compiles at the first call, before the clock runs
        deadline = None if o.milliseconds is None else time.perf_counter() + o.milliseconds / 1000
        done = 0
        while done < o.iterations if deadline is None else time.perf_counter() < deadline:
            chunk = CHUNK if deadline is not None else o.iterations - done
            self._kernels.iterate(q, tree, -1, chunk, rng, rng)
            done += chunk
        found = self.results()
        return max(found, key=lambda action: found[action])

    def visits(self) -> dict[int, int]:
        """Visits of each action in the last search."""
        return {action: visits for action, (visits, _) in self.results().items()}

    def results(self) -> dict[int, tuple[int, float]]:
        """Of each action in the last search its visits, and the sum of the rewards in them for the seat that chose."""
        found, child = {}, int(self.tree.nodes[0].child)
        while child >= 0:
            node = self.tree.nodes[child]
            found[int(node.action)] = int(node.visits), float(node.total)
            child = int(node.next)
        return found
