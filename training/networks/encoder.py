"""Layers for observations that hold sets of things: every member of a set is seen by the same small network."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}


class Members(nn.Module):
    """One set: two layers that all members share, and a learnt vector for the place of each.

    `entries` (length, inputs) says where the members' numbers lie in an observation. The output of length
    `(length + 2) * width` is that of every member in turn, then their mean and their maximum.
    """

    entries: torch.Tensor

    def __init__(self, entries: np.ndarray, width: int, activation: str) -> None:
        super().__init__()
        length, inputs = entries.shape
        self.register_buffer("entries", torch.from_numpy(entries.reshape(-1)), persistent=False)
        self.shape, self.outputs = (-1, length, inputs), (length + 2) * width
        self.first, self.second = nn.Linear(inputs, width), nn.Linear(width, width)
        self.place = nn.Parameter(torch.randn(length, width) / inputs**0.5)
        self.activation = ACTIVATIONS[activation]()

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, outputs) of observations (n, at least as long as the layout)."""
        members = observations.index_select(1, self.entries).reshape(self.shape)
        hidden = self.activation(self.first(members) + self.place)
        found = self.activation(self.second(hidden))
        return torch.cat([found.flatten(1), found.mean(1), found.max(1).values], 1)


class SetEncoder(nn.Module):
    """All sets of an observation of length `inputs`; what belongs to none is handed on before them as it is.

    `sets` maps names to the entries of the members and the width of their layers; `outputs` is the result's length.
    """

    rest: torch.Tensor

    def __init__(self, inputs: int, sets: dict[str, tuple[np.ndarray, int]], activation: str) -> None:
        super().__init__()
        taken = np.concatenate([entries.reshape(-1) for entries, _ in sets.values()])
        rest = torch.from_numpy(np.setdiff1d(np.arange(inputs), taken))
        self.register_buffer("rest", rest, persistent=False)
        # The prefix keeps names such as `items` clear of the module's own attributes.
        members = {f"set_{name}": Members(*members, activation) for name, members in sets.items()}
        self.sets = nn.ModuleDict(members)
        self.outputs = len(rest) + sum(module.outputs for module in members.values())

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, outputs) of observations (n, inputs)."""
        parts = [observations.index_select(1, self.rest), *(members(observations) for members in self.sets.values())]
        return torch.cat(parts, 1)
