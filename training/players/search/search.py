"""A searching player of one game: how the budget of a decision is spent, and what is chosen in the end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np

from theogony.console.machine import machine_bytes
from theogony.envs.core.arguments import checked_streams
from theogony.envs.core.batches.arguments import each_slice
from theogony.envs.core.game import Game
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.training.players.search.kernels import NO_PRIOR, Question, search_kernels
from theogony.training.players.search.options import SearchOptions
from theogony.training.players.search.tree import NODE, NODES, Tree, make_tree

CHUNK = 64  # simulations between two looks at the clock
PIECE = 0.05  # seconds between two answers of a search in pieces, about
BRANCHING = 64  # new nodes of a simulation, about, at most
COMPARED = 8  # the same in sequential halving, where every action has as many


def _make_trees(game: Game, options: SearchOptions) -> list[Tree]:
    """A tree for each thread. Raises PlayerError, before anything is allocated, where memory could not hold them."""
    timed = options.milliseconds is not None
    nodes = NODES if timed else min(options.iterations * (min(game.actions.size, BRANCHING) + 1) + 1024, NODES)
    size, there = options.threads * nodes * NODE.itemsize, machine_bytes()
    if size > there:
        raise PlayerError(
            f"a search of {options.threads} trees takes up to {size / 1e9:,.1f} GB, and this machine has "
            f"{there / 1e9:,.1f}: expected fewer threads or simulations"
        )
    try:
        return [make_tree(game, nodes) for _ in range(options.threads)]
    except MemoryError as error:
        raise PlayerError(f"there is not enough memory for a search of {options.threads} trees: {error}") from None


def _pieces(count: int) -> Iterator[int]:
    """Parts of a number of simulations that take about `PIECE` each, by how long those before took."""
    part = 1
    while count > 0:
        part, started = min(part, count), time.perf_counter()
        yield part
        count -= part
        took = time.perf_counter() - started
        part = max(1, min(8 * part, int(part * PIECE / max(took, 1e-6))))


def _whole(pieces: Iterator[None]) -> None:
    for _ in pieces:
        pass


def _children(tree: Tree, node: int) -> list[int]:
    """The children of a node."""
    first, following = tree.nodes["child"], tree.nodes["next"]  # faster than records
    found, child = [], int(first[node])
    while child >= 0:
        found.append(child)
        child = int(following[child])
    return found


class Search:
    """A searching player of one game. `choose` gets a resampled copy of the position, never the true one.

    Each thread grows a tree of its own from a stream of its own; their visits are added up at the end. So a search by
    simulations depends on the number of threads, and not on how they run.
    """

    def __init__(self, game: Game, options: SearchOptions | None = None, net: np.ndarray = OWN_VALUE) -> None:
        self.game, self.net = game, net
        self.options = options or SearchOptions()
        self._settings = self.options.settings(game.spec)
        self.trees = _make_trees(game, self.options)
        self._kernels = search_kernels(game.spec)
        self._compiled = False

    @property
    def reward(self) -> str:
        """The kind of reward that it maximises."""
        return self.options.reward

    def choose(
        self,
        states: np.ndarray,
        i: int,
        rng: np.ndarray,
        prior: np.ndarray | None = None,
        tables: np.ndarray | None = None,
    ) -> int:
        """The best action of the search for the acting seat of position i, which is not changed.

        `rng` is a one-element uint64 array: the player's own stream. `prior`, float64 (actions,), weighs the actions of
        the position itself, in place of the prior of the options. `tables` are those of the position, by default those
        of the game: in one with several packs each position has its own. Raises ValueError for another `rng`.
        """
        q, work = self._asked(states, i, rng, prior, tables)
        if self.options.milliseconds is None:
            each_slice(work, lambda of: self._search(q, *of, self.options.iterations))
        else:
            end = time.perf_counter() + self.options.milliseconds / 1000
            each_slice(work, lambda of: _whole(self._until(q, *of, end)))
        return self._best()

    def improving(
        self,
        states: np.ndarray,
        i: int,
        rng: np.ndarray,
        prior: np.ndarray | None = None,
        tables: np.ndarray | None = None,
    ) -> Iterator[int]:
        """Search in pieces: yields the best action so far, about every 50 milliseconds, and last what `choose` returns.

        Whoever wants no more of it stops asking.
        """
        yield from self._growing(*self._asked(states, i, rng, prior, tables))

    def compared(
        self,
        states: np.ndarray,
        i: int,
        actions: Sequence[int],
        visits: int,
        rng: np.ndarray,
        tables: np.ndarray | None = None,
    ) -> dict[int, float]:
        """What the acting seat of position i may expect of each of these legal actions, in the mean of so many
        simulations of each; the k-th of all sees the same deal. The other arguments are those of `choose`.
        """
        q, work = self._asked(states, i, rng, None, tables)
        tree, stream = work[0]
        self._kernels.begin(q, tree)
        deals = stream.copy()
        count, base = int(self._kernels.candidates(q, tree, deals)), deals[0]
        node_of = {int(tree.nodes["action"][node]): int(node) for node in tree.alive[:count]}
        chosen = [node_of[action] for action in actions]
        tree.alive[: len(chosen)] = chosen
        self._kernels.compare(q, tree, len(chosen), 0, visits, base, deals, stream)
        return {action: float(tree.nodes["total"][node_of[action]]) / visits for action in actions}

    def _growing(self, q: Question, work: list[tuple[Tree, np.ndarray]]) -> Iterator[int]:
        """Grow all trees, and tell the best action meanwhile."""
        end = time.perf_counter() + (self.options.milliseconds or 0) / 1000
        running = [self._in_pieces(q, *of, end) for of in work]
        going = set(range(len(running)))

        def go_on(k: int) -> None:
            if next(running[k], True):
                going.discard(k)

        while going:
            each_slice(sorted(going), go_on)
            yield self._best()

    def _asked(
        self, states: np.ndarray, i: int, rng: np.ndarray, prior: np.ndarray | None, tables: np.ndarray | None
    ) -> tuple[Question, list[tuple[Tree, np.ndarray]]]:
        """What is searched, and the trees with their streams; all kernels are compiled then. Raises ValueError."""
        checked_streams(rng)
        given, known = NO_PRIOR if prior is None else prior, self.game.tables if tables is None else tables
        q = Question(states, i, known, int(states[i].actor), self.net, given, self._settings)
        streams = [rng, *(np.array([mix(rng[0], k, 0)], np.uint64) for k in range(1, len(self.trees)))]
        if not self._compiled:
            self._compile(q)
        return q, list(zip(self.trees, streams, strict=True))

    def _in_pieces(self, q: Question, tree: Tree, rng: np.ndarray, end: float) -> Iterator[None]:
        """Grow one tree anew, until `end` where the search is against the clock."""
        if self.options.milliseconds is not None:
            return self._until(q, tree, rng, end)
        return (self._halved if self.options.halving else self._grown)(q, tree, rng)

    def _grown(self, q: Question, tree: Tree, rng: np.ndarray) -> Iterator[None]:
        """What the kernel `search` does, in pieces."""
        self._kernels.begin(q, tree)
        for count in _pieces(self.options.iterations):
            self._kernels.iterate(q, tree, -1, count, rng, rng)
            yield

    def _halved(self, q: Question, tree: Tree, rng: np.ndarray) -> Iterator[None]:
        """What the kernel `halve` does, in pieces. Within a round all pieces go through the actions in one order."""
        self._kernels.begin(q, tree)
        deals, deal, spent, iterations = rng.copy(), 0, 0, self.options.iterations
        left = min(int(self._kernels.candidates(q, tree, deals)), max(iterations // 2, 1))
        base = deals[0]
        while left > 1:
            rounds, order = left.bit_length() - 1, tree.alive[:left].copy()
            for visits in _pieces(max((iterations - spent) // (rounds * left), 1)):
                tree.alive[:left] = order
                self._kernels.compare(q, tree, left, deal, visits, base, deals, rng)
                deal, spent = deal + visits, spent + visits * left
                yield
            left = (left + 1) // 2

    def _compile(self, q: Question) -> None:
        """Call every kernel once, before the clock runs and before threads could compile at the same time."""
        k, tree, rng = self._kernels, self.trees[0], np.zeros(1, np.uint64)
        if self.options.milliseconds is None:
            self._search(q, tree, rng, 1)
        else:
            k.begin(q, tree)
            k.candidates(q, tree, rng)
            k.compare(q, tree, 0, 0, 0, rng[0], rng, rng)
            k.iterate(q, tree, -1, 0, rng, rng)
        self._compiled = True

    def _search(self, q: Question, tree: Tree, rng: np.ndarray, iterations: int) -> None:
        """Grow one tree anew, by so many simulations."""
        if self.options.halving:
            self._kernels.halve(q, tree, iterations, rng.copy(), rng)
        else:
            self._kernels.search(q, tree, iterations, rng)

    def _until(self, q: Question, tree: Tree, rng: np.ndarray, end: float) -> Iterator[None]:
        """Grow one tree anew, by as many simulations as there is time for until `end` (of `time.perf_counter`), in
        pieces.

        In sequential halving every round gets its share of the time.
        """
        self._kernels.begin(q, tree)
        if not self.options.halving:
            while time.perf_counter() < end:
                self._kernels.iterate(q, tree, -1, CHUNK, rng, rng)
                yield
            return
        deals, deal = rng.copy(), 0
        left = int(self._kernels.candidates(q, tree, deals))
        base = deals[0]
        while left > 1:
            now, rounds = time.perf_counter(), (left - 1).bit_length()
            until, visits = now + (end - now) / rounds, max(COMPARED // left, 1)
            while True:  # once at least
                self._kernels.compare(q, tree, left, deal, visits, base, deals, rng)
                deal += visits
                yield
                if time.perf_counter() >= until:
                    break
            left = (left + 1) // 2

    def _best(self) -> int:
        """The most visited action, the better mean first among equals; of those that halving left, the best mean."""
        last = {int(tree.nodes["action"][tree.alive[0]]) for tree in self.trees} if self.options.halving else set()
        if len(last) == 1:
            return last.pop()
        found = self.results()
        if not last:
            return max(found, key=lambda action: found[action])
        return max(last, key=lambda action: found[action][1] / max(found[action][0], 1))

    def visits(self) -> dict[int, int]:
        """Visits of each action in the last search."""
        return {action: visits for action, (visits, _) in self.results().items()}

    def results(self) -> dict[int, tuple[int, float]]:
        """Of each action in the last search its visits, and the sum of the rewards in them for the seat that chose."""
        found: dict[int, tuple[int, float]] = {}
        for tree in self.trees:
            actions, counts, totals = (tree.nodes[field] for field in ("action", "visits", "total"))
            for child in _children(tree, 0):
                visits, total = found.get(int(actions[child]), (0, 0.0))
                found[int(actions[child])] = visits + int(counts[child]), total + float(totals[child])
        return found

    def ranked(self) -> list[tuple[int, float]]:
        """The actions of the last search, best first, and the reward that is expected of each.

        After sequential halving those come first that stayed longest, and what was known of an action before the search
        counts for its `trust`.
        """
        if not self.options.halving or len(self.trees) > 1:
            found = self.results()
            order = sorted((a for a in found if found[a][0]), key=lambda a: (-found[a][0], -found[a][1]))
            return [(action, found[action][1] / found[action][0]) for action in order]
        tree, trust = self.trees[0], self.options.trust
        nodes = tree.nodes[tree.alive[: len(self.results())]]
        worth = (nodes["total"] + trust * nodes["value"]) / np.maximum(nodes["visits"] + trust, 1e-9)
        return list(zip(nodes["action"].tolist(), worth.tolist(), strict=True))

    def line(self, action: int, visits: int = 1) -> list[int]:
        """The actions that the last search looked at most after one, while each was visited so often.

        It ends where what follows depends on what was drawn, if the search tells that apart.
        """
        tree, found = self.trees[0], []
        nodes = tree.nodes
        node = next((node for node in _children(tree, 0) if int(nodes["action"][node]) == action), None)
        while node is not None and nodes["other"][node] < 0:
            node = max(_children(tree, node), key=lambda child: int(nodes["visits"][child]), default=None)
            if node is None or int(nodes["visits"][node]) < visits:
                break
            found.append(int(nodes["action"][node]))
        return found
