"""Layers over rows of actions: every action is judged by the entries of the observation that it is about.

A plain layer has weights of its own for each action, and has to learn a hundred times what makes a placement good. Here
all actions of a kind pass through the same small layers, and what comes out is added to the logits of the plain layer.
What the trunk says of the whole position scales and shifts the first of these layers (FiLM, Perez et al. 2018): what a
tile is worth depends on what is missing. Kinds of action with the same columns share their layers, too.

Only legal actions are looked up. Rows are mostly zeros, so the first layer adds the weights of what is not zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.rows import NOTHING, Rows, sharing, units
from theogony.training.networks.layers import turned


class RowLayers(nn.Module):
    """What rows say of the actions of a game.

    Args:
        game: whose `action_rows` these are.
        context: features of the trunk.
        widths: of the hidden layers, the same for all kinds of action.
        compact: whether observations are codes; otherwise floats.

    Raises ValueError when the game declares no rows.
    """

    def __init__(self, game: Game, context: int, widths: Sequence[int], compact: bool) -> None:
        super().__init__()
        if not game.action_rows:
            raise ValueError(f"{game.spec.name} declares no rows of actions")
        self.length, self.context = game.features.length, context
        groups = groups_of(game)
        made = {name: _Group(game, group, context, widths, compact) for name, group in groups.items()}
        self.groups = nn.ModuleDict(made)

    def forward(self, seen: torch.Tensor, context: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        """What is added to the logits: float32 (n, actions), zero for actions without rows and those not legal.

        Args:
            seen: observations (n, length), codes or floats.
            context: features of the trunk (n, context).
            legal: bool (n, actions).
        """
        out = context.new_zeros(legal.shape)
        for group in self.groups.values():
            out = group(seen, context, legal, out)
        return out


def groups_of(game: Game) -> dict[str, dict[str, Rows]]:
    """The kinds of action that share layers, by the name of these layers: a prefix keeps it clear of torch's own."""
    return {"_".join(["of", *group]).replace(" ", "_"): group for group in sharing(game.action_rows)}


class _Group(nn.Module):
    """The layers of kinds of action with the same columns."""

    actions: torch.Tensor
    places: torch.Tensor
    scales: torch.Tensor
    zeros: torch.Tensor | None

    def __init__(
        self, game: Game, rows: Mapping[str, Rows], context: int, widths: Sequence[int], compact: bool
    ) -> None:
        super().__init__()
        firsts = game.actions.first
        actions = [np.arange(firsts[kind], firsts[kind] + len(table.places)) for kind, table in rows.items()]
        places = np.concatenate([table.places for table in rows.values()])
        scales, zeros = units(rows, game.features)
        if not compact:
            scales, zeros = np.ones_like(scales), np.zeros_like(zeros)
        self.register_buffer("actions", torch.from_numpy(np.concatenate(actions)), persistent=False)
        self.register_buffer("places", torch.from_numpy(places), persistent=False)
        self.register_buffer("scales", torch.from_numpy(scales), persistent=False)
        self.register_buffer("zeros", torch.from_numpy(zeros) if zeros.any() else None, persistent=False)
        self.first = nn.Linear(places.shape[1], widths[0])
        self.context = nn.Linear(context, 2 * widths[0], bias=False)
        layers: list[nn.Module] = []
        for before, width in itertools.pairwise(widths):
            layers += [nn.Linear(before, width), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Linear(widths[-1], 1))

    def forward(
        self, seen: torch.Tensor, context: torch.Tensor, legal: torch.Tensor, out: torch.Tensor
    ) -> torch.Tensor:
        at = legal[:, self.actions].nonzero()
        decisions, rows = at[:, 0].contiguous(), at[:, 1].contiguous()
        by_code = self.first.weight / self.scales
        bias = self.first.bias if self.zeros is None else self.first.bias - by_code @ self.zeros
        hidden = first_layer(seen, self.places, decisions, rows, turned(by_code), bias, self.context(context))
        return out.index_put((decisions, self.actions[rows]), self.layers(hidden)[:, 0])


# ------------------------------------------------------------------------- the first layer


