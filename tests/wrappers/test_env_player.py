"""Players in two lines: `player = theogony.player("greedy", env)`, `env.step(player.act(env))`."""

import gymnasium
import numpy as np
import pytest
from pettingzoo.classic import connect_four_v3

import theogony
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import OptionError
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.push_of_faith.game import SPEC
from theogony.wrappers import SingleAgentEnv, TimeLimit

NAMES = ("random", "greedy:0.5", "reference", "mcts:4")


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_played_to_its_end(name: str) -> None:
    env = theogony.make("push_of_faith")
    env.reset(seed=1)
    player = theogony.player(name, env, seed=2)
    assert player.name == name
    for _ in env.agent_iter():
        env.step(player.act(env))
    assert not env.agents


def test_a_seed_decides_what_a_player_draws() -> None:
    def actions(seed: int) -> list[int]:
        env = theogony.make("push_of_faith")
        env.reset(seed=1)
        player = theogony.player("random", env, seed=seed)
        while not env.position.over:
            env.step(player.act(env))
        return env.position.actions

    assert actions(5) == actions(5) != actions(6)


def test_players_play_in_every_environment_of_the_project() -> None:
    single = gymnasium.make("theogony/PushOfFaith-v0", disable_env_checker=True)
    single.reset(seed=0)
    single.step(theogony.player("greedy", single).act(single))
    limited = TimeLimit(theogony.make("push_of_faith"), 5)
    limited.reset(seed=0)
    player = theogony.player("greedy", limited)
    for _ in limited.agent_iter():
        limited.step(player.act(limited))
    for many in (theogony.make_vec("push_of_faith", 4, seed=0), Batch(SPEC.configure({}), 4, 0)):
        player = theogony.player("greedy", many)
        many.reset()
        actions = player.act(many)
        assert actions.shape == (4,)
        many.step(actions)


def test_a_position_is_played_to_its_end() -> None:
    position = Position(SPEC.configure({"players": 3}), 5)
    player = theogony.player("greedy", position, seed=1)
    assert repr(player) == "<player 'greedy' of <Push of Faith players=3>>"
    while (action := player.act(position)) is not None:
        position.play(action)
    assert position.over and position.rewards().any()


def test_a_position_of_drawn_components_is_played() -> None:
    position = Position(SPEC.configure({"components": "random:3-5"}), 5)
    player = theogony.player("mcts:4", position, seed=1)
    for seed in range(4):
        position.reset(seed)
        position.play(player.act(position))


def test_a_policy_is_a_player() -> None:
    env = theogony.make("push_of_faith", players=3)
    env.reset(seed=0)
    seen = []

    def last(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        seen.append((observations.shape, int(seats[0])))
        return np.flatnonzero(masks[0])[-1:]

    player = theogony.player(last, env)
    for _ in range(4):
        env.step(player.act(env))
    assert {shape for shape, _ in seen} == {(1, env.game.features.length)}
    assert {seat for _, seat in seen} > {0}


def test_what_cannot_play_says_so() -> None:
    env = theogony.make("push_of_faith")
    with pytest.raises(PlayerError, match="no environment of theogony"):
        theogony.player("random", connect_four_v3.env())
    with pytest.raises(PlayerError, match="there is no player 'clever'"):
        theogony.player("clever", env)
    with pytest.raises(RuntimeError, match="call reset"):
        theogony.player("random", env).act(env)
    with pytest.raises(OptionError, match="opponents= has no meaning in an AEC environment"):
        theogony.make("push_of_faith", opponents="greedy")
    with pytest.raises(OptionError, match=r"seat= has no meaning .* gymnasium\.make"):
        theogony.make("push_of_faith", seat=0)
    env.reset(seed=0)
    bad = theogony.player(lambda observations, masks, seats: masks.argmin(1), env)
    with pytest.raises(IllegalAction):
        env.step(bad.act(env))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda masks: masks.argmax(1).astype(float),
        lambda masks: masks.argmax(1)[:0],
        lambda masks: np.append(masks.argmax(1), 3),
        lambda masks: [True] * len(masks),
        lambda masks: None,
    ],
)
def test_what_a_policy_gives_is_looked_at(wrong) -> None:
    def policy(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return wrong(masks)

    env, batch = theogony.make("push_of_faith"), Batch(SPEC.configure({}), 2, 0)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="player 'policy' gives 1 integer actions, not"):
        theogony.player(policy, env).act(env)
    with pytest.raises(ValueError, match="player 'policy' gives 2 integer actions, not"):
        theogony.player(policy, batch).act(batch)
    with pytest.raises(ValueError, match="the opponent player_0 gives 1 integer actions, not"):
        SingleAgentEnv(env, seat=1, opponents=policy).reset(seed=0)
