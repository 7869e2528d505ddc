"""RLlib's own wrapper of PettingZoo's environments plays every game to its end. `make rllib` runs this."""

import numpy as np
import pytest
from outside import GAMES, drawn

pytest.importorskip("ray", reason="make rllib installs it")

from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv  # pyright: ignore[reportMissingImports]

import theogony


@pytest.mark.parametrize("game", GAMES)
def test_whole_games(game: str) -> None:
    """A step gives the view of who decides next, often the same seat, and at the end those of all."""
    env, rng = PettingZooEnv(theogony.make(game)), np.random.default_rng(0)
    views, _ = env.reset(seed=3)
    again, rewards, ends = 0, {}, {"__all__": False}
    while not ends["__all__"]:
        ((agent, view),) = views.items()
        assert view in env.get_observation_space(agent)
        views, rewards, ends, _, infos = env.step({agent: int(drawn(view["action_mask"], rng))})
        assert all(list(info) == ["action_mask"] for info in infos.values())
        again += agent in views
    assert set(rewards) == set(views) == set(env.possible_agents) and any(rewards.values())
    assert again > 1, "a seat decides several times in a row"
