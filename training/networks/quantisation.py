"""Weights in a byte each: a matrix as whole numbers, times a step of each row and one of each column.

Rounding every weight by itself would cost a policy many of its choices. Here the columns of a matrix are rounded one
after the other, and what rounding one changes in the outputs, over inputs that the policy meets in play, is made good
in the columns that are still to come (Frantar et al. 2023, GPTQ). Columns of inputs that are seldom set get larger
steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.training.networks.policy import AgentPolicy, act
from theogony.training.networks.weights import COLUMNS, ROWS, Tensors, weights_of

MOST = 127  # the largest whole number of a byte
STEP = 0.3  # of the root mean square of a row: larger ones compress better, and change more choices
SELDOM, RANGE = 0.25, (0.25, 8.0)  # how steps of columns grow with the rarity of their inputs, and within what
DAMPING = 0.01  # of the mean square of an input, as if all inputs had a little noise of their own
OBSERVED, GAMES, KEPT = 12_000, 128, 0.25  # positions that are looked at: games at once, share of their decisions
SMALL = 256  # rows that a layer takes as they are: its product for many would pass by its hooks
BLOCK = 64  # columns that are made good one by one; those behind them once a block


def observations_of(policy: AgentPolicy, game: Game) -> np.ndarray:
    """Codes (OBSERVED, length) that the policy meets where it plays every seat."""
    batch = Batch(game, GAMES, 7)
    rng, seen, count = np.random.default_rng(0), [], 0
    while count < OBSERVED:
        kept = batch.codes[rng.random(GAMES) < KEPT]
        seen.append(kept)
        count += len(kept)
        batch.step(act(policy, batch.codes, batch.masks, rng))
    return np.concatenate(seen)[:OBSERVED]


def rounded_weights(policy: AgentPolicy, observations: np.ndarray, step: float = STEP) -> Tensors:
    """The weights of a policy with all matrices in bytes; the rest, which is little, in half precision."""
    weights = weights_of(policy)
    small = {name: weight.half() for name, weight in weights.items()}
    for name, moments in _moments(policy, observations).items():
        small |= rounded(f"{name}.weight", weights[f"{name}.weight"].float(), moments, step)
    return {name: tensor.contiguous() for name, tensor in small.items()}


@torch.no_grad()
def _moments(policy: AgentPolicy, observations: np.ndarray) -> dict[str, torch.Tensor]:
    """The mean products of the inputs of every layer, by its name."""
    layers = {layer: name for name, layer in policy.named_modules() if isinstance(layer, nn.Linear)}
    sums = {name: torch.zeros(layer.in_features, layer.in_features) for layer, name in layers.items()}
    names: dict[nn.Module, str] = {**layers}
    counts = dict.fromkeys(sums, 0)

    def add(layer: nn.Module, inputs: tuple[torch.Tensor], _output: Any) -> None:
        rows = inputs[0].reshape(-1, inputs[0].shape[-1])
        sums[names[layer]] += rows.T @ rows
        counts[names[layer]] += len(rows)

    hooks = [layer.register_forward_hook(add) for layer in layers]
    for part in torch.from_numpy(observations).split(SMALL):
        policy.judge(part)
    for hook in hooks:
        hook.remove()
    return {name: sums[name] / counts[name] for name in sums if counts[name]}


def rounded(name: str, weight: torch.Tensor, moments: torch.Tensor, step: float = STEP) -> Tensors:
    """A matrix (rows, columns) as bytes with its steps, by their names in the file.

    `moments` (columns, columns) are the mean products of its inputs in play.
    """
    power = moments.diag().double()
    columns = (power.mean() / power.clamp_min(1e-9)).pow(SELDOM).clamp(*RANGE).half().double()
    scaled = weight.double() / columns
    rows = torch.maximum(step * scaled.square().mean(1).sqrt(), scaled.abs().amax(1) / MOST).clamp_min(1e-8).float()
    whole = _whole_numbers(scaled / rows.double()[:, None], moments.double() * columns[:, None] * columns)
    return {name: whole.to(torch.int8), name + ROWS: rows, name + COLUMNS: columns.half()}


def _whole_numbers(wanted: torch.Tensor, moments: torch.Tensor) -> torch.Tensor:
    """The whole numbers by which the outputs change least, the inputs with most power first."""
    count = len(moments)
    order = torch.argsort(moments.diag(), descending=True)
    left, noise = wanted[:, order], DAMPING * moments.diag().mean() * torch.eye(count, dtype=torch.double)
    inverse = torch.cholesky_inverse(torch.linalg.cholesky(moments[order][:, order] + noise))
    shares = torch.linalg.cholesky(inverse, upper=True)
    shares = shares / shares.diag()[:, None]
    whole = torch.empty_like(wanted)
    for start in range(0, count, BLOCK):
        end = min(start + BLOCK, count)
        errors = torch.empty(len(left), end - start, dtype=torch.double)
        for at in range(start, end):
            nearest = left[:, at].round().clamp(-MOST, MOST)
            whole[:, order[at]] = nearest
            errors[:, at - start] = left[:, at] - nearest
            left[:, at:end] -= errors[:, at - start, None] * shares[at, at:end]
        left[:, end:] -= errors @ shares[start:end, end:]
    return whole
