"""`BatchVectorEnv` is what Gymnasium expects of a vector environment with autoreset in the same step."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import theogony
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import OptionError
from theogony.wrappers import BatchVectorEnv


def make(num_envs=6, **arguments) -> Any:
    env = gymnasium.make_vec("theogony/PushOfFaith-v0", num_envs=num_envs, **arguments)
    assert isinstance(env, BatchVectorEnv)
    return env


def test_every_game_has_an_id_of_its_version() -> None:
    for name in theogony.games():
        spec = load(name)
        assert gymnasium.spec(f"theogony/{name.title().replace('_', '')}-v{spec.version}").kwargs == {"game": name}


def test_steps_are_those_of_the_batch_with_final_views_of_before_the_reset() -> None:
    env = make(players=3, opponents="random", reward="margin", seat="random")
    game = load("push_of_faith").configure({"players": 3})
    batch = Batch(game, 6, 1, seat="random", reward="margin", observation="float")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=1)
    episodes = 0
    for _ in range(60):
        assert observations.tobytes() == batch.observations.tobytes() and observations in env.observation_space
        assert (infos["action_mask"] == batch.masks).all() and infos["_action_mask"].all()
        assert (infos["seat"] == batch.rows["learner"]).all()
        actions = batch.sample()
        assert actions in env.action_space
        batch.step(actions)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        ended, finals = batch.ended()
        assert np.flatnonzero(terminations).tolist() == ended.tolist() and not truncations.any()
        assert rewards[ended].tolist() == finals.tolist() and not rewards[~terminations].any()
        assert ("final_obs" in infos) == bool(len(ended))
        for i in ended:
            assert infos["final_obs"][i].tobytes() == batch.last_observations[i].tobytes()
            assert infos["final_info"]["seat"][i] == batch.rows["ended_seat"][i]
            assert infos["final_info"]["action_mask"][i].all()
        if len(ended):
            assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == terminations.tolist()
            assert all(infos["final_obs"][i] is None for i in np.flatnonzero(~terminations))
        episodes += len(ended)
    assert episodes >= 15


def test_games_that_are_cut_off_are_truncated() -> None:
    env = make(seat=0, max_decisions=7)
    env.reset(seed=0)
    for k in range(1, 9):
        _, rewards, terminations, truncations, _ = env.step(env.batch.sample())
        assert not terminations.any() and not rewards.any()
        assert truncations.all() == truncations.any() == (k % 4 == 0)


def test_seeds_and_resets() -> None:
    env, other = make(), make()
    first, _ = env.reset(seed=3)
    assert first.tobytes() == other.reset(seed=3)[0].tobytes()
    assert env.reset()[0].tobytes() == other.reset()[0].tobytes() != first.tobytes()
    assert env.reset(seed=3)[0].tobytes() == first.tobytes() != env.reset(seed=4)[0].tobytes()
    assert env.np_random_seed == 4
    for options in (5, [1], "x"):
        with pytest.raises(TypeError, match="takes a dict or None, not "):
            env.reset(options=options)  # pyright: ignore[reportArgumentType]
    with pytest.raises(OptionError, match=r"reset\(options=...\) has no 'players': it takes none"):
        env.reset(seed=3, options={"players": 3})
    assert env.reset(seed=3, options={})[0].tobytes() == first.tobytes()


def test_results_are_fresh_at_every_step() -> None:
    env = make()
    first, info = env.reset(seed=3)
    kept, mask = first.copy(), info["action_mask"].copy()
    env.step(env.batch.sample())
    assert (first == kept).all() and (info["action_mask"] == mask).all()


@pytest.mark.skipif(gymnasium.__version__.startswith("1.2."), reason="counts a reset in the same step as a step there")
def test_statistics_of_gymnasium() -> None:
    env: Any = RecordEpisodeStatistics(make(num_envs=8))
    env.reset(seed=0)
    lengths: list[int] = []
    for _ in range(40):
        infos = env.step(env.unwrapped.batch.sample())[-1]
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert lengths == [18] * 16


def test_saved_and_restored_bit_by_bit() -> None:
    env, other = make(opponents="greedy:0.1"), make(opponents="greedy:0.1")
    env.reset(seed=0)
    for _ in range(25):
        env.step(env.batch.sample())
    other.load_state_dict(env.state_dict())
    for _ in range(30):
        actions = env.batch.sample()
        assert env.step(actions)[0].tobytes() == other.step(actions)[0].tobytes()


def test_bad_arguments_are_named() -> None:
    env = make()
    with pytest.raises(TypeError, match=r"a seed is an integer, not \[1, 2\]"):
        env.reset(seed=[1, 2])  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="takes no reset_mask"):
        env.reset(options={"reset_mask": np.ones(6, bool)})
    with pytest.raises(OptionError, match='seat="all" has no single reward'):
        make(seat="all")
    with pytest.raises(OptionError, match="has no option 'colour'"):
        make(colour="red")
