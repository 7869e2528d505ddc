"""What PettingZoo's conversions make of our environments."""

import importlib

import numpy as np
import pytest
from pettingzoo.utils import aec_to_parallel, turn_based_aec_to_parallel

import theogony


@pytest.mark.parametrize("game", theogony.games())
def test_there_is_no_parallel_env_and_a_line_says_why(game: str) -> None:
    module = importlib.import_module(f"theogony.envs.{game}.{game}_v0")
    assert not hasattr(module, "parallel_env")
    with pytest.raises(AttributeError, match=r"seats decide one after another.*turn_based_aec_to_parallel") as caught:
        module.parallel_env()
    assert "\n" not in str(caught.value)
    with pytest.raises(AttributeError, match="no attribute 'parallel'"):
        _ = module.parallel


@pytest.mark.parametrize("game", theogony.games())
def test_games_have_ids(game: str) -> None:
    pettingzoo = pytest.importorskip("pettingzoo", "1.27", reason="PettingZoo has ids since 1.27")
    env = pettingzoo.make("aec", f"theogony/{game.title().replace('_', '')}-v0", players=3, reward="rank")
    env.reset(seed=3)
    same = theogony.make(game, players=3)
    same.reset(seed=3)
    assert env.unwrapped.key() == same.key()
    with pytest.raises(TypeError, match="did you mean 'max_decisions'"):
        pettingzoo.make("aec", f"theogony/{game.title().replace('_', '')}-v0", max_decision=3)


def test_aec_to_parallel_refuses() -> None:
    env = theogony.make("push_of_faith")
    assert env.metadata["is_parallelizable"] is False
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(env)


def test_turn_by_turn_a_parallel_interface_works() -> None:
    env = turn_based_aec_to_parallel(theogony.make("push_of_faith", players=3))
    observations, _ = env.reset(seed=1)
    decisions, totals, rewards = 0, dict.fromkeys(env.possible_agents, 0.0), {}
    while env.agents:
        due = [agent for agent in env.agents if observations[agent]["action_mask"].any()]
        assert len(due) == 1, "one seat decides at a time"
        legal = np.flatnonzero(observations[due[0]]["action_mask"])
        observations, rewards, *_ = env.step({due[0]: int(legal[0])})
        decisions += 1
        totals = {agent: totals[agent] + rewards[agent] for agent in rewards}
    assert decisions == 54 and totals == rewards and sum(rewards.values()) == pytest.approx(0)
