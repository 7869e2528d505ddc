"""Layers over rows of actions: every action is judged by the entries of the observation that it is about.

A plain layer has weights of its own for each action, and has to learn a hundred times what makes a placement good. Here
all actions of a kind pass through the same small layers, together with what the trunk says of the whole position, and
what comes out is added to the logits of the plain layer. Kinds of action with the same columns share their layers, too.

Only legal actions are looked up. Rows are mostly zeros, so the first layer adds the weights of what is not zero.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.rows import NOTHING, Rows, sharing, units
from theogony.training.networks.sparse import turned

FILM = bool(os.environ.get("FILM"))


class RowLayers(nn.Module):
    """What rows say of the actions of a game.

    Args:
        game: whose `action_rows` these are.
        context: features of the trunk.
        widths: of the hidden layers, the same for all kinds of action.
        activation: class of the layers between them.
        compact: whether observations are codes; otherwise floats.

    Raises ValueError when the game declares no rows.
    """

    def __init__(
        self, game: Game, context: int, widths: Sequence[int], activation: type[nn.Module], compact: bool
    ) -> None:
        super().__init__()
        if not game.action_rows:
            raise ValueError(f"{game.spec.name} declares no rows of actions")
        self.length, self.context = game.features.length, context
        groups = groups_of(game)
        made = {name: _Group(game, group, context, widths, activation, compact) for name, group in groups.items()}
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
    """The kinds of action that share layers, by the name of these layers."""
    return {"_".join(group).replace(" ", "_"): group for group in sharing(game.action_rows)}


class _Group(nn.Module):
    """The layers of kinds of action with the same columns."""

    actions: torch.Tensor
    places: torch.Tensor
    scales: torch.Tensor
    zeros: torch.Tensor | None

    def __init__(
        self,
        game: Game,
        rows: Mapping[str, Rows],
        context: int,
        widths: Sequence[int],
        activation: type[nn.Module],
        compact: bool,
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
        self.context = nn.Linear(context, (2 if FILM else 1) * widths[0], bias=False)
        layers: list[nn.Module] = [activation()]
        for before, width in itertools.pairwise(widths):
            layers += [nn.Linear(before, width), activation()]
        self.layers = nn.Sequential(*layers, nn.Linear(widths[-1], 1))

    def forward(
        self, seen: torch.Tensor, context: torch.Tensor, legal: torch.Tensor, out: torch.Tensor
    ) -> torch.Tensor:
        at = legal[:, self.actions].nonzero()
        if not len(at):
            return out
        decisions, rows = at[:, 0].contiguous(), at[:, 1].contiguous()
        by_code = self.first.weight / self.scales
        bias = self.first.bias if self.zeros is None else self.first.bias - by_code @ self.zeros
        hidden = looked_up(seen, self.places, decisions, rows, turned(by_code))
        if FILM:
            both = self.context(context).index_select(0, decisions)
            factor, shift = both.chunk(2, 1)
            hidden = (hidden + bias) * (1.0 + factor) + shift
        else:
            hidden = hidden + (self.context(context) + bias).index_select(0, decisions)
        return out.index_put((decisions, self.actions[rows]), self.layers(hidden)[:, 0])


# ------------------------------------------------------------------------- the first layer


def looked_up(
    seen: torch.Tensor, places: torch.Tensor, decisions: torch.Tensor, rows: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """The product of rows of observations and weights, float32 (m, width).

    Args:
        seen: observations (n, length), uint8 or float32.
        places: int32 (rows, k) of entries, `NOTHING` where there is none.
        decisions: int64 (m,), which observation each product is of; ascending.
        rows: int64 (m,), which row of `places`.
        weights: float32 (k, width).
    """
    if seen.device.type != "cpu":
        padded = nn.functional.pad(seen.float(), (0, 1))
        return padded[decisions[:, None], places[rows].long()] @ weights  # -1 is the entry behind the last
    return _LookedUp.apply(seen, places, decisions, rows, weights)  # pyright: ignore[reportReturnType]


class _LookedUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, seen: Any, places: Any, decisions: Any, rows: Any, weights: Any) -> Any:  # pyright: ignore
        ctx.save_for_backward(seen, places, decisions, rows)
        out = torch.zeros(len(decisions), weights.shape[1])
        arrays = (one.detach().contiguous().numpy() for one in (seen, places, decisions, rows, weights, out))
        _add_rows(*arrays, *_room(places))  # pyright: ignore[reportCallIssue]
        return out

    @staticmethod
    def backward(ctx: Any, gradients: torch.Tensor) -> Any:  # pyright: ignore
        seen, places, decisions, rows = ctx.saved_tensors
        out = torch.zeros(places.shape[1], gradients.shape[1])
        arrays = (one.contiguous().numpy() for one in (seen, places, decisions, rows, gradients, out))
        _add_gradients(*arrays, *_room(places))  # pyright: ignore[reportCallIssue]
        return None, None, None, None, out


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
def _add_rows(seen, places, decisions, rows, weights, out, columns, values):
    """Add to each line of `out` the weights of what is not zero in its row."""
    for m in range(decisions.shape[0]):
        found = _not_zero(seen[decisions[m]], places[rows[m]], columns, values)
        total = out[m]
        for k in range(found):
            value, line = values[k], weights[columns[k]]
            for j in range(line.shape[0]):
                total[j] += value * line[j]


@rule
def _add_gradients(seen, places, decisions, rows, gradients, out, columns, values):
    """Add to the gradient of each weight."""
    for m in range(decisions.shape[0]):
        found = _not_zero(seen[decisions[m]], places[rows[m]], columns, values)
        gradient = gradients[m]
        for k in range(found):
            value, total = values[k], out[columns[k]]
            for j in range(gradient.shape[0]):
                total[j] += value * gradient[j]
