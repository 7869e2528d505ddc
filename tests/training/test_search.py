"""Search: perfect in a game that is solved, blind to what its seat cannot know, and a stream of its own."""

import numpy as np
import pytest
from tictactoe import SPEC as TICTACTOE

from theogony.envs.core.kernels import pick
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.game import SPEC as PUSH_OF_FAITH
from theogony.training.search import Search, SearchOptions

THOROUGH = SearchOptions(iterations=4000, prior="uniform", exploration=1.5, reward="outcome")


def stream(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


def perfect(position: Position) -> int:
    """The value of a tic-tac-toe position for the seat that decides: 1, 0 or -1."""
    best = -1
    for action in position.legal_actions():
        position.play(int(action))
        if position.over:
            worth = 1 if position.g.winner >= 0 else 0
        else:
            worth = -perfect(position)
        position.undo()
        best = max(best, worth)
        if best == 1:
            break
    return best


def test_tree_search_never_loses_what_it_can_hold() -> None:
    game = TICTACTOE.configure()
    search, rng, dice = Search(game, THOROUGH), stream(1), stream(2)
    for seed in range(20):
        position = Position(game, seed)
        me = seed % 2
        while not position.over:
            if position.actor != me:
                position.play(pick(position.mask[0], 9, dice))
                continue
            before = perfect(position)
            position.play(search.choose(position.states, position.now, rng))
            after = (1 if position.g.winner >= 0 else 0) if position.over else -perfect(position)
            assert after == before, position.g.board


def test_a_search_leaves_the_position_and_its_dice_alone() -> None:
    position = Position(PUSH_OF_FAITH.configure(), 3)
    before = position.key()
    Search(position.game, SearchOptions(iterations=50)).choose(position.states, position.now, stream(1))
    assert position.key() == before


def test_every_iteration_visits_the_root_once_and_only_legal_actions() -> None:
    position = Position(PUSH_OF_FAITH.configure(), 3)
    search = Search(position.game, SearchOptions(iterations=200))
    chosen = search.choose(position.states, position.now, stream(1))
    visits = search.visits()
    assert sum(visits.values()) == 200
    assert sorted(visits) == position.legal_actions().tolist()
    assert visits[chosen] == max(visits.values())


def test_a_search_depends_on_its_stream_and_not_on_what_the_seat_cannot_know() -> None:
    """Two positions that differ only in hidden things: stacks, the other's token, the dice."""
    position = Position(PUSH_OF_FAITH.configure(), 5)
    other = position.clone()
    other.resample(position.actor, stream(9))
    assert other.key() != position.key()
    search = Search(position.game, SearchOptions(iterations=300))
    found = []
    for root in (position, position, other):
        search.choose(root.states, root.now, stream(4))
        found.append(search.visits())
    assert found[0] == found[1] == found[2]


def test_flat_search_tries_every_action_equally_often() -> None:
    position = Position(PUSH_OF_FAITH.configure(), 3)
    actions = len(position.legal_actions())
    search = Search(position.game, SearchOptions(iterations=10 * actions, flat=True))
    search.choose(position.states, position.now, stream(1))
    assert set(search.visits().values()) == {10}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": 0}, "iterations or milliseconds above 0"),
        ({"rollout": "clever"}, "rollout='clever' is not one of random, greedy, value"),
        ({"prior": "mine"}, "prior='mine' is not one of"),
    ],
)
def test_bad_options_are_named(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SearchOptions(**options)
