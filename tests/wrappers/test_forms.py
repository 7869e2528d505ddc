"""Both forms of observation in every environment: the floats are what the codes stand for."""

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from pettingzoo.test import api_test

import theogony
from theogony.envs import load
from theogony.envs.core.thinking.lookahead_scores import batch_lookahead
from theogony.training.networks.layers import Decode
from theogony.wrappers.sb3_vec import BatchVecEnv, observation_space

LAYOUT = load("push_of_faith").configure().features
FORMS: tuple[Any, Any] = ("float", "compact")


def same(floats: np.ndarray, codes: np.ndarray) -> bool:
    return floats.dtype == np.float32 and codes.dtype == np.uint8 and floats.tobytes() == LAYOUT.decode(codes).tobytes()


@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_api() -> None:
    api_test(theogony.make("push_of_faith", observation="compact"), num_cycles=60)


def test_aec() -> None:
    one, other = (theogony.make("push_of_faith", players=2, observation=form) for form in FORMS)
    for env in (one, other):
        env.reset(seed=4)
    rng = np.random.default_rng(0)
    while not one.position.over:
        seen, codes = one.last()[0], other.last()[0]
        assert seen is not None and codes is not None
        assert same(seen["observation"], codes["observation"])
        assert codes["observation"] in other.observation_space("player_0")["observation"]  # pyright: ignore
        waiting = f"player_{1 - int(one.agent_selection[-1])}"
        assert same(one.observe(waiting)["observation"], other.observe(waiting)["observation"])
        assert other.state() in other.state_space and other.state().dtype == np.uint8
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        one.step(action)
        other.step(action)
    for agent in one.agents:  # after the end, too
        assert same(one.observe(agent)["observation"], other.observe(agent)["observation"])
    assert other.clone().observe("player_0")["observation"].dtype == np.uint8


def test_gymnasium() -> None:
    envs: list[Any] = [gymnasium.make("theogony/PushOfFaith-v0", observation=form) for form in FORMS]
    seen = [env.reset(seed=2)[0] for env in envs]
    ended, rng = False, np.random.default_rng(0)
    while not ended:
        assert same(*seen) and seen[1] in envs[1].observation_space
        action = int(rng.choice(np.flatnonzero(envs[0].unwrapped.action_masks())))
        steps = [env.step(action) for env in envs]
        seen, ended = [step[0] for step in steps], steps[0][2]


def test_gymnasium_vector() -> None:
    envs: list[Any] = [gymnasium.make_vec("theogony/PushOfFaith-v0", 6, observation=form) for form in FORMS]
    seen = [env.reset(seed=2)[0] for env in envs]
    finals = 0
    for _ in range(40):
        assert same(*seen) and seen[1] in envs[1].observation_space
        actions = envs[0].batch.sample()
        steps = [env.step(actions) for env in envs]
        seen, infos = [step[0] for step in steps], [step[4] for step in steps]
        for row in np.flatnonzero(infos[0].get("_final_obs", ())):
            assert same(*(info["final_obs"][row] for info in infos))
            finals += 1
    assert finals >= 12


def test_stable_baselines() -> None:
    envs: list[Any] = [theogony.make_vec("push_of_faith", 6, seed=3, observation=form) for form in FORMS]
    seen = [env.reset() for env in envs]
    finals = 0
    for _ in range(40):
        assert same(*seen) and envs[1].observation_space.contains(seen[1][0])
        actions = envs[0].batch.sample()
        steps = [env.step(actions) for env in envs]
        seen = [step[0] for step in steps]
        for one, other in zip(steps[0][3], steps[1][3], strict=True):
            if one:
                assert same(one["terminal_observation"], other["terminal_observation"])
                finals += 1
    assert finals >= 12


def test_lookahead_scores_are_in_a_compact_observation_as_their_bytes() -> None:
    game = load("push_of_faith").configure()
    env = BatchVecEnv(game, 4, 1, lookahead=True, observation="compact")
    seen = env.reset()
    assert seen.dtype == np.uint8 and seen.shape == (4, LAYOUT.length + 4 * game.actions.size)
    assert env.observation_space == observation_space(game, True, "compact") and env.observation_space.contains(seen[0])
    scores = seen[:, LAYOUT.length :].copy().view(np.float32)
    assert scores.tobytes() == batch_lookahead(env.batch).tobytes()


def test_the_first_layer_of_a_network_decodes() -> None:
    codes = np.random.default_rng(0).integers(0, LAYOUT.highest + 1, size=(9, LAYOUT.length), dtype=np.uint8)
    for given in (torch.from_numpy(codes), torch.from_numpy(codes).float()):
        assert Decode(LAYOUT)(given).numpy().tobytes() == LAYOUT.decode(codes).tobytes()
    assert not Decode(LAYOUT).state_dict()  # nothing of it is a weight
