"""Training on compact observations: it learns the same as on floats, in a quarter of the memory."""

from typing import Any

import numpy as np
import pytest
import torch

from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.training.config.engines import Sb3Config, Sb3Ppo
from theogony.training.config.file import rollout_bytes
from theogony.training.config.sections import Network
from theogony.training.learning.ppo import BatchPPO
from theogony.training.networks.policy import make_policy
from theogony.training.players.network import NetworkPlayer
from theogony.wrappers.sb3_vec import BatchVecEnv

FORMS: tuple[Any, Any] = ("float", "compact")


def learnt(game: Game, form: Any, lookahead: float) -> BatchPPO:
    """After a rollout of 4 decisions in 16 games, and its update."""
    network = Network(shared=[8], policy=[8], value=[8], lookahead=lookahead)
    settings = Sb3Ppo(total_steps=64, n_steps=4, batch_size=32, n_epochs=2, net_arch=network)
    env = BatchVecEnv(game, 16, 1, lookahead=lookahead > 0, observation=form)
    model = BatchPPO(env, settings, seed=1)
    model.start()
    model.rollout()
    model.train()
    return model


@pytest.mark.parametrize("lookahead", [0.0, 2.0])
def test_both_forms_learn_the_same(game: Game, lookahead: float) -> None:
    """The same weights, but for the last bits, and so the same decisions as a player."""
    floats, compact = (learnt(game, form, lookahead) for form in FORMS)
    assert not floats.policy.is_compact and compact.policy.is_compact
    other = compact.policy.state_dict()
    assert all(torch.allclose(weight, other[name], atol=1e-5) for name, weight in floats.policy.state_dict().items())
    views, rng = Views.of(compact.games.batch), np.random.default_rng(0)
    chances = [NetworkPlayer("", model.policy).probabilities(views, rng) for model in (floats, compact)]
    assert np.allclose(*chances, atol=1e-5) and make_policy(game, Network()).is_compact


def test_memory_of_a_rollout(game: Game) -> None:
    """Observations take a quarter, as what is said before a run begins, and masks are bool."""
    floats, compact = (learnt(game, form, 0.0).rollout_buffer for form in FORMS)
    assert compact.observations.dtype == np.uint8 and 4 * compact.observations.nbytes == floats.observations.nbytes
    assert all(buffer.action_masks.dtype == bool for buffer in (floats, compact))  # pyright: ignore
    configs = [
        Sb3Config.model_validate(
            {"game": "push_of_faith", "environment": {"num_envs": 16, "observation": form},
             "algorithm": {"total_steps": 64, "n_steps": 1000}}
        )
        for form in FORMS
    ]  # fmt: skip
    assert 3.4 < rollout_bytes(configs[0], game) / rollout_bytes(configs[1], game) < 4
