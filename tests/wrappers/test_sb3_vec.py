"""`BatchVecEnv` is what Stable-Baselines3 expects of a vector environment."""

import subprocess
import sys
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecNormalize

import theogony
from theogony.console.extras import install
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import OptionError


@cache
def game(**options):
    return load("push_of_faith").configure(options)


def make(num_envs=6, seed=1, **arguments) -> Any:
    return theogony.make_vec("push_of_faith", num_envs, seed=seed, **arguments)


def test_steps_are_those_of_the_batch_and_terminal_observations_of_before_the_reset() -> None:
    env = make(opponents="greedy:0.2", reward="margin")
    batch = Batch(game(), 6, 1, seat="random", opponents="greedy:0.2", reward="margin", observation="float")
    assert env.reset().tobytes() == batch.observations.tobytes()
    placed = game().features.slices()["placed"]
    episodes = 0
    for _ in range(60):
        actions = batch.sample()
        batch.step(actions)
        observations, rewards, dones, infos = env.step(actions)
        assert observations.dtype == np.float32 and observations.tobytes() == batch.observations.tobytes()
        assert rewards.dtype == np.float32 and rewards.shape == (6,) and dones.dtype == bool
        ended, finals = batch.ended()
        assert np.flatnonzero(dones).tolist() == ended.tolist()
        assert rewards[ended].tolist() == finals.astype(np.float32).tolist() and not rewards[~dones].any()
        for i in range(6):
            if not dones[i]:
                assert infos[i] == {}
                continue
            episodes += 1
            terminal = infos[i]["terminal_observation"]
            assert terminal.tobytes() == batch.last_observations[i].tobytes()
            assert (terminal[placed] == 1).all() and (observations[i][placed] < 1).all()
            assert infos[i]["TimeLimit.truncated"] is False
            assert infos[i]["episode"]["r"] == batch.rows["rewards"][i][infos[i]["seat"]]
            assert infos[i]["episode"]["l"] == 18 and infos[i]["episode"]["t"] >= 0
    assert episodes >= 15


def test_results_are_fresh_at_every_step() -> None:
    """SB3 stores an observation after the next step was made; a changed info must not show up elsewhere."""
    env = make()
    first = env.reset()
    kept = first.copy()
    second, _, _, infos = env.step(env.batch.sample())
    infos[0]["mine"] = 1
    second_kept = second.copy()
    _, _, _, later = env.step(env.batch.sample())
    assert (first == kept).all() and (second == second_kept).all()
    assert infos[1] == {} and later[0] == {}


def test_games_that_are_cut_off_are_truncated() -> None:
    env = make(seat=0, max_decisions=7)
    env.reset()
    done_infos = []
    for _ in range(9):
        _, rewards, _, infos = env.step(env.batch.sample())
        assert not rewards.any()
        done_infos += [info for info in infos if info]
    assert len(done_infos) == 12  # the learner makes 4 of each 7 decisions
    assert all(info["TimeLimit.truncated"] is True and info["episode"]["l"] == 4 for info in done_infos)


def test_seeds_and_resets() -> None:
    env, same = make(seed=5), make(seed=5)
    first = env.reset()
    assert first.tobytes() == same.reset().tobytes()
    second = env.reset()
    assert second.tobytes() == same.reset().tobytes() != first.tobytes()
    env.seed(5)
    assert env.reset().tobytes() == first.tobytes()
    assert make(seed=6).reset().tobytes() != first.tobytes()


def test_access_by_sb3() -> None:
    env = make()
    env.reset()
    assert is_masking_supported(env) and env.has_attr("action_masks") and not env.has_attr("no_such_thing")
    masks = get_action_masks(env)
    assert masks.dtype == bool and (masks == env.batch.masks).all() and (env.action_masks() == masks).all()
    assert (np.stack(env.env_method("action_masks", indices=[4, 2])) == masks[[4, 2]]).all()
    assert (env.env_method("action_masks", indices=3)[0] == masks[3]).all()
    assert env.get_attr("render_mode") == [None] * 6 and env.get_attr("num_envs", indices=[1, 2]) == [6, 6]
    assert env.env_is_wrapped(Monitor) == [True] * 6 and env.env_is_wrapped(VecNormalize) == [False] * 6
    with pytest.raises(AttributeError, match="no method 'render'"):
        env.env_method("render")
    env.set_attr("opponents", [(1, "greedy")])
    assert env.get_attr("opponents")[0] == [(1.0, "greedy:1")]
    with pytest.raises(ValueError, match="opponents is of the whole batch"):
        env.set_attr("opponents", "random", indices=[0])


def test_training_and_evaluation_by_sb3() -> None:
    env = make(num_envs=8, opponents="random", reward="margin")
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=20, batch_size=80, n_epochs=1, seed=0, policy_kwargs={"net_arch": [8]}
    )
    model.learn(320)
    assert model.num_timesteps == 320
    assert model.ep_info_buffer is not None and {entry["l"] for entry in model.ep_info_buffer} == {18}
    rewards, lengths = cast(
        tuple[list, list], evaluate_policy(model, env, n_eval_episodes=8, return_episode_rewards=True)
    )
    assert len(rewards) == 8 and set(lengths) == {18}


def test_saved_and_restored_bit_by_bit() -> None:
    env = make(opponents="greedy:0.1")
    env.reset()
    for _ in range(25):
        env.step(env.batch.sample())
    other = make(seed=77, opponents="greedy:0.1")
    other.load_state_dict(env.state_dict())
    for _ in range(40):
        actions = env.batch.sample()
        one, two = env.step(actions), other.step(actions)
        assert one[0].tobytes() == two[0].tobytes() and one[1].tobytes() == two[1].tobytes()
    assert env.reset().tobytes() == other.reset().tobytes()


def test_all_seats_have_no_single_reward() -> None:
    with pytest.raises(OptionError, match='seat="all" has no single reward'):
        make(seat="all")


@pytest.mark.slow
def test_without_stable_baselines3() -> None:
    """It is an extra: everything else imports without it, and what needs it says so."""
    script = """
import sys
sys.modules["stable_baselines3"] = None
import theogony.wrappers
from theogony.wrappers import BatchVectorEnv, SingleAgentEnv, TimeLimit
try:
    theogony.make_vec("push_of_faith", 2)
except ModuleNotFoundError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == f"BatchVecEnv needs stable-baselines3: {install('train')}"
