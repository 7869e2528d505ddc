"""The layers of policy and value where something goes past them, straight to the choice of the action."""

from __future__ import annotations

from typing import Any

import torch
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import nn


class LayersAfterFork(MlpExtractor):
    """The layers of policy and value after the fork; the last `past` features go to the choice of the action alone."""

    def __init__(self, features: int, past: int, net_arch: Any, activation: type[nn.Module], device: Any) -> None:
        super().__init__(features - past, net_arch, activation, device)
        self.past = past
        self.latent_dim_pi += past

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What both heads are made from."""
        seen, past = self._parts(features)
        return torch.cat([super().forward_actor(seen), past], 1), super().forward_critic(seen)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """What the choice is made from: the policy's layers, then what went past them."""
        seen, past = self._parts(features)
        return torch.cat([super().forward_actor(seen), past], 1)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """The value's layers."""
        return super().forward_critic(self._parts(features)[0])

    def _parts(self, features: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """What the layers see, and the rest: split at once, which has a cheaper gradient than slices."""
        return features.split([features.shape[1] - self.past, self.past], 1)
