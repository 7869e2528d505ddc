"""The first layer of a network over observations, which are mostly zeros: only inputs that are not cost anything.

Several times faster than a matrix product, forwards and backwards. On the processor only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from theogony.envs.core.jit import rule


@rule
def _add_product(inputs, transposed, right, out):
    """`out += inputs @ right`, or `inputs.T @ right`."""
    for b in range(inputs.shape[0]):
        for i in range(inputs.shape[1]):
            x = inputs[b, i]
            if x != 0.0:
                row, inner = (i, b) if transposed else (b, i)
                for j in range(right.shape[1]):
                    out[row, j] += x * right[inner, j]


class _Sparse(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:  # pyright: ignore
        ctx.save_for_backward(inputs, weights)
        out = np.zeros((len(inputs), weights.shape[1]), np.float32)
        _add_product(inputs.numpy(), False, weights.detach().numpy(), out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, gradients: torch.Tensor) -> tuple[None, torch.Tensor]:  # pyright: ignore
        inputs, weights = ctx.saved_tensors
        out = np.zeros(weights.shape, np.float32)
        _add_product(inputs.numpy(), True, gradients.contiguous().numpy(), out)
        return None, torch.from_numpy(out)


def product(inputs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """`inputs @ weights` for mostly empty inputs, float32 (n, inputs) and (inputs, outputs)."""
    if inputs.device.type != "cpu":
        return inputs @ weights
    return _Sparse.apply(inputs, weights)  # pyright: ignore[reportReturnType]
