"""The first layer of a network over observations, which are mostly zeros: only inputs that are not cost anything.

Several times faster than a matrix product, forwards and backwards. On the processor only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.jit import rule

ABREAST = 4  # rows that are added at once, so that the sum is read and written once for all of them


@rule
def _add_product(inputs, right, places, values, out):
    """`out += inputs @ right`; `places` and `values` are room for what is not zero in a row, and `ABREAST` more."""
    for b in range(inputs.shape[0]):
        found = 0
        for i in range(inputs.shape[1]):
            places[found] = i
            values[found] = inputs[b, i]
            found += inputs[b, i] != 0
        for k in range(found, found + ABREAST):
            places[k] = 0
            values[k] = 0
        total = out[b]
        for k in range(0, found, ABREAST):
            v0, v1, v2, v3 = values[k], values[k + 1], values[k + 2], values[k + 3]
            r0, r1, r2, r3 = right[places[k]], right[places[k + 1]], right[places[k + 2]], right[places[k + 3]]
            for j in range(right.shape[1]):
                total[j] += v0 * r0[j] + v1 * r1[j] + v2 * r2[j] + v3 * r3[j]


def _product(inputs: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(len(inputs), right.shape[1])
    room = inputs.shape[1] + ABREAST
    arrays = inputs.contiguous().numpy(), right.contiguous().numpy()
    _add_product(*arrays, np.empty(room, np.int64), np.empty(room, np.float32), out.numpy())
    return out


class _Sparse(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:  # pyright: ignore
        ctx.save_for_backward(inputs)
        return _product(inputs, weights.detach())

    @staticmethod
    def backward(ctx: Any, gradients: torch.Tensor) -> tuple[None, torch.Tensor]:  # pyright: ignore
        return None, _product(ctx.saved_tensors[0].T, gradients)


class _Turned(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: torch.Tensor) -> torch.Tensor:  # pyright: ignore
        return weights.T.contiguous()

    @staticmethod
    def backward(ctx: Any, gradients: torch.Tensor) -> torch.Tensor:  # pyright: ignore
        return gradients.T.contiguous()


def turned(weights: torch.Tensor) -> torch.Tensor:
    """The weights of a layer as `product` takes them. Their gradient is laid out as they are, which is added faster."""
    return _Turned.apply(weights)  # pyright: ignore[reportReturnType]


def product(inputs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """`inputs @ weights` for mostly empty inputs (n, inputs), float32 or uint8, and float32 (inputs, outputs)."""
    if inputs.device.type != "cpu":
        return inputs.float() @ weights
    return _Sparse.apply(inputs, weights)  # pyright: ignore[reportReturnType]


# ---- The first layer of a network that takes compact observations: codes become floats ---------------------------


class Decode(nn.Module):
    """Codes of a layout, of any type of number, as the floats that they stand for: `FeatureLayout.decode` in torch."""

    zeros: torch.Tensor
    scales: torch.Tensor

    def __init__(self, layout: FeatureLayout) -> None:
        super().__init__()
        self.register_buffer("zeros", torch.from_numpy(layout.zeros.copy()), persistent=False)
        self.register_buffer("scales", torch.from_numpy(layout.scales.copy()), persistent=False)
        self.has_zeros = bool(layout.zeros.any())

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
