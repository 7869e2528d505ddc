"""A search that tells what follows an action apart by what its seat sees there."""

from typing import Any

import numpy as np
import pytest
from named_coin import HEADS, TAILS, THROW
from named_coin import SPEC as NAMED_COIN
from named_coin import STOP as STOP_FOR_NOTHING
from tictactoe import SPEC as TICTACTOE

from theogony.envs.core.position import Position
from theogony.training.players.search import Search, SearchOptions


@pytest.mark.parametrize("outcomes", [False, True])
def test_outcomes_are_told_apart_where_that_is_asked_for(outcomes: bool) -> None:
    """Who sees the coin names it rightly each time. In one node for both sides to name either is wrong half of the
    time, so that throwing looks bad."""
    position = Position(NAMED_COIN.configure(), 3)
    options = SearchOptions(iterations=1000, prior="uniform", exploration=1.0, reward="margin", outcomes=outcomes)
    search = Search(position.game, options)
    assert search.choose(position.states, position.now, np.array([1], np.uint64)) == (
        THROW if outcomes else STOP_FOR_NOTHING
    )
    assert bool(search.line(THROW)) != outcomes, "what is named depends on the side"
    visits, total = search.results()[THROW]
    tree: Any = search.trees[0]
    thrown = next(node for node in tree.nodes[: tree.used[0]] if node.action == THROW)
    assert (total > 0) == outcomes and (thrown.other >= 0) == outcomes
    if not outcomes:
        return
    sides = [thrown, tree.nodes[thrown.other]]
    favourites = {_most_visited(tree.nodes, side) for side in sides}
    assert favourites == {HEADS, TAILS} and sides[0].seen != sides[1].seen and sides[1].other < 0
    assert visits == 2 + sum(int(tree.nodes[child].visits) for side in sides for child in _children(tree.nodes, side))


def _children(nodes: Any, node: Any) -> list[int]:
    found, child = [], int(node.child)
    while child >= 0:
        found.append(child)
        child = int(nodes[child].next)
    return found


def _most_visited(nodes: Any, node: Any) -> int:
    return int(nodes[max(_children(nodes, node), key=lambda child: int(nodes[child].visits))].action)


def test_where_nothing_is_drawn_outcomes_are_one() -> None:
    """The same tree, but for what the seat saw behind each action."""
    position, found = Position(TICTACTOE.configure(), 0), []
    for outcomes in (False, True):
        search = Search(
            position.game, SearchOptions(500, prior="uniform", exploration=1.5, reward="outcome", outcomes=outcomes)
        )
        search.choose(position.states, position.now, np.array([7], np.uint64))
        assert search.trees[0].nodes["seen"].any() == outcomes
        found.append((search.visits(), int(search.trees[0].used[0])))
    assert found[0] == found[1]


def test_a_full_tree_takes_new_outcomes_for_leaves() -> None:
    position = Position(NAMED_COIN.configure(), 3)
    search = Search(position.game, SearchOptions(iterations=200, prior="uniform", exploration=3.0, outcomes=True))
    search.trees = [search.trees[0]._replace(nodes=search.trees[0].nodes[:4])]
    search.choose(position.states, position.now, np.array([1], np.uint64))
    assert search.trees[0].used[0] == 4 and sum(search.visits().values()) == 200
