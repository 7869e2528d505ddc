"""The first layer of a network that takes compact observations: codes become floats."""

from __future__ import annotations

import torch
from torch import nn

from theogony.envs.core.features import FeatureLayout


class Decode(nn.Module):
    """Codes of a layout, of any type of number, as the floats that they stand for: `FeatureLayout.decode` in torch."""

    zeros: torch.Tensor
    scales: torch.Tensor

    def __init__(self, layout: FeatureLayout) -> None:
        super().__init__()
        self.register_buffer("zeros", torch.from_numpy(layout.zeros.copy()), persistent=False)
        self.register_buffer("scales", torch.from_numpy(layout.scales.copy()), persistent=False)
        self.has_zeros = bool(layout.zeros.any())

    def forward(self, codes: torch.Tensor) -> torch.Tensor:
        """Floats (n, length) of codes (n, length)."""
        counts = codes.float()
        return (counts - self.zeros if self.has_zeros else counts) / self.scales
