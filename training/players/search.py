"""Search over the contract of a game: information-set Monte Carlo tree search, and flat Monte Carlo.

Single-observer IS-MCTS (Cowling, Powley and Whitehouse 2012), max-n for any number of seats: every iteration plays down
one tree in a freshly resampled position, so that the tree stands for what the searching seat knows. Children are chosen
by PUCT with their availability as the parent's count; a cooperative game is the case in which all rewards are equal.

The root is a resampled copy already (a player never holds the true position), and every iteration resamples it again.
"""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

from theogony.envs.core.game import REWARDS, Game, GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import copy_record
from theogony.envs.core.record import SEATS, record_dtype
from theogony.envs.core.scratch import make_scratch
from theogony.envs.core.value_network import OWN_VALUE

PRIORS = ("uniform", "value")
ROLLOUTS = ("random", "greedy", "value")
CHUNK = 64  # iterations between two looks at the clock
LONGEST = 512  # decisions that one iteration descends in the tree
NODES = 2_000_000  # of the largest tree; when it is full, leaves are rolled out without new nodes
NO_PRIOR = np.zeros(0)

NODE = record_dtype(
    ("child", "i4"),  # first child, -1 none
    ("next", "i4"),  # next child of the same parent, -1 none
    ("action", "i4"),  # that leads here
    ("actor", "i4"),  # seat that chose it
    ("visits", "i4"),
    ("available", "i4"),  # visits of the parent in which the action was legal
    ("prior", "f8"),
    ("total", "f8"),  # rewards of `actor` over the visits
)


@dataclass(frozen=True)
class SearchOptions:
    """How a searching player thinks.

    `iterations` or, when set, `milliseconds` a decision; `rollout` plays on from a leaf "random", "greedy" or, after
    `depth` random decisions, takes the game's `value`; `prior` weighs the actions of a node "uniform" or by the value
    after them (`temperature` in rewards); `exploration` is PUCT's constant; `reward` what is maximised;
    `flat` tries every action equally often instead of building a tree.
    """

    iterations: int = 400
    milliseconds: float | None = None
    rollout: Literal["random", "greedy", "value"] = "random"
    depth: int = 0
    prior: Literal["uniform", "value"] = "value"
    temperature: float = 0.1
    exploration: float = 0.1
    reward: Literal["outcome", "rank", "margin", "progress"] = "margin"
    flat: bool = False

    def __post_init__(self) -> None:
        if self.iterations < 1 or (self.milliseconds is not None and self.milliseconds <= 0):
            raise ValueError(f"a search needs iterations or milliseconds above 0, not {self.iterations}")
        for name, value, known in (("rollout", self.rollout, ROLLOUTS), ("prior", self.prior, PRIORS),
                                   ("reward", self.reward, (*REWARDS, "progress"))):  # fmt: skip
            if value not in known:
                raise ValueError(f"search: {name}={value!r} is not one of {', '.join(known)}")


class Tree:
    """The nodes and scratch arrays of one search; made once a player and used again for every decision."""

    def __init__(self, game: Game, nodes: int) -> None:
        self.nodes = np.zeros(nodes, NODE)
        self.used = np.zeros(1, np.int64)
        self.path = np.zeros(LONGEST + 2, np.int64)
        self.scratch = make_scratch(game, game.spec.lookahead + 3 + SEATS)  # last: what each seat sees at the root
        self.rewards = np.zeros((2, SEATS))


