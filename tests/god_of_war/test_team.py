"""Who plays a team, and the reward for progress."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import theogony
from theogony.envs.core.game import OptionError
from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.state import SCENE_COMPLETED

GAME = "theogony.envs.god_of_war.game"


def play(env: gymnasium.Env, rng: np.random.Generator) -> tuple[set[int], list[float], bool]:
    """A game at random: the seats that the learner decided for, the rewards, whether it was terminated."""
    _, info = env.reset(seed=5)
    seats, rewards = set(), []
    while True:
        seats.add(info["seat"])
        _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        rewards.append(float(reward))
        if terminated or truncated:
            return seats, rewards, terminated


@pytest.mark.parametrize(("control", "seats"), [("team", {0, 1}), ("seat", {1})])
def test_the_learner_plays_the_team_or_one_hero(control: Any, seats: set[int]) -> None:
    arguments: dict[str, Any] = {} if control == "team" else {"seat": 1}
    env = theogony._make_single(GAME, players=2, control=control, reward="progress", **arguments)
    decided, rewards, terminated = play(env, np.random.default_rng(3))
    assert decided == seats
    assert terminated and not any(rewards[:-1]) and 0.0 < rewards[-1] < 1.0


def test_a_team_in_a_vector_environment() -> None:
    envs = theogony._make_vector(GAME, 2, players=2, control="team", seed=3)
    rng, seats = np.random.default_rng(1), set()
    _, infos = envs.reset(seed=3)
    for _ in range(60):
        seats |= set(infos["seat"].tolist())
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        _, rewards, terminations, _, infos = envs.step(actions)
        assert (rewards[terminations] == -1.0).all() and not rewards[~terminations].any()
    assert seats == {0, 1}


def test_wrong_control_is_refused() -> None:
    with pytest.raises(OptionError, match="control='hero' is not"):
        theogony._make_single(GAME, control="hero")  # pyright: ignore[reportArgumentType]
    with pytest.raises(OptionError, match='control="team" is for all seats: leave seat=1 out'):
        theogony._make_single(GAME, control="team", seat=1)
    with pytest.raises(ValueError, match='push_of_faith: control="team" is for cooperative games'):
        gymnasium.make("theogony/PushOfFaith-v0", control="team")


def test_progress_is_one_for_a_victory_and_counts_damage_in_a_defeat() -> None:
    position = Position(SPEC.configure({"players": 2, "scene": "wanderers"}), 3)
    assert not position.rewards("progress").any()  # it is paid at the end
    position.g.over = ENDED
    start = position.rewards("progress")
    slot = next(
        k for k in range(8) if position.tables[0].weight[position.g.scenario, k] >= 10 and not position.g.side[k]
    )
    position.g.hurt[slot] = 2
    assert 0.0 <= start[0] < position.rewards("progress")[0] < 1.0
    position.g.reason = SCENE_COMPLETED
    assert position.rewards("progress").tolist() == [1.0, 1.0]
