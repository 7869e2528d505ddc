"""What PettingZoo's pages and conversions do, on every game; its own tests are in tests/core/test_aec.py."""

import importlib
from typing import Any

import gymnasium
import numpy as np
import pytest
from outside import GAMES, drawn, id_of
from pettingzoo.utils import BaseWrapper, aec_to_parallel, turn_based_aec_to_parallel

import theogony


@pytest.mark.parametrize("game", GAMES)
def test_there_is_no_parallel_env_and_a_line_says_why(game: str) -> None:
    module = importlib.import_module(f"theogony.envs.{game}.{game}_v0")
    assert not hasattr(module, "parallel_env")
    with pytest.raises(AttributeError, match=r"seats decide one after another.*turn_based_aec_to_parallel") as caught:
        module.parallel_env()
    assert "\n" not in str(caught.value)
    with pytest.raises(AttributeError, match="no attribute 'parallel'"):
        _ = module.parallel


@pytest.mark.parametrize("game", GAMES)
def test_games_have_ids(game: str) -> None:
    pettingzoo = pytest.importorskip("pettingzoo", "1.27", reason="PettingZoo has ids since 1.27")
    env = pettingzoo.make("aec", id_of(game), players=3, reward="rank")
    env.reset(seed=3)
    same = theogony.make(game, players=3)
    same.reset(seed=3)
    assert env.unwrapped.key() == same.key()
    with pytest.raises(TypeError, match="did you mean 'max_decisions'"):
        pettingzoo.make("aec", id_of(game), max_decision=3)


def test_aec_to_parallel_refuses() -> None:
    env = theogony.make("push_of_faith")
    assert env.metadata["is_parallelizable"] is False
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(env)


@pytest.mark.parametrize("game", GAMES)
def test_turn_by_turn_a_parallel_interface_works(game: str) -> None:
    """As its page on CleanRL wants it: each step gives a view, a reward and the ends of every seat."""
    env, rng = turn_based_aec_to_parallel(theogony.make(game)), np.random.default_rng(1)
    observations, _ = env.reset(seed=1)
    totals, rewards = dict.fromkeys(env.possible_agents, 0.0), {}
    while env.agents:
        due = [agent for agent in env.agents if observations[agent]["action_mask"].any()]
        assert len(due) == 1, "one seat decides at a time"
        observations, rewards, *_ = env.step({due[0]: drawn(observations[due[0]]["action_mask"], rng)})
        totals = {agent: totals[agent] + rewards[agent] for agent in rewards}
    assert totals == rewards and any(totals.values())


@pytest.mark.parametrize("game", GAMES)
def test_the_loop_of_its_first_page(game: str) -> None:
    env = theogony.make(game)
    env.reset(seed=42)
    env.action_space("player_0").seed(42)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        totals[agent] += reward
        assert set(info) == {"action_mask"} and (info["action_mask"] == observation["action_mask"]).all()
        over = terminated or truncated
        assert observation["action_mask"].all() or not over
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert any(totals.values()) and env.agents == []


class AsInItsTutorial(BaseWrapper, gymnasium.Env):  # pyright: ignore[reportIncompatibleMethodOverride]
    """One environment of Gymnasium for all seats, as PettingZoo's page on Stable-Baselines3 makes it: what a step gives
    is the view and the reward of the seat that decides next, which is often the same one."""

    def reset(self, seed: Any = None, options: Any = None) -> Any:
        super().reset(seed, options)
        mine, inner = vars(self), vars(self)["env"]  # spaces in place of the methods of an AEC environment
        mine["observation_space"] = inner.observation_space(self.agent_selection)["observation"]
        mine["action_space"] = inner.action_space(self.agent_selection)
        return self.observe(self.agent_selection), {}

    def step(self, action: Any) -> Any:
        super().step(action)
        return super().last()

    def observe(self, agent: str) -> Any:
        return vars(self)["env"].observe(agent)["observation"]

    def action_mask(self) -> Any:
        return vars(self)["env"].observe(self.agent_selection)["action_mask"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_its_tutorial_for_stable_baselines(game: str) -> None:
    """MaskablePPO plays all seats, then a game against random moves."""
    sb3 = pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    from sb3_contrib.common.wrappers import ActionMasker

    env = AsInItsTutorial(theogony.make(game))
    env.reset(seed=1)
    masked = ActionMasker(env, AsInItsTutorial.action_mask)  # pyright: ignore[reportArgumentType]
    model = sb3.MaskablePPO("MlpPolicy", masked, n_steps=64, batch_size=64, n_epochs=1, policy_kwargs={"net_arch": [8]})
    model.learn(320)
    aec, rng = theogony.make(game), np.random.default_rng(0)
    aec.reset(seed=2)
    for agent in aec.agent_iter():
        view, _, terminated, truncated, _ = aec.last()
        if terminated or truncated:
            aec.step(None)
        elif agent == "player_0":
            aec.step(int(model.predict(view["observation"], action_masks=view["action_mask"], deterministic=True)[0]))
        else:
            aec.step(drawn(view["action_mask"], rng))
