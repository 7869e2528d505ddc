"""Simulations of a search, compiled: resample, descend, expand, roll out, back up; and candidates at the root
compared by the same deals."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.elementary import exp
from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.memory import borrowed, clear_record, copy_record
from theogony.envs.core.rng import mix
from theogony.training.players.search.leaves import leaf_kernel
from theogony.training.players.search.options import Settings
from theogony.training.players.search.tree import LONGEST, anchor, digest, outcome, reset_node, select, sort_children

NO_PRIOR = np.zeros(0)
CALLED = ("begin", "iterate", "candidates", "compare", "search", "halve")  # from Python


class Question(NamedTuple):
    """The decision that is searched."""

    states: np.ndarray
    i: int  # the position in them
    tables: np.ndarray
    seat: int  # that decides
    net: np.ndarray  # the value that it goes by, see `theogony.envs.core.thinking.value_network`
    prior: np.ndarray  # float64 (actions,), weighs the actions at the root; empty: as the settings say
    settings: Settings


@functools.cache
def search_kernels(spec: GameSpec) -> Any:
    """The compiled search of a game. `q` is a `Question`, `tree` a `Tree`.

    `search` and `halve` spend a number of simulations in one call, since to hand all arrays over takes as long as a
    short simulation; the others are for searches against the clock.
    """
    look = kernels(spec).look
    grow = _grow(spec)
    descend = _descend(spec, grow)
    iterate, candidates = _iterate(spec, descend), _candidates(spec, grow)
    compare = _compare(iterate)

    @rule
    def begin(q, tree):
        """An empty tree; every seat looks at the root, which the positions of the tree differ little from."""
        q, tree = borrowed(q), borrowed(tree)
        reset_node(tree.nodes[0], -1, -1, 1.0)
        tree.used[0] = 1
        scratch = tree.scratch
        for seat in range(q.states[q.i].players):
            copy_record(scratch.states, anchor(scratch, seat), q.states, q.i)
            look(scratch, anchor(scratch, seat), q.tables, seat, q.net)

    @rule
    def search(q, tree, iterations, rng):
        """So many simulations in a new tree."""
        begin(q, tree)
        iterate(q, tree, -1, iterations, rng, rng)

    found = (begin, iterate, candidates, compare, search, _halve(begin, candidates, compare))
    return offered(spec, SimpleNamespace(**{f.__name__: f for f in found}), CALLED)


def _grow(spec: GameSpec) -> Any:
    tried = kernels(spec).tried

    @rule
    def grow(q, tree, parent, mask, actor):
        """Give a node a child for every legal action that it has none for yet; marks those in `mask` afterwards."""
        nodes, used, scratch, prior = tree.nodes, tree.used, tree.scratch, q.settings.prior
        given = parent == 0 and q.prior.shape[0] > 0
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
                    weight = q.prior[action]
                elif prior == 1:
                    weight = tried(scratch, 0, q.tables, action, actor, q.net, anchor(scratch, actor), parent == 0)
                best = max(best, weight)
                reset_node(nodes[new], action, actor, weight)
                nodes[new].next = nodes[parent].child
                nodes[parent].child = new
        if prior == 1 and not given:
            for new in range(first, used[0]):
                nodes[new].value = nodes[new].prior
                nodes[new].prior = exp((nodes[new].prior - best) / q.settings.temperature)

    return grow


def _descend(spec: GameSpec, grow: Any) -> Any:
    legal, observe, advance = spec.legal, spec.observe, kernels(spec).advance

    @rule
    def reached(q, tree, child):
        """The node of position 0 of the scratch, behind the action of `child`; -1 where it is new: a leaf."""
        g, scratch = tree.scratch.states[0], tree.scratch
        if not q.settings.outcomes or g.over != 0:
            return np.int64(child if tree.nodes[child].visits > 0 else -1)
        clear_record(scratch.seen, 0)
        observe(g, q.tables[0], q.seat, scratch.seen[0])
        return np.int64(outcome(tree.nodes, tree.used, child, digest(scratch.inputs[0])))

    @rule
    def descend(q, tree, forced):
        """Play position 0 of the scratch down the tree, first by the child `forced`, to a node that is new.

        Returns how many nodes there are on the path.
        """
        nodes, path, how = tree.nodes, tree.path, q.settings
        g, mask = tree.scratch.states[0], tree.scratch.masks[0]
        node, length = 0, 0
        path[0] = 0
        while g.over == 0 and length < LONGEST:
            if length == 0 and forced >= 0:
                child = np.int64(forced)
            else:
                mask[:] = 0
                legal(g, q.tables[0], mask)
                grow(q, tree, node, mask, np.int64(g.actor))
                child = np.int64(select(nodes, node, mask, how.exploration, how.trust, how.flat))
            if child < 0:  # the tree is full
                break
            advance(g, q.tables[0], np.int64(nodes[child].action))
            length += 1
            path[length] = child
            node = reached(q, tree, child)
            if node < 0 or how.flat:
                break
        return length

    return descend


def _iterate(spec: GameSpec, descend: Any) -> Any:
    redraw, roll_out = kernels(spec).redraw, leaf_kernel(spec)

    @rule
    def iterate(q, tree, forced, iterations, deals, rng):
        """So many simulations: resample, descend, expand, roll out, and back up the rewards along the path."""
        q, tree = borrowed(q), borrowed(tree)
        nodes, path, states = tree.nodes, tree.path, tree.scratch.states
        for _ in range(iterations):
            copy_record(states, 0, q.states, q.i)
            redraw(states[0], q.tables[0], q.seat, deals)
            length = descend(q, tree, forced)
            roll_out(q, tree, np.int64(nodes[path[length]].actor), rng)
            nodes[0].visits += 1
            for k in range(1, length + 1):
                nodes[path[k]].visits += 1
                nodes[path[k]].total += tree.rewards[0, nodes[path[k]].actor]

    return iterate


def _candidates(spec: GameSpec, grow: Any) -> Any:
    legal, redraw = spec.legal, kernels(spec).redraw

    @rule
    def candidates(q, tree, deals):
        """The actions of the root into `alive`, best first by what is known before any visit; returns their number."""
        q, tree = borrowed(q), borrowed(tree)
        nodes, alive, states = tree.nodes, tree.alive, tree.scratch.states
        copy_record(states, 0, q.states, q.i)
        redraw(states[0], q.tables[0], q.seat, deals)
        mask = tree.scratch.masks[0]
        mask[:] = 0
        legal(states[0], q.tables[0], mask)
        grow(q, tree, 0, mask, q.seat)
        left, child = 0, np.int64(nodes[0].child)
        while child >= 0:
            alive[left] = child
            left += 1
            child = np.int64(nodes[child].next)
        sort_children(nodes, alive, left, q.settings.trust)
        return left

    return candidates


def _compare(iterate: Any) -> Any:
    @rule
    def compare(q, tree, left, first, visits, base, deals, rng):
        """Visit each of the first `left` candidates so often, and sort them.

        The k-th visit of all sees the same deal, that of the number `first + k`; `deals` is overwritten.
        """
        q, tree = borrowed(q), borrowed(tree)
        for deal in range(first, first + visits):
            for k in range(left):
                deals[0] = mix(base, deal, 0)
                iterate(q, tree, tree.alive[k], 1, deals, rng)
        sort_children(tree.nodes, tree.alive, left, q.settings.trust)

    return compare


def _halve(begin: Any, candidates: Any, compare: Any) -> Any:
    @rule
    def halve(q, tree, iterations, deals, rng):
        """Sequential halving at the root of a new tree: rounds in which all actions are visited alike, the worse half
        leaves. Ends with the best action at `alive[0]`; `deals` is overwritten.
        """
        begin(q, tree)
        left = min(candidates(q, tree, deals), max(iterations // 2, 1))
        base, deal, spent = deals[0], 0, 0
        while left > 1:
            rounds = 0
            while (left >> rounds) > 1:
                rounds += 1
            visits = max((iterations - spent) // (rounds * left), 1)
            compare(q, tree, left, deal, visits, base, deals, rng)
            deal += visits
            spent += visits * left
            left = (left + 1) // 2

    return halve
