"""`SingleAgentEnv`: one seat of any AEC environment with masks, ours and PettingZoo's."""

import copy
import pickle
import warnings
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

import theogony
from theogony.envs.core.actions import IllegalAction
from theogony.wrappers import SingleAgentEnv, TimeLimit

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.classic import connect_four_v3, rps_v2


def ours(**arguments) -> SingleAgentEnv:
    env = gymnasium.make("theogony/PushOfFaith-v0", disable_env_checker=True, **arguments).unwrapped
    assert isinstance(env, SingleAgentEnv)
    return env


def connect_four(**arguments) -> SingleAgentEnv:
    return SingleAgentEnv(connect_four_v3.env(), **arguments)


def episodes(env: SingleAgentEnv, count: int, seed: int = 0, choose=None) -> list[tuple[list[float], dict]]:
    """Rewards and last info of so many episodes at random play of the learner."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(count):
        _, info = env.reset(seed=seed if k == 0 else None)
        rewards, over = [], False
        while not over:
            _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
            rewards.append(reward)
            over = terminated or truncated
        found.append((rewards, info))
    return found


def trace(env: SingleAgentEnv, rng: np.random.Generator, steps: int = 60) -> list:
    """What an agent sees in so many steps, resets included."""
    seen = []
    for _ in range(steps):
        observation, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        seen.append((observation.tobytes(), reward, info["action_mask"].tobytes(), info["seat"]))
        if terminated or truncated:
            observation, info = env.reset()
            seen.append((observation.tobytes(), info["seat"]))
    return seen


# ---------------------------------------------------------------------------------------------------- checkers


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array"])
def test_checkers_of_gymnasium_and_sb3(render_mode) -> None:
    env = ours(players=3, opponents="greedy:0.5", illegal="random", render_mode=render_mode)
    check_env(env)
    sb3_check_env(env)


@pytest.mark.filterwarnings("ignore")
def test_checkers_on_an_environment_of_pettingzoo() -> None:
    env = connect_four(illegal="random")
    check_env(env)
    sb3_check_env(env)
    assert env.observation_space.shape == (84,)


# ---------------------------------------------------------------------------------------------------- rewards


@pytest.mark.slow
def test_connect_four_is_lost_as_often_as_won_at_random_play() -> None:
    """A loss is dealt by the other's move: it must reach the learner all the same. 300 games, five deviations."""
    totals = np.array([sum(rewards) for rewards, _ in episodes(connect_four(), 300)])
    won, lost = (totals == 1).sum(), (totals == -1).sum()
    assert won + lost > 280 and won + lost + (totals == 0).sum() == 300
    assert abs(won - lost) < 5 * np.sqrt(300)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_rewards_are_those_of_the_seat_and_come_at_the_end(seat) -> None:
    env: Any = ours(players=3, seat=seat, reward="margin")
    for seed in range(12):
        ((rewards, info),) = episodes(env, 1, seed)
        position = env.env.unwrapped.position
        assert rewards[-1] == position.rewards("margin")[seat] and not any(rewards[:-1])
        assert len(rewards) == 18 and info["seat"] == seat
        assert info["score"] == position.scores()[seat]
        assert info["action_mask"].all()


def test_a_random_seat_is_drawn_for_each_episode_from_the_seed() -> None:
    env = ours(players=3)
    seats = [info["seat"] for _, info in episodes(env, 60, seed=4)]
    assert min(np.bincount(seats, minlength=3)) >= 8
    assert seats == [info["seat"] for _, info in episodes(ours(players=3), 60, seed=4)]
    assert seats != [info["seat"] for _, info in episodes(env, 60, seed=5)]


def test_time_limits_truncate() -> None:
    env = SingleAgentEnv(TimeLimit(theogony.make("push_of_faith"), 7), seat=1)
    env.reset(seed=0)
    results = [env.step(np.flatnonzero(env.action_masks())[0]) for _ in range(3)]
    assert [result[2:4] for result in results] == [(False, False), (False, False), (False, True)]
    assert results[-1][4]["action_mask"].all() and results[-1][0].any()
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)


# ---------------------------------------------------------------------------------------------------- opponents


def test_greedy_opponents_win() -> None:
    assert np.mean([rewards[-1] for rewards, _ in episodes(ours(opponents="greedy"), 40)]) < -0.8
    with pytest.raises(ValueError, match=r"player 'greedy:0\.5' plays only the games of theogony"):
        connect_four(opponents="greedy:0.5")


class Counts:
    """The first legal action. It counts its decisions in each game."""

    name = "counts"

    def __init__(self) -> None:
        self.decisions: Counter[int] = Counter()

    def act(self, views, rng):
        self.decisions.update(views.episode_ids.tolist())
        return views.masks.argmax(1)


@pytest.mark.parametrize("make", [ours, connect_four])
def test_an_opponent_tells_games_apart(make) -> None:
    player = Counts()
    env = make(opponents=player)
    episodes(env, 3)
    assert len(player.decisions) == 3 and min(player.decisions.values()) > 1
    env.reset()
    twin = env.clone()
    for one in (env, twin):
        over = False
        while not over:
            _, _, over, _, _ = one.step(int(np.flatnonzero(one.action_masks())[0]))
    assert len(player.decisions) == 5, "a copy is another game"