def first_layer(
    seen: torch.Tensor,
    places: torch.Tensor,
    decisions: torch.Tensor,
    rows: torch.Tensor,
    weights: torch.Tensor,
    bias: torch.Tensor,
    film: torch.Tensor,
) -> torch.Tensor:
    """What the first layer makes of rows, float32 (m, width): `relu((row @ weights + bias) * (1 + factor) + shift)`.

    On a processor all of it is one pass over the rows, in which only entries that are not zero cost anything. On a GPU,
    and where a network is exported, it is plain torch.

    Args:
        seen: observations (n, length), uint8 or float32.
        places: int32 (rows, k) of entries, `NOTHING` where there is none.
        decisions: int64 (m,), which observation each row is of.
        rows: int64 (m,), which row of `places`.
        weights: float32 (k, width).
        bias: float32 (width,).
        film: float32 (n, 2 * width), the factors of each observation and then its shifts.
    """
    exported = torch.jit.is_tracing() or torch.compiler.is_compiling()  # pyright: ignore[reportPrivateImportUsage]
    if seen.device.type == "cpu" and not exported:
        return _FirstLayer.apply(seen, places, decisions, rows, weights, bias, film)  # pyright: ignore
    padded = nn.functional.pad(seen.float(), (0, 1))  # -1 is the entry behind the last
    hidden = padded[decisions[:, None], places[rows].long()] @ weights + bias
    factor, shift = film[decisions].chunk(2, 1)
    return torch.relu(hidden * (1 + factor) + shift)


class _FirstLayer(torch.autograd.Function):
    @staticmethod
    def forward(  # pyright: ignore
        ctx: Any, seen: Any, places: Any, decisions: Any, rows: Any, weights: Any, bias: Any, film: Any
    ) -> Any:
        ctx.save_for_backward(seen, places, decisions, rows, weights, bias, film)
        out = torch.empty(len(decisions), len(bias))
        forward: Any = _forward
        forward(*_arrays(seen, places, decisions, rows, weights, bias, film, out), *_room(places))
        return out

    @staticmethod
    def backward(ctx: Any, gradients: torch.Tensor) -> Any:  # pyright: ignore
        weights, bias, film = ctx.saved_tensors[4:]
        out = [torch.zeros(one.shape) for one in (weights, bias, film)]
        room = *_room(ctx.saved_tensors[1]), np.empty(len(bias), np.float32)
        backward: Any = _backward
        backward(*_arrays(*ctx.saved_tensors, gradients, *out), *room)
        return None, None, None, None, *out


def _arrays(*tensors: torch.Tensor) -> list[np.ndarray]:
    return [one.detach().contiguous().numpy() for one in tensors]


def _room(places: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Room for the columns of a row that are not zero, and their values."""
    return np.empty(places.shape[1] + 1, np.int64), np.empty(places.shape[1] + 1, np.float32)


@rule
def _not_zero(seen, places, columns, values):
    """The columns of a row that are not zero, and their values. Returns how many."""
    found = 0
    for column in range(places.shape[0]):
        place = np.int64(places[column])
        if place != NOTHING:
            value = np.float32(seen[place])
            columns[found] = column
            values[found] = value
            found += value != 0
    return found


@rule
def _add_row(found, columns, values, weights, bias, total):
    """The bias, and the weights of what is not zero in a row."""
    for j in range(total.shape[0]):
        total[j] = bias[j]
    for k in range(found):
        value, line = values[k], weights[columns[k]]
        for j in range(total.shape[0]):
            total[j] += value * line[j]


@rule
def _forward(seen, places, decisions, rows, weights, bias, film, out, columns, values):
    """Write each line of `out`."""
    width = bias.shape[0]
    for m in range(decisions.shape[0]):
        found = _not_zero(seen[decisions[m]], places[rows[m]], columns, values)
        total, factor, shift = out[m], film[decisions[m], :width], film[decisions[m], width:]
        _add_row(found, columns, values, weights, bias, total)
        for j in range(width):
            total[j] = max(total[j] * (np.float32(1) + factor[j]) + shift[j], np.float32(0))


@rule
def _backward(
    seen, places, decisions, rows, weights, bias, film, gradients, to_weights, to_bias, to_film, columns, values, total
):
    """Add to the gradients of weights, bias and film."""
    width, one, zero = bias.shape[0], np.float32(1), np.float32(0)
    for m in range(decisions.shape[0]):
        found = _not_zero(seen[decisions[m]], places[rows[m]], columns, values)
        _add_row(found, columns, values, weights, bias, total)
        factor, shift = film[decisions[m], :width], film[decisions[m], width:]
        to_factor, to_shift, gradient = to_film[decisions[m], :width], to_film[decisions[m], width:], gradients[m]
        for j in range(width):
            passed = gradient[j] if total[j] * (one + factor[j]) + shift[j] > zero else zero
            to_factor[j] += passed * total[j]
            to_shift[j] += passed
            total[j] = passed * (one + factor[j])
            to_bias[j] += total[j]
        for k in range(found):
            value, line = values[k], to_weights[columns[k]]
            for j in range(width):
                line[j] += value * total[j]
