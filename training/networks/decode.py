"""The first layer of a network that takes compact observations: codes become floats."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from theogony.envs.core.features import FeatureLayout
from theogony.training.networks.sparse import product, turned


class Decode(nn.Module):
    """Codes of a layout, of any type of number, as the floats that they stand for: `FeatureLayout.decode` in torch.

    With `entries`, an array of places in the observation, it takes the codes of these places alone.
    """

    zeros: torch.Tensor
    scales: torch.Tensor

    def __init__(self, layout: FeatureLayout, entries: np.ndarray | slice = slice(None)) -> None:
        super().__init__()
        zeros, scales = layout.zeros[entries], layout.scales[entries]
        self.register_buffer("zeros", torch.from_numpy(zeros.copy()), persistent=False)
        self.register_buffer("scales", torch.from_numpy(scales.copy()), persistent=False)
        self.has_zeros = bool(zeros.any())

    def into(self, layer: nn.Linear, codes: torch.Tensor, more: torch.Tensor | None = None) -> torch.Tensor:
        """What the layer gives for codes (n, length), and floats (n, k) behind them.

        Where rows are many, its weights are divided in place of them, and codes of 0, which most are, cost nothing.
        """
        if len(codes) < layer.out_features:
            return layer(self(codes) if more is None else torch.cat([self(codes), more], 1))
        weight, behind = layer.weight.split([codes.shape[1], layer.in_features - codes.shape[1]], 1)
        by_code = weight / self.scales
        bias = layer.bias - by_code @ self.zeros if self.has_zeros else layer.bias
        return product(codes, turned(by_code)) + (bias if more is None else nn.functional.linear(more, behind, bias))

    def forward(self, codes: torch.Tensor) -> torch.Tensor:
        """Floats (n, length) of codes (n, length)."""
        counts = codes.float()
        return (counts - self.zeros if self.has_zeros else counts) / self.scales