class Search:
    """A searching player of one game. `choose` gets a resampled copy of the position, never the true one."""

    def __init__(self, game: Game, options: SearchOptions | None = None, net: np.ndarray = OWN_VALUE) -> None:
        self.game, self.net = game, net
        self.options = options or SearchOptions()
        self._reward = game.spec.reward_index(self.options.reward)
        branching = min(game.actions.size, 64)
        timed = self.options.milliseconds is not None
        self.tree = Tree(game, NODES if timed else min(self.options.iterations * branching + 1024, NODES))
        self._kernels = search_kernels(game.spec)

    def choose(self, states: np.ndarray, i: int, rng: np.ndarray, prior: np.ndarray | None = None) -> int:
        """The action with the most visits for the acting seat of position i, which is not changed.

        `rng` is a one-element uint64 array: the player's own stream. `prior`, float64 (actions,), weighs the actions of
        the position itself, in place of the prior of the options.
        """
        o, tree = self.options, self.tree
        seat = int(states[i].actor)
        arguments = (
            states, i, self.game.tables, tree.nodes, tree.used, tree.path, tree.scratch, tree.rewards, seat, self.net,
            ROLLOUTS.index(o.rollout), o.depth, PRIORS.index(o.prior), o.temperature, o.exploration,
            self._reward, o.flat, NO_PRIOR if prior is None else prior,
        )  # fmt: skip
        self._kernels.begin(states, i, self.game.tables, tree.nodes, tree.used, tree.scratch, self.net)
        self._kernels.iterate(*arguments, 0, rng)  # compiles at the first call, before the clock runs
        deadline = None if o.milliseconds is None else time.perf_counter() + o.milliseconds / 1000
        done = 0
        while done < o.iterations if deadline is None else time.perf_counter() < deadline:
            chunk = CHUNK if deadline is not None else o.iterations - done
            self._kernels.iterate(*arguments, chunk, rng)
            done += chunk
        return int(self._kernels.most_visited(tree.nodes, rng))

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


