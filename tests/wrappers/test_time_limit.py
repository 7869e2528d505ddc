"""`TimeLimit` truncates an AEC environment, ours and PettingZoo's."""

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import theogony
from theogony.envs.core.actions import IllegalAction
from theogony.wrappers import SingleAgentEnv, TimeLimit

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.classic import connect_four_v3


def ours(decisions: Any = 10, **options) -> TimeLimit:
    return TimeLimit(theogony.make("push_of_faith", **options), decisions)


def play(env: TimeLimit, decisions: int) -> None:
    """The first legal action, so many times."""
    for _ in range(decisions):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))


@pytest.mark.parametrize("make", [ours, lambda decisions: TimeLimit(connect_four_v3.env(), decisions)])
def test_everybody_is_truncated_after_so_many_decisions(make) -> None:
    env = make(5)
    for seed in (0, 1):
        env.reset(seed=seed)
        play(env, 4)
        assert not any(env.truncations.values()) and not env.cut_off
        play(env, 1)
        assert all(env.truncations.values()) and not any(env.terminations.values())
        assert set(env.agents) == set(env.possible_agents)
        while env.agents:
            observation, reward, terminated, truncated, _ = env.last()
            assert truncated and not terminated and reward == 0
            assert observation["action_mask"].all() and observation["observation"].any()
            env.step(None)


def test_masks_in_the_infos_are_one_after_the_cut() -> None:
    env = ours()
    env.reset(seed=0)
    play(env, 10)
    assert all(info["action_mask"].all() for info in env.infos.values())
    assert env.last()[4] is env.infos[env.agent_selection]
    with pytest.raises((IllegalAction, ValueError), match="None"):
        env.step(0)


def test_an_end_by_the_rules_is_a_termination() -> None:
    for limit in (36, 40):
        env = ours(limit)
        env.reset(seed=0)
        play(env, 36)
        assert all(env.terminations.values()) and not any(env.truncations.values()) and not env.cut_off
        assert any(env.rewards.values())


@pytest.mark.filterwarnings("ignore")
def test_the_api_of_pettingzoo() -> None:
    api_test(ours(7), num_cycles=100)
    seed_test(lambda: ours(7))


def test_undo_takes_the_cut_back() -> None:
    env = ours()
    env.reset(seed=0)
    play(env, 9)
    before = env.key()
    action = int(np.flatnonzero(env.last()[0]["action_mask"])[-1])
    env.step(action)
    assert env.cut_off and env.key() != before
    assert env.undo() == action
    assert env.key() == before and not any(env.truncations.values()) and not env.cut_off
    assert env.last()[0]["action_mask"].any()
    play(env, 1)
    assert env.cut_off and all(env.truncations.values())


def test_a_learner_that_goes_back_takes_the_cut_back() -> None:
    """`SingleAgentEnv.undo` goes through the limit: decisions are not counted twice."""
    env = SingleAgentEnv(ours(6), 0, "random")
    env.reset(seed=0)
    for _ in range(5):
        while True:
            before = env.action_masks().copy()
            _, _, _, truncated, _ = env.step(int(np.flatnonzero(before)[0]))
            if truncated:
                break
        env.undo()
        assert (env.action_masks() == before).all() and before.any()


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()]
)
@pytest.mark.parametrize("decisions", [6, 10])
def test_copies_keep_the_count(duplicate, decisions) -> None:
    env = ours()
    env.reset(seed=0)
    play(env, decisions)
    other = duplicate(env)
    assert other.key() == env.key() and other.elapsed == decisions
    assert other.truncations == env.truncations and other.last()[2:4] == env.last()[2:4]
    assert (other.last()[0]["action_mask"] == env.last()[0]["action_mask"]).all()
    assert all((other.infos[a]["action_mask"] == env.infos[a]["action_mask"]).all() for a in env.agents)
    play(other, 10 - decisions)
    assert all(other.truncations.values())
    assert env.elapsed == decisions
    assert all(env.truncations.values()) == (decisions == 10)


@pytest.mark.parametrize("decisions", [0, -1, True, 2.5, "5", None])
def test_a_limit_is_at_least_one_decision(decisions: Any) -> None:
    with pytest.raises(ValueError, match=rf"a whole number from 1 on, not {decisions!r}"):
        ours(decisions)
    assert ours(np.int64(3)).decisions == 3


def test_a_step_after_everybody_has_left_says_so() -> None:
    env = ours(3)
    env.reset(seed=0)
    play(env, 3)
    for _ in range(2):
        env.step(None)
    assert not env.agents
    with pytest.raises(IllegalAction, match=r"every agent has left it: call reset\(\)"):
        env.step(None)
