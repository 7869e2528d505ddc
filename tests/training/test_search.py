"""Search: perfect in a game that is solved, blind to what its seat cannot know, and a stream of its own."""

import dataclasses
import time
from typing import Any

import numpy as np
import pytest
from bluff.game import SPEC as BLUFF
from hidden_coin import PASS, STOP
from hidden_coin import SPEC as HIDDEN_COIN
from tictactoe import SPEC as TICTACTOE

from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import pick
from theogony.envs.core.memory import copy_record
from theogony.envs.core.position import Position
from theogony.envs.core.rng import next_u64
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.envs.push_of_faith.game import SPEC as PUSH_OF_FAITH
from theogony.training.players.search import Search, SearchOptions
from theogony.training.players.search.kernels import NO_PRIOR, Question, search_kernels
from theogony.training.players.search.leaves import leaf_kernel

THOROUGH = SearchOptions(iterations=4000, prior="uniform", exploration=1.5, reward="outcome")


def stream(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


def perfect(position: Position, known: dict[bytes, int]) -> int:
    """The value of a tic-tac-toe position for the seat that decides: 1, 0 or -1. `known` keeps what was found."""
    board = position.g.board.tobytes()
    if board in known:
        return known[board]
    best = -1
    for action in position.legal_actions():
        position.play(int(action))
        if position.over:
            worth = 1 if position.g.winner >= 0 else 0
        else:
            worth = -perfect(position, known)
        position.undo()
        best = max(best, worth)
        if best == 1:
            break
    known[board] = best
    return best


@pytest.mark.parametrize("rollout", ["random", "turn"])
def test_tree_search_never_loses_what_it_can_hold(rollout: Any) -> None:
    game = TICTACTOE.configure()
    search, rng, dice = Search(game, dataclasses.replace(THOROUGH, rollout=rollout)), stream(1), stream(2)
    known: dict[bytes, int] = {}
    for seed in range(20):
        position = Position(game, seed)
        me = seed % 2
        while not position.over:
            if position.actor != me:
                position.play(pick(position.mask[0], 9, dice))
                continue
            before = perfect(position, known)
            position.play(search.choose(position.states, position.now, rng))
            after = (1 if position.g.winner >= 0 else 0) if position.over else -perfect(position, known)
            assert after == before, position.g.board


@pytest.mark.parametrize(("played", "after"), [([], 1), ([4], 3), ([4, 0], 3), ([4, 0, 8], 5), ([4, 0, 8, 2, 1], 7)])
def test_a_turn_is_judged_where_the_searching_seat_has_ended_its_next_one(played: list[int], after: int) -> None:
    """The first seat searches. After its own decision the other plays on, then it does; before one, it alone."""
    game = TICTACTOE.configure()
    root, leaf = Position(game, 1), Position(game, 1)
    for action in played:
        leaf.play(action)
    search = Search(game, SearchOptions(iterations=1, rollout="turn", reward="outcome"))
    tree, rng = search.trees[0], stream(1)
    q = Question(root.states, root.now, game.tables, 0, OWN_VALUE, NO_PRIOR, search.options.settings(game.spec))
    search_kernels(game.spec).begin(q, tree)
    copy_record(tree.scratch.states, 0, leaf.states, leaf.now)
    leaf_kernel(game.spec)(q, tree, -1, rng)
    g = tree.scratch.states[0]
    assert np.count_nonzero(g.board >= 0) == after and (g.over or g.actor == 1)
    worth = 0.0 if g.winner < 0 else 1.0  # of the last, it won
    assert (g.over == 1) == (after == 7) == (worth == 1.0) and list(tree.rewards[0, :2]) == [worth, -worth]


@rule
def guessed(g, t, seat):
    return 1.0 if (g.over == 1) == (g.coin == 1) else -1.0


def test_who_plays_on_from_a_leaf_goes_by_what_its_seat_can_know() -> None:
    """To stop is good on tails. The first seat has not seen the coin, and stops half of the time, whatever it shows."""
    game = dataclasses.replace(HIDDEN_COIN, value=guessed).configure()
    search, stopped = Search(game, SearchOptions(iterations=1, rollout="turn", reward="outcome")), [0, 0]
    tree, settings = search.trees[0], search.options.settings(game.spec)
    for seed in range(80):
        leaf = Position(game, seed)
        q = Question(leaf.states, leaf.now, game.tables, 1, OWN_VALUE, NO_PRIOR, settings)
        copy_record(tree.scratch.states, 0, leaf.states, leaf.now)
        leaf_kernel(game.spec)(q, tree, -1, stream(seed))
        stopped[leaf.g.coin] += tree.scratch.states[0].turn == 0
    assert 8 <= min(stopped) and max(stopped) <= 32, stopped


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


@pytest.mark.parametrize("outcomes", [False, True])
def test_a_search_depends_on_its_stream_and_not_on_what_the_seat_cannot_know(outcomes: bool) -> None:
    """Two positions that differ only in hidden things: stacks, the other's token, the dice."""
    position = Position(PUSH_OF_FAITH.configure(), 5)
    other = position.clone()
    other.resample(position.actor, stream(9))
    assert other.key() != position.key()
    search = Search(position.game, SearchOptions(iterations=300, outcomes=outcomes))
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


class PlainSearch:
    """Monte Carlo tree search of tic-tac-toe as the textbooks have it, without anything hidden; written for this test.

    A node is a list: visits, total reward of the seat that chose it, children by action.
    """

    def __init__(self, position: Position, iterations: int, exploration: float, rng: np.ndarray) -> None:
        self.exploration, self.rng, self.root = exploration, rng, [0, 0.0, {}]
        for _ in range(iterations):
            next_u64(rng)  # the dice of the copy, which tic-tac-toe does not use
            self.iterate(position.clone())

    def iterate(self, position: Position) -> None:
        node, path = self.root, []
        while not position.over:
            action = self.select(node, position)
            path.append((node[2][action], position.actor))
            position.play(action)
            node = node[2][action]
            if node[0] == 0:
                break
        while not position.over:
            position.play(pick(position.mask[0], 9, self.rng))
        rewards = position.rewards("outcome")
        self.root[0] += 1
        for node, seat in path:
            node[0] += 1
            node[1] += rewards[seat]

    def select(self, node: list, position: Position) -> int:
        legal = position.legal_actions().tolist()
        for action in legal:
            node[2].setdefault(action, [0, 0.0, {}])
        tried = sum(child[0] for child in node[2].values())
        unknown = sum(child[1] for child in node[2].values()) / tried if tried else 0.0

        def score(action: int) -> float:
            visits, total, _ = node[2][action]
            mean = total / visits if visits else unknown
            spread = np.sqrt(np.float64(tried + 1)) / (1.0 + visits)
            return mean + self.exploration * 1.0 / len(legal) * spread * np.sqrt(np.float64(9))

        return max(reversed(legal), key=score)


@pytest.mark.parametrize("moves", [[], [4], [0, 8, 2], [4, 1, 0]])
def test_with_all_public_it_is_plain_tree_search(moves: list[int]) -> None:
    position = Position(TICTACTOE.configure(), 0)
    for move in moves:
        position.play(move)
    search = Search(position.game, SearchOptions(iterations=250, prior="uniform", exploration=1.5, reward="outcome"))
    search.choose(position.states, position.now, stream(7))
    plain = PlainSearch(position, 250, 1.5, stream(7))
    assert search.visits() == {action: child[0] for action, child in plain.root[2].items()}


def test_only_what_is_legal_in_the_resampled_position_is_played() -> None:
    """Passing always wins, unless the search lets the other say what the coin of this iteration does not show."""
    position = Position(HIDDEN_COIN.configure(), 3)
    search = Search(position.game, SearchOptions(iterations=400, prior="uniform", exploration=3.0, reward="outcome"))
    search.choose(position.states, position.now, stream(1))
    nodes: Any = search.trees[0].nodes
    child = int(nodes[0].child)
    assert {int(nodes[child].action), int(nodes[nodes[child].next].action)} == {PASS, STOP}
    passed = next(nodes[k] for k in (child, nodes[child].next) if nodes[k].action == PASS)
    assert passed.visits > 50 and passed.total == passed.visits
    heads = nodes[passed.child]
    tails = nodes[heads.next]
    assert heads.available + tails.available == passed.visits - 1, "either is there in its share of the iterations"
    assert min(heads.available, tails.available) > passed.visits // 4


def test_a_given_prior_says_where_to_look_first() -> None:
    position = Position(PUSH_OF_FAITH.configure(), 3)
    legal = position.legal_actions()
    search = Search(position.game, SearchOptions(iterations=60))
    for favourite in (int(legal[0]), int(legal[-1])):
        prior = np.zeros(position.game.actions.size)
        prior[legal] = 0.01
        prior[favourite] = 1.0
        search.choose(position.states, position.now, stream(1), prior)
        visits = search.visits()
        assert visits[favourite] == max(visits.values()) and visits[favourite] > 40


def test_milliseconds_are_kept() -> None:
    position = Position(PUSH_OF_FAITH.configure(), 3)
    search = Search(position.game, SearchOptions(milliseconds=100))
    search.choose(position.states, position.now, stream(1))
    started = time.perf_counter()
    search.choose(position.states, position.now, stream(1))
    assert 0.1 <= time.perf_counter() - started < 1
    assert sum(search.visits().values()) >= 64


@pytest.mark.parametrize("halving", [False, True])
def test_threads_add_up_and_repeat(halving: bool) -> None:
    """However the threads run; the first tree is that of a search by one thread."""
    position = Position(PUSH_OF_FAITH.configure(), 3)
    found = []
    for threads in (1, 3, 3):
        search = Search(position.game, SearchOptions(iterations=100, halving=halving, threads=threads))
        chosen = search.choose(position.states, position.now, stream(1))
        found.append((chosen, search.results(), [tree.nodes.tobytes() for tree in search.trees]))
        assert position.mask[0, chosen] == 1
    assert found[1] == found[2]
    assert found[0][2] == found[1][2][:1] and len(set(found[1][2])) == 3
    assert sum(visits for visits, _ in found[1][1].values()) > 2.5 * sum(visits for visits, _ in found[0][1].values())


@pytest.mark.parametrize("threads", [1, 2])
def test_halving_keeps_the_time_and_ends_with_the_most_visited(threads: int) -> None:
    position = Position(PUSH_OF_FAITH.configure(), 3)
    search = Search(position.game, SearchOptions(milliseconds=100, halving=True, trust=4.0, threads=threads))
    search.choose(position.states, position.now, stream(1))
    started = time.perf_counter()
    chosen = search.choose(position.states, position.now, stream(1))
    assert 0.1 <= time.perf_counter() - started < 1
    visits = sorted(search.visits().values())
    assert sorted(search.visits()) == position.legal_actions().tolist() and visits[0] >= 1
    assert visits[-1] > 2 * visits[0], "half of the actions leave after each round"
    assert threads > 1 or search.visits()[chosen] == visits[-1]


@pytest.mark.parametrize(("halving", "threads"), [(False, 1), (True, 1), (True, 2)])
def test_a_search_in_pieces_comes_to_the_same_trees(
    halving: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the pieces are; and whoever stops early has an action that is legal."""
    position = Position(PUSH_OF_FAITH.configure(), 3)
    options = SearchOptions(iterations=500, halving=halving, trust=4.0 * halving, threads=threads)
    search, rng = Search(position.game, options), stream(1)
    chosen = search.choose(position.states, position.now, rng)
    whole = chosen, search.results(), [tree.nodes.tobytes() for tree in search.trees], rng[0]
    for piece in (0.0, 0.002, 1.0):
        monkeypatch.setattr("theogony.training.players.search.search.PIECE", piece)
        rng = stream(1)
        answers = list(search.improving(position.states, position.now, rng))
        assert (answers[-1], search.results(), [tree.nodes.tobytes() for tree in search.trees], rng[0]) == whole
        assert all(position.mask[0, action] for action in answers) and (piece > 0 or len(answers) > 40)


@pytest.mark.parametrize("halving", [False, True])
def test_a_search_against_the_clock_in_pieces(halving: bool) -> None:
    position = Position(PUSH_OF_FAITH.configure(), 3)
    search = Search(position.game, SearchOptions(milliseconds=60_000, halving=halving, trust=4.0 * halving))
    started, answers = time.perf_counter(), search.improving(position.states, position.now, stream(1))
    assert all(position.mask[0, next(answers)] for _ in range(5))
    assert time.perf_counter() - started < 30


@rule
def luck(g, t, out):
    """The coin decides, whatever is played."""
    out[0], out[1] = g.coin, 1 - g.coin


def test_the_same_visit_of_all_actions_sees_the_same_deal() -> None:
    spec = dataclasses.replace(HIDDEN_COIN, score=luck, standing=luck)
    position = Position(spec.configure(), 3)
    search = Search(position.game, SearchOptions(iterations=40, prior="uniform", halving=True, reward="outcome"))
    for seed in range(5):
        search.choose(position.states, position.now, stream(seed))
        (visits, won), other = search.results().values()
        assert (visits, won) == other and visits == 20 and abs(won) < 20


@pytest.mark.parametrize("seats", [3, 4])
def test_any_number_of_players(seats: int) -> None:
    """Max-n: against random play in all other seats, the searching seat wins most of its games."""
    game, won = BLUFF.configure({"players": seats}), 0
    search, rng, dice = Search(game, SearchOptions(iterations=1000, reward="rank")), stream(1), stream(2)
    for seed in range(20):
        position = Position(game, seed)
        while not position.over:
            if position.actor == seed % seats:
                copy = position.clone()
                copy.resample(position.actor, rng)
                position.play(search.choose(copy.states, copy.now, rng))
            else:
                position.play(pick(position.mask[0], game.actions.size, dice))
        won += position.rewards("rank")[seed % seats] > 0
    assert won > 15


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": 0}, "iterations or milliseconds above 0"),
        ({"threads": 0}, "1 to 64 threads, not 0"),
        ({"threads": 1000}, "1 to 64 threads, not 1000"),
        ({"rollout": "clever"}, "rollout='clever' is not one of random, greedy, value, turn"),
        ({"prior": "mine"}, "prior='mine' is not one of"),
    ],
)
def test_bad_options_are_named(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SearchOptions(**options)


@pytest.mark.parametrize("halving", [False, True])
def test_what_was_searched_is_ranked_and_followed(halving: bool) -> None:
    """The chosen action comes first, and every line can be played."""
    search = Search(TICTACTOE.configure({}), dataclasses.replace(THOROUGH, halving=halving, trust=1.0 * halving))
    position = Position(search.game, 1)
    for _ in range(4):
        best = search.choose(position.states, position.now, stream(3))
        ranked = search.ranked()
        assert ranked[0][0] == best and {action for action, _ in ranked} <= set(map(int, position.legal_actions()))
        assert all(-1.0 <= worth <= 1.0 for _, worth in ranked)
        for action, _ in ranked:
            line = position.clone()
            for following in [action, *search.line(action)]:
                line.play(following)
        assert search.line(-5) == []
        position.play(best)
