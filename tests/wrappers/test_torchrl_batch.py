"""`TorchRLBatch` plays what a `Batch` plays, and is an environment as TorchRL wants it."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torchrl", reason="needs the extra `examples`")
import torch
from torchrl.envs import StepCounter, TransformedEnv
from torchrl.envs.utils import check_env_specs

from theogony.envs import load
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import Batch
from theogony.wrappers import TorchRLBatch

GAME = load("push_of_faith").configure({"players": 3})
HOW: dict[str, Any] = {"seat": "random", "opponents": "greedy:0.5", "reward": "margin"}


@pytest.mark.parametrize("observation", ["compact", "float"])
def test_torchrl_finds_no_fault(observation: Any) -> None:
    check_env_specs(TorchRLBatch(GAME, 3, 0, observation=observation))


def test_steps_are_those_of_the_batch() -> None:
    envs, batch = TorchRLBatch(GAME, 6, 1, **HOW), Batch(GAME, 6, 1, **HOW, observation="compact")
    seen, games = envs.reset(), 0
    for _ in range(40):
        assert (seen["observation"].numpy() == batch.observations).all()
        assert (seen["action_mask"].numpy() == batch.masks).all()
        actions = batch.sample()
        batch.step(actions)
        step, seen = envs.step_and_maybe_reset(seen.set("action", torch.from_numpy(actions)))
        ended, final = batch.ended()
        found, rewards = step["next"], step["next", "reward"].flatten()
        assert np.flatnonzero(found["done"]).tolist() == np.flatnonzero(found["terminated"]).tolist() == ended.tolist()
        assert rewards[ended].tolist() == final.astype(np.float32).tolist()
        assert (found["observation"].numpy()[ended] == batch.last_observations[ended]).all()
        games += len(ended)
    assert games == 12, "two a row"


def test_a_game_that_is_not_over_is_not_said_to_begin_anew() -> None:
    """Not where some are to, which a limit of steps from outside asks for; where all are to, they do."""
    games = TorchRLBatch(GAME, 2, 0)
    envs = TransformedEnv(games, StepCounter())
    seen = envs.rand_action(envs.reset())
    _, seen = envs.step_and_maybe_reset(seen)
    seen = seen.set("_reset", torch.tensor([[True], [False]]))
    with pytest.raises(ValueError, match=r"games \[0\] are not over, .* the option max_decisions"):
        envs.reset(seen)
    assert (games.batch.rows["length"] == 1).all()
    envs.reset(seen.set("_reset", torch.tensor([[True], [True]])))
    assert (games.batch.rows["length"] == 0).all()


def test_an_illegal_action_leaves_every_game_as_it_was() -> None:
    envs = TorchRLBatch(GAME, 3, 0)
    seen = envs.reset()
    with pytest.raises(IllegalAction):
        envs.step(seen.clone().set("action", seen["action_mask"].int().argmin(1)))
    assert (envs.batch.observations == seen["observation"].numpy()).all()
