"""Copies of an environment are independent in threads too, though they share the players inside."""

import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import theogony
from theogony.envs import load
from theogony.envs.core.players import KernelPlay, make_player
from theogony.envs.core.position import Position
from theogony.wrappers import SingleAgentEnv

THREADS = 4


@pytest.fixture
def _soon_another_thread() -> Iterator[None]:
    """Threads of Python change places every ten microseconds, so that they meet in what they share."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def played(env: SingleAgentEnv, seed: int, decisions: int) -> list[bytes]:
    """The positions that a learner sees who plays at random."""
    rng, seen, over = np.random.default_rng(seed), [], False
    while not over and len(seen) < decisions:
        _, _, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        over = terminated or truncated
        seen.append(env.env.unwrapped.key())  # pyright: ignore[reportAttributeAccessIssue]
    return seen


@pytest.mark.slow
@pytest.mark.usefixtures("_soon_another_thread")
@pytest.mark.parametrize(
    ("game", "opponents", "decisions"),
    [("terra_mystica", "greedy", 60), ("orbis", "mcts:100", 12), ("terra_mystica", "plan:8", 12)],
)
def test_clones_play_in_threads_what_they_play_one_after_another(game: str, opponents: str, decisions: int) -> None:
    env = SingleAgentEnv(theogony.make(game, players=2), seat=0, opponents=opponents)
    for seed in range(3):
        env.reset(seed=seed)
        alone = [played(env.clone(), k, decisions) for k in range(THREADS)]
        clones = [env.clone() for _ in range(THREADS)]
        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(played, clones, range(THREADS), [decisions] * THREADS)) == alone


@pytest.mark.parametrize("name", ["greedy", "mcts:20", "plan:4"])
def test_players_come_out_of_a_pickle(name: str) -> None:
    position = Position(load("push_of_faith").configure({}), 3)
    env = theogony.make("push_of_faith")
    env.reset(seed=3)
    chosen = [theogony.player(player, env, seed=5).act(env) for player in _twice(make_player(name, env.game))]
    assert chosen[0] == chosen[1]
    streams = [np.array([9], np.uint64) for _ in range(2)]
    first, second = (
        play.choose(position, 1.0, stream)
        for play, stream in zip(_twice(KernelPlay(position.game)), streams, strict=True)
    )
    assert first == second and streams[0] == streams[1]


def _twice(thing):
    return thing, pickle.loads(pickle.dumps(thing))
