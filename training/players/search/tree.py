"""The nodes of a search, how a child is chosen, and how outcomes of chance are told apart. Node 0 is the root."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import word_at
from theogony.envs.core.record import SEATS, record_dtype
from theogony.envs.core.rng import LOW32, scramble, wrapping
from theogony.envs.core.thinking.scratch import Scratch, make_scratch

LONGEST = 512  # decisions that one simulation descends in the tree
NODES = 2_000_000  # of the largest tree; when it is full, leaves are rolled out without new nodes

NODE = record_dtype(
    ("child", "i4"),  # first child, -1 none
    ("next", "i4"),  # next child of the same parent, -1 none
    ("action", "i4"),  # that leads here
    ("actor", "i4"),  # seat that chose it
    ("other", "i4"),  # another outcome of the same action, -1 none
    ("seen", "u4"),  # what the searching seat sees behind the action, 0 while that does not count
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
    node.other = -1
    node.seen = 0
    node.visits = 0
    node.available = 0
    node.prior = prior
    node.value = 0.0
    node.total = 0.0


@wrapping
def digest(codes):
    """A number above 0 that differs, almost surely, where uint8 codes do."""
    found = np.uint64(codes.shape[0])
    whole = codes.shape[0] // 8 * 8
    for k in range(0, whole, 8):
        found = scramble(found ^ word_at(codes, k))
    for k in range(whole, codes.shape[0]):
        found = scramble(found ^ np.uint64(codes[k]))
    return max(np.uint32(found & LOW32), np.uint32(1))


@rule
def outcome(nodes, used, child, seen):
    """The node for what the searching seat sees behind the action of `child`; -1 where it has not seen that before.

    The first outcome is `child` itself, others hang on it. All count for the visits of `child`; each has children of
    its own.
    """
    if nodes[child].seen == 0:
        nodes[child].seen = seen
        return -1
    node = child
    while node >= 0 and nodes[node].seen != seen:
        node = np.int64(nodes[node].other)
    if node < 0 and used[0] < nodes.shape[0]:
        new = used[0]
        used[0] += 1
        reset_node(nodes[new], nodes[child].action, nodes[child].actor, 0.0)
        nodes[new].seen = seen
        nodes[new].other = nodes[child].other
        nodes[child].other = new
    return node


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
