"""The network of an agent: SB3's masked policy with layers that policy and value may share."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from theogony.envs.core.game import Game
from theogony.training.config import Network

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}


class SharedLayers(BaseFeaturesExtractor):
    """Layers before the fork: policy and value see their output. Without any, the observation itself."""

    def __init__(self, observation_space: spaces.Box, widths: list[int], activation: str) -> None:
        inputs = int(np.prod(observation_space.shape))
        super().__init__(observation_space, widths[-1] if widths else inputs)
        layers: list[nn.Module] = []
        for width in widths:
            layers += [nn.Linear(inputs, width), ACTIVATIONS[activation]()]
            inputs = width
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Features (n, width) of observations (n, length)."""
        return self.layers(observations)


def policy_arguments(network: Network) -> dict[str, Any]:
    """The arguments of SB3's policy class for a network."""
    return {
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": ACTIVATIONS[network.activation],
        "features_extractor_class": SharedLayers,
        "features_extractor_kwargs": {"widths": list(network.shared), "activation": network.activation},
    }


def game_spaces(game: Game) -> tuple[spaces.Box, spaces.Discrete]:
    """Observation and action space of one seat."""
    return spaces.Box(game.features.low, game.features.high, dtype=np.float32), spaces.Discrete(game.actions.size)


def make_policy(game: Game, network: Network) -> MaskableActorCriticPolicy:
    """A policy for inference, weights not yet loaded. Leaves torch's generator as it was."""
    with torch.random.fork_rng(devices=[]):
        policy = MaskableActorCriticPolicy(
            *game_spaces(game), lr_schedule=lambda _: 0.0, ortho_init=False, **policy_arguments(network)
        )
    policy.set_training_mode(False)
    return policy


@torch.no_grad()
def act(
    policy: MaskableActorCriticPolicy,
    observations: np.ndarray,
    masks: np.ndarray,
    rng: np.random.Generator | None = None,
) -> np.ndarray:
    """The likeliest legal actions, int64 (n,); with `rng`, actions drawn from the policy by that generator."""
    distribution = policy.get_distribution(torch.from_numpy(np.ascontiguousarray(observations)), masks).distribution
    assert isinstance(distribution, MaskableCategorical)
    scores = distribution.logits.numpy()
    if rng is not None:
        scores = scores + rng.gumbel(size=scores.shape)  # the largest of these is a draw from the softmax
    return np.where(masks > 0, scores, -np.inf).argmax(axis=1)
