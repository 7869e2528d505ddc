"""The AEC environment: PettingZoo's own tests on the bare environment, and what it promises beyond them."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import torch
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import TerminateIllegalWrapper

import theogony
from theogony.envs import push_of_faith_v0
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.aec import GameEnv
from theogony.envs.core.game import OptionError
from theogony.wrappers import TimeLimit

GAMES = theogony.games()


def play(env: GameEnv, decisions: int, seed: int = 0) -> None:
    """Random legal decisions, stopping before the end of the game."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        mask = env.last()[0]["action_mask"]  # pyright: ignore[reportOptionalSubscript]
        env.step(int(rng.choice(np.flatnonzero(mask))))


@pytest.fixture
def env() -> GameEnv:
    env = push_of_faith_v0.env(players=3)
    env.reset(seed=1)
    return env


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_api(name: str) -> None:
    api_test(theogony.make(name), num_cycles=300)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_seed(name: str) -> None:
    seed_test(lambda: theogony.make(name), num_cycles=300)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_render(name: str) -> None:
    make: Any = lambda render_mode: theogony.make(name, render_mode=render_mode)  # noqa: E731
    render_test(make)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_state(name: str) -> None:
    check_state_space(theogony.make(name))
    check_state(TerminateIllegalWrapper(theogony.make(name), illegal_reward=-1), num_cycles=10)


@pytest.mark.parametrize("name", GAMES)
def test_state_lies_in_its_space_in_masked_play(name: str) -> None:
    env = theogony.make(name)
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in env.agent_iter():
        state = env.state()
        assert env.state_space.contains(state)
        observation, _, terminated, truncated, _ = env.last()
        assert observation is not None
        if terminated or truncated:
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))


def test_masks_are_zero_off_turn_and_the_same_in_info(env: GameEnv) -> None:
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert (mask == env.infos[agent]["action_mask"]).all()
        assert mask.any() == (agent == env.agent_selection)
    assert env.last()[4] is env.infos[env.agent_selection]


def test_every_call_gives_fresh_arrays(env: GameEnv) -> None:
    first, second = env.last()[0], env.last()[0]
    assert first is not None and second is not None
    first["observation"][:] = 7
    first["action_mask"][:] = 0
    assert not (second["observation"] == 7).any() and second["action_mask"].any()
    play(env, 1)


def test_rewards_come_once_at_the_end_and_sum_to_zero(env: GameEnv) -> None:
    play(env, 53)
    assert all(reward == 0 for reward in env.rewards.values())
    play(env, 1)
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert all(env.terminations.values()) and not any(env.truncations.values())
    for agent in list(env.agents):
        observation, _, _, _, info = env.last()
        assert observation is not None and observation["action_mask"].all() and info["action_mask"].all()
        assert env.breakdown(agent)["score"] == env.scores()[agent] and set(info) == {"action_mask"}
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), GameEnv.clone])
def test_a_copy_goes_its_own_way_in_mid_game(env: GameEnv, copied: object) -> None:
    play(env, 20)
    other = copied(env)  # type: ignore[operator]
    before = env.key()
    assert other.key() == before
    play(other, 3)
    assert env.key() == before and other.key() != before
    for _ in range(3):
        other.undo()
    assert other.key() == before and other.agent_selection == env.agent_selection


def test_undo_takes_back_the_end_of_a_game(env: GameEnv) -> None:
    play(env, 53)
    before, agent = env.key(), env.agent_selection
    play(env, 1)
    env.undo()
    assert env.key() == before and env.agent_selection == agent
    assert not any(env.terminations.values()) and set(env.rewards.values()) == {0.0}


def test_games_without_a_seed_follow_from_the_last_seed(env: GameEnv) -> None:
    other = push_of_faith_v0.env(players=3)
    other.reset(seed=1)
    env.reset()
    other.reset()
    assert env.key() == other.key()


def test_a_cut_off_game_is_truncated_and_pays_nothing() -> None:
    env = push_of_faith_v0.env(max_decisions=5)
    env.reset(seed=0)
    play(env, 5)
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert set(env.rewards.values()) == {0.0}


def test_an_illegal_action_is_named_and_changes_nothing(env: GameEnv) -> None:
    before = env.key()
    with pytest.raises(IllegalAction, match=r"action 60 \('place at .* is not legal for seat 0; legal: 'push N to a'"):
        env.step(60)
    with pytest.raises(IllegalAction, match="ids go from 0 to 123"):
        env.step(500)
    with pytest.raises(IllegalAction, match="an action is an integer id, not 'push'"):
        env.step("push")
    for wrong in (True, np.True_, np.array(True), torch.tensor(True)):
        with pytest.raises(IllegalAction, match=r"an action is an integer id, not .*True"):
            env.step(wrong)
    for wrong in (np.array([60]), torch.tensor([60]), np.array([[60]])):
        with pytest.raises(IllegalAction, match=r"of shape \(1,.*\): take the entry"):
            env.step(wrong)
    assert env.key() == before
    env.step(torch.tensor(int(env.position.legal_actions()[0])))
    env.step(np.array(env.position.legal_actions()[0]))