@pytest.mark.parametrize("make", [ours, connect_four])
def test_a_policy_sees_its_own_seat(make) -> None:
    seen = []

    def last_legal(observations, masks, seats):
        seen.append(int(seats[0]))
        assert observations.shape == (1, *env.observation_space.shape)
        inner = env.env
        assert inner.agent_selection == inner.possible_agents[seats[0]] != env.agent
        assert masks.dtype == np.int8 and (masks[0] == inner.observe(inner.agent_selection)["action_mask"]).all()
        assert (observations[0] == inner.observe(inner.agent_selection)["observation"].reshape(-1)).all()
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)

    env = make(seat=0, opponents=last_legal)
    episodes(env, 3)
    assert set(seen) == {1}


def test_a_mixture_is_drawn_for_each_game() -> None:
    calls = []

    def policy(observations, masks, seats):
        calls.append(1)
        return masks.argmax(1)

    env = ours(opponents=[(3, "random"), (1, policy)], seat=0)
    with_policy = 0
    for seed in range(80):
        calls.clear()
        episodes(env, 1, seed)
        assert len(calls) in (0, 18)
        with_policy += bool(calls)
    assert 8 <= with_policy <= 34


# ---------------------------------------------------------------------------------------------------- illegal actions


@pytest.mark.parametrize("make", [ours, connect_four])
def test_illegal_actions_raise(make) -> None:
    env = make(seat=0, opponents=lambda observations, masks, seats: masks.argmax(1))
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    env.reset(seed=0)
    while env.action_masks().all():  # connect four: until the first column is full
        env.step(0)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    before = env.action_masks().copy(), pickle.dumps(env.env.observe(env.agent))
    for action in (illegal, -1, 10_000, "up", 1.5, None, True, False, np.True_):
        with pytest.raises(IllegalAction, match=r"legal|integer"):
            env.step(action)
    assert (env.action_masks() == before[0]).all() and pickle.dumps(env.env.observe(env.agent)) == before[1]
    env.step(np.flatnonzero(env.action_masks())[0])


def test_an_opponent_that_fails_tells_nothing_of_its_seat() -> None:
    """Neither its error nor a step behind it shows what the opponent may do; the learner can go back to its turn."""

    def cheat(observations, masks, seats):
        return masks.argmin(1)

    env = ours(seat=0, opponents=cheat)
    env.reset(seed=0)
    inner: Any = env.env.unwrapped
    before, legal = inner.position.key(), env.action_masks()
    with pytest.raises(IllegalAction, match=r"the opponent player_1 chose action \d+, which is not legal$") as told:
        while True:
            env.step(np.flatnonzero(env.action_masks())[0])
    assert told.value.legal == []
    with pytest.raises(RuntimeError, match=r"no game waits for a decision"):
        env.step(inner.position.legal_actions()[0])
    while inner.position.now:
        env.undo()
    assert inner.position.key() == before and (env.action_masks() == legal).all()


def test_illegal_actions_are_replaced_and_counted() -> None:
    env = ours(seat=0, illegal="random")
    _, info = env.reset(seed=0)
    assert info["illegal_actions"] == 0
    for k in range(1, 6):
        info = env.step(np.flatnonzero(~env.action_masks())[0])[-1]
        assert info["illegal_actions"] == k
    assert env.step(np.flatnonzero(env.action_masks())[0])[-1]["illegal_actions"] == 5
    assert env.reset()[1]["illegal_actions"] == 0


def test_what_is_asked_before_reset_says_so() -> None:
    env = ours(render_mode="ansi")
    for ask in (env.action_masks, env.undo, env.render, lambda: env.seat, env.clone):
        with pytest.raises(RuntimeError, match=r"call reset\(\) before asking (SingleAgentEnv|GameEnv) for "):
            ask()
    assert not hasattr(env, "seat") and not hasattr(env, "nonsense")
    for other in (copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.reset(seed=0)
        assert other.action_masks().any()


def test_a_seat_may_be_a_number_of_numpy() -> None:
    assert ours(seat=np.int64(1)).reset(seed=0)[1]["seat"] == 1


def test_bad_arguments_are_named() -> None:
    for seat in (2, -1, True, 1.0, "0", None):
        with pytest.raises(ValueError, match=f'seat={seat!r} is not 0 to 1 or "random"'):
            ours(seat=seat)
    with pytest.raises(ValueError, match="illegal='ignore' is not"):
        ours(illegal="ignore")
    with pytest.raises(ValueError, match="there is no player 'clever'"):
        ours(opponents="clever")
    env = SingleAgentEnv(rps_v2.env())
    with pytest.raises(ValueError, match="has no action masks"):
        env.reset(seed=0)


# ---------------------------------------------------------------------------------------------------- copies


@pytest.mark.parametrize("make", [ours, connect_four])
@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()]
)
def test_copies_in_mid_game_go_on_alike(make, duplicate) -> None:
    env = make(opponents="random")
    env.reset(seed=3)
    env.step(np.flatnonzero(env.action_masks())[0])
    other = duplicate(env)
    expected = trace(env, np.random.default_rng(0))
    assert trace(other, np.random.default_rng(0)) == expected


def test_a_seed_decides_everything() -> None:
    one, two = ours(opponents="greedy:0.3"), ours(opponents="greedy:0.3")
    one.reset(seed=8)
    two.reset(seed=8)
    assert trace(one, np.random.default_rng(0)) == trace(two, np.random.default_rng(0))
    two.reset(seed=9)
    one.reset(seed=8)
    assert trace(one, np.random.default_rng(0)) != trace(two, np.random.default_rng(0))
