"""The nodes of a search, and how a child is chosen. Node 0 is the root."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.record import SEATS, record_dtype
from theogony.envs.core.thinking.scratch import Scratch, make_scratch

LONGEST = 512  # decisions that one simulation descends in the tree
NODES = 2_000_000  # of the largest tree; when it is full, leaves are rolled out without new nodes

NODE = record_dtype(
    ("child", "i4"),  # first child, -1 none
    ("next", "i4"),  # next child of the same parent, -1 none
    ("action", "i4"),  # that leads here
    ("actor", "i4"),  # seat that chose it
    ("visits", "i4"),
    ("available", "i4"),  # visits of the parent in which the action was legal
    ("prior", "f8"),
    ("value", "f8"),  # what a prior by value found for `actor`
    ("total", "f8"),  # rewards of `actor` over the visits
)


class Tree(NamedTuple):
    """The nodes and scratch arrays of one search; made once a player and used again for every decision."""

    nodes: np.ndarray  # NODE
    used: np.ndarray  # int64 (1,): nodes in use
    path: np.ndarray  # int64: nodes that a simulation has come through
    scratch: Scratch  # its last rows hold what each seat sees at the root
    rewards: np.ndarray  # float64 (2, SEATS): of a leaf, and to work in
    alive: np.ndarray  # int64: children of the root that are still compared


def make_tree(game: Game, nodes: int) -> Tree:
    """An empty tree for so many nodes."""
    return Tree(
        nodes=np.zeros(nodes, NODE),
        used=np.zeros(1, np.int64),
        path=np.zeros(LONGEST + 2, np.int64),
        scratch=make_scratch(game, game.spec.lookahead + 3 + SEATS),
        rewards=np.zeros((2, SEATS)),
        alive=np.zeros(game.actions.size, np.int64),
    )


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
    node.value = 0.0
    node.total = 0.0


@rule
def select(nodes, parent, mask, exploration, trust, flat):
    """The legal child with the highest PUCT score; marks all legal ones as available. -1: there is none.

    What a prior by value found counts as `trust` visits.
    """
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
                known = node.visits + trust
                mean = (node.total + trust * node.value) / known if known > 0.0 else quality
                spread = np.sqrt(np.float64(node.available)) / (1.0 + node.visits)
                score = mean + exploration * node.prior / weights * spread * np.sqrt(np.float64(mask.shape[0]))
            if score > best_score:
                best, best_score = child, score
        child = node.next
    return best


@rule
def _worth(node, trust):
    known = node.visits + max(trust, 1e-9)
    return (node.total + max(trust, 1e-9) * node.value) / known


@rule
def sort_children(nodes, alive, count, trust):
    """Bring the first `count` of `alive` into order, best first."""
    for k in range(1, count):
        child = alive[k]
        worth = _worth(nodes[child], trust)
        j = k
        while j > 0 and _worth(nodes[alive[j - 1]], trust) < worth:
            alive[j] = alive[j - 1]
            j -= 1
        alive[j] = child