def test_actions_after_the_end_are_refused(env: GameEnv) -> None:
    play(env, 54)
    with pytest.raises(IllegalAction, match="the game is over: player_0 takes no action but None, not 3"):
        env.step(3)
    for _ in range(3):
        env.step(None)
    with pytest.raises(IllegalAction, match=r"call reset\(\)"):
        env.step(None)


def test_a_step_before_reset_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"call reset\(\) before step\(\)"):
        push_of_faith_v0.env().step(0)


ASKED = {
    "last": lambda env: env.last(),
    "observe": lambda env: env.observe("player_0"),
    "agent_iter": lambda env: list(env.agent_iter()),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "clone": lambda env: env.clone(),
    "undo": lambda env: env.undo(),
    "key": lambda env: env.key(),
    "svg": lambda env: env.svg(),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_what_is_asked_before_reset_says_so(ask: Any) -> None:
    env = push_of_faith_v0.env(render_mode="ansi")
    for asked in (env, TimeLimit(env, 5)):
        with pytest.raises(RuntimeError, match=r"call reset\(\) before asking GameEnv for "):
            ask(asked)


NAMES = ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "position")


@pytest.mark.parametrize("name", NAMES)
def test_there_is_no_such_attribute_before_reset(name: str) -> None:
    env = push_of_faith_v0.env()
    assert not hasattr(env, name)
    with pytest.raises(AttributeError, match=rf"call reset\(\) before asking GameEnv for '{name}'"):
        getattr(env, name)
    env.reset(seed=0)
    assert hasattr(env, name)
    with pytest.raises(AttributeError, match="'GameEnv' object has no attribute 'nonsense'"):
        env.nonsense  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_before_reset(copied: Any) -> None:
    other = copied(push_of_faith_v0.env(players=3))
    other.reset(seed=1)
    assert other.num_agents == 3


def test_other_names_than_those_of_agents_are_refused(env: GameEnv) -> None:
    for ask in (env.observe, env.action_space, env.observation_space):
        for name in ("player_9", 0):
            with pytest.raises(ValueError, match=rf"there is no agent {name!r}, only player_0, player_1, player_2"):
                ask(name)  # pyright: ignore[reportArgumentType]


def test_a_clone_is_of_the_same_class_and_has_its_own_action_space() -> None:
    class Own(GameEnv):
        pass

    env = Own(push_of_faith_v0.env().game)
    env.reset(seed=1)
    env.action_space("player_0").seed(5)
    other = env.clone()
    assert type(other) is Own and other.action_space("player_0") is not env.action_space("player_0")
    drawn = [[made.action_space("player_1").sample() for _ in range(5)] for made in (other, env)]
    assert drawn[0] == drawn[1]


def test_infos_have_the_same_key_at_every_step(env: GameEnv) -> None:
    for _ in range(54):
        for info in (env.last()[4], *env.infos.values()):
            assert list(info) == ["action_mask"]
        play(env, 1)
    assert all(list(info) == ["action_mask"] for info in (env.last()[4], *env.infos.values()))


def test_scores_and_their_reasons_are_told_at_the_end(env: GameEnv) -> None:
    for ask in (lambda: env.breakdown("player_0"), env.scores):
        with pytest.raises(RuntimeError, match="told when the game is over"):
            ask()
    play(env, 54)
    assert list(env.scores().values()) == env.position.scores().tolist()
    assert "score" in env.breakdown("player_2")
    with pytest.raises(ValueError, match="there is no agent 'player_3'"):
        env.breakdown("player_3")


def test_reset_takes_no_options(env: GameEnv) -> None:
    env.reset(seed=1, options={})
    before = env.key()
    with pytest.raises(TypeError, match="takes a dict or None, not list"):
        env.reset(options=[1])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"has no 'players': .*Options of the game \(players, .*when the env"):
        env.reset(options={"players": 3})
    assert env.key() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 6}, "push_of_faith is for 2, 3, 4 or 5 players, not 6"),
        ({"colour": "red"}, "push_of_faith has no option 'colour'; its options are players"),
        ({"reward": "gold"}, "reward='gold' is not one of outcome, rank, margin"),
        ({"render_mode": "hologram"}, "render_mode='hologram' is not one of human, ansi, rgb_array"),
        ({"refill": "never"}, "push_of_faith: option refill='never'"),
        ({"render_seat": 2}, "render_seat=2: a viewer is a seat from 0 to 1, 'all' or None"),
        ({"render_seat": "1"}, "render_seat='1': a viewer is a seat"),
        ({"render_seat": True}, "render_seat=True: a viewer is a seat"),
    ],
)
def test_bad_options_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        push_of_faith_v0.env(**arguments)


@pytest.mark.parametrize("name", GAMES)
def test_pictures_and_texts_are_for_those_at_the_table(name: str) -> None:
    env = theogony.make(name, players=2, render_mode="ansi", render_seat=np.int64(1))
    env.reset(seed=1)
    assert env.render() and env.render_seat == 1 and env.svg(np.int8(0)) == env.svg(0)  # pyright: ignore[reportArgumentType]
    wrong: list[Any] = [2, -1, "1", 1.0, True, ["all"]]
    for viewer in wrong:
        env.render_seat = viewer
        for ask in (env.render, env._repr_svg_, lambda viewer=viewer: env.position.svg(viewer)):
            with pytest.raises(ValueError, match="a viewer is a seat from 0 to 1, 'all' or None"):
                ask()