@functools.cache
def search_kernels(spec: GameSpec) -> Any:
    """The compiled search of a game."""
    k = kernels(spec)
    legal, redraw, advance, greedy, final = spec.legal, k.redraw, k.advance, k.greedy, k.rewards
    cooperative = spec.cooperative
    look, value_now, best_ahead = k.look, k.value_now, k.best_ahead

    @rule
    def begin(root, i, tables, nodes, used, scratch, net):
        """An empty tree; every seat looks at the root, which the positions of the tree differ little from."""
        reset_node(nodes[0], -1, -1, 1.0)
        used[0] = 1
        for seat in range(root[i].players):
            copy_record(scratch.states, anchor(scratch, seat), root, i)
            look(scratch, anchor(scratch, seat), tables, seat, net)

    @rule
    def grow(nodes, used, parent, tables, scratch, mask, actor, net, prior, temperature, root_prior):
        """Give a node a child for every legal action that it has none for yet; marks those in `mask` afterwards."""
        given = parent == 0 and root_prior.shape[0] > 0
        child = nodes[parent].child
        while child >= 0:
            mask[nodes[child].action] *= 2  # not legal in this position: it stays 0
            child = nodes[child].next
        best, first = -np.inf, used[0]
        for action in range(mask.shape[0]):
            if mask[action] == 1 and used[0] < nodes.shape[0]:
                new = used[0]
                used[0] += 1
                weight = 1.0
                if given:
                    weight = root_prior[action]
                elif prior == 1:
                    copy_record(scratch.states, 1, scratch.states, 0)
                    advance(scratch.states[1], tables[0], action)
                    if parent == 0:
                        weight = best_ahead(scratch, 1, tables, actor, net, anchor(scratch, actor))
                    else:
                        weight = value_now(scratch, 1, tables, actor, net, anchor(scratch, actor))
                best = max(best, weight)
                reset_node(nodes[new], action, actor, weight)
                nodes[new].next = nodes[parent].child
                nodes[parent].child = new
        if prior == 1 and not given:
            for new in range(first, used[0]):
                nodes[new].prior = np.exp((nodes[new].prior - best) / temperature)

    @rule
    def select(nodes, parent, mask, exploration, flat):
        """The legal child with the highest PUCT score; marks all legal ones as available. -1: there is none."""
        weights, tried, quality = 0.0, 0, 0.0
        child = nodes[parent].child
        while child >= 0:
            node = nodes[child]
            if mask[node.action] != 0:
                node.available += 1
                weights += node.prior
                tried += node.visits
                quality += node.total
            child = node.next
        quality = quality / tried if tried > 0 else 0.0
        best, best_score = -1, -np.inf
        child = nodes[parent].child
        while child >= 0:
            node = nodes[child]
            if mask[node.action] != 0:
                if flat:
                    score = -np.float64(node.visits)
                else:
                    mean = node.total / node.visits if node.visits > 0 else quality
                    spread = np.sqrt(np.float64(node.available)) / (1.0 + node.visits)
                    score = mean + exploration * node.prior / weights * spread * np.sqrt(np.float64(mask.shape[0]))
                if score > best_score:
                    best, best_score = child, score
            child = node.next
        return best

    @rule
    def leaf_values(tables, scratch, mover, rewards, net):
        """What position 0 of the scratch, into which a seat moved, is worth to every seat, into `rewards[0]`.

        A network learnt the value for the seat that has moved; others are asked for themselves only where theirs does
        not follow from it.
        """
        g = scratch.states[0]
        players = np.int64(g.players)
        follows = net.shape[0] > 0 and mover >= 0 and (cooperative or players == 2)
        for seat in range(players):
            if follows and seat != mover:
                continue
            copy_record(scratch.states, 1, scratch.states, 0)  # which `value` may write on
            estimate = value_now(scratch, 1, tables, seat, net, anchor(scratch, seat))
            rewards[0, seat] = min(max(estimate, -1.0), 1.0)
        if follows:
            other = rewards[0, mover] if cooperative else -rewards[0, mover]
            for seat in range(players):
                if seat != mover:
                    rewards[0, seat] = other

    @rule
    def roll_out(tables, scratch, mover, rewards, net, rollout, depth, kind, rng):
        """From the leaf in position 0 of the scratch to rewards of every seat in `rewards[0]`."""
        g, mask = scratch.states[0], scratch.masks[0]
        left = depth
        while g.over == 0 and (rollout != 2 or left > 0):
            mask[:] = 0
            legal(g, tables[0], mask)
            if rollout == 1:
                advance(g, tables[0], greedy(scratch.states, 0, tables, mask, scratch, 1, rng, net))
            else:
                advance(g, tables[0], pick(mask, mask.shape[0], rng))
            left -= 1
        if g.over != 0:
            final(scratch.states, 0, tables, kind, rewards[1], rewards[0])
        else:
            leaf_values(tables, scratch, mover if depth == 0 else -1, rewards, net)

    @rule
    def iterate(
        root, i, tables, nodes, used, path, scratch, rewards, seat, net,
        rollout, depth, prior, temperature, exploration, kind, flat, root_prior, iterations, rng,
    ):  # fmt: skip
        """So many iterations: resample, descend, expand, roll out, and credit every node on the path."""
        g, mask = scratch.states[0], scratch.masks[0]
        for _ in range(iterations):
            copy_record(scratch.states, 0, root, i)
            redraw(g, tables[0], seat, rng)
            node, length = 0, 0
            path[0] = 0
            while g.over == 0 and length < LONGEST:
                mask[:] = 0
                legal(g, tables[0], mask)
                actor = np.int64(g.actor)
                grow(nodes, used, node, tables, scratch, mask, actor, net, prior, temperature, root_prior)
                child = select(nodes, node, mask, exploration, flat)
                if child < 0:  # the tree is full
                    break
                advance(g, tables[0], np.int64(nodes[child].action))
                length += 1
                path[length] = child
                node = child
                if nodes[child].visits == 0 or flat:
                    break
            roll_out(tables, scratch, np.int64(nodes[node].actor), rewards, net, rollout, depth, kind, rng)
            nodes[0].visits += 1
            for k in range(1, length + 1):
                nodes[path[k]].visits += 1
                nodes[path[k]].total += rewards[0, nodes[path[k]].actor]

    return SimpleNamespace(begin=begin, iterate=iterate, most_visited=most_visited)


@rule
def anchor(scratch, seat):
    """The row of the scratch in which a seat looks at the root."""
    return scratch.states.shape[0] - SEATS + seat


@rule
def reset_node(node, action, actor, prior):
    """A node without children and visits."""
    node.child = -1
    node.next = -1
    node.action = action
    node.actor = actor
    node.visits = 0
    node.available = 0
    node.prior = prior
    node.total = 0.0


@rule
def most_visited(nodes, rng):
    """The action of the root's most visited child, the better mean first among equals."""
    best, child = np.int64(-1), np.int64(nodes[0].child)
    while child >= 0:
        if best < 0 or nodes[child].visits > nodes[best].visits or (
            nodes[child].visits == nodes[best].visits and nodes[child].total > nodes[best].total
        ):  # fmt: skip
            best = child
        child = np.int64(nodes[child].next)
    return nodes[best].action
