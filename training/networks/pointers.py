"""Pointers: an action that is about a thing is judged by that thing's own numbers.

A plain layer gives each action weights of its own, so it has to learn nine times what makes a tile of the display worth
taking. A pointer passes every member of a set of things through the same small layers, together with what the shared
layers say of the whole position, and its outputs are added to the logits of the actions about that member (compare
Vinyals et al. 2015, Pointer Networks).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import nn

from theogony.envs.core.features import FeatureLayout
from theogony.training.networks.decode import Decode
from theogony.training.networks.members import Pointed

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}


class Pointer(nn.Module):
    """Logits of the actions about one set of things.

    All members share the weights but a bias of each place, which is what tells them apart where they look alike.
    """

    entries: torch.Tensor

    def __init__(self, pointed: Pointed, context: int, activation: str, layout: FeatureLayout | None) -> None:
        super().__init__()
        (length, inputs), width = pointed.entries.shape, pointed.width
        entries = pointed.entries.reshape(-1)
        self.register_buffer("entries", torch.from_numpy(entries), persistent=False)
        self.decode = Decode(layout, entries) if layout else None
        self.shape = (-1, length, inputs)
        self.first, self.context = nn.Linear(inputs, width), nn.Linear(context, width)
        self.place = nn.Parameter(torch.zeros(length, width))
        self.second, self.last = nn.Linear(width, width), nn.Linear(width, pointed.actions.shape[1])
        self.activation = ACTIVATIONS[activation]()

    def forward(self, seen: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """(n, members * actions) of observations, codes or floats (n, length), and what the shared layers made."""
        numbers = seen.index_select(1, self.entries)
        members = (numbers if self.decode is None else self.decode(numbers)).reshape(self.shape)
        hidden = self.first(members) + self.place + self.context(features)[:, None]
        return self.last(self.activation(self.second(self.activation(hidden)))).flatten(1)


class Pointers(nn.Module):
    """All pointers of a network. `layout` is that of compact observations, None for floats."""

    def __init__(
        self, pointed: Mapping[str, Pointed], context: int, activation: str, layout: FeatureLayout | None
    ) -> None:
        super().__init__()
        # The prefix keeps names such as `items` clear of the module's own attributes.
        made = {f"to_{name}": Pointer(one, context, activation, layout) for name, one in pointed.items()}
        self.pointers = nn.ModuleDict(made)

    def forward(self, seen: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """The logits of all pointers behind each other in the order of `pointed_actions`."""
        return torch.cat([pointer(seen, features) for pointer in self.pointers.values()], 1)

    def start_small(self) -> None:
        """Begin as SB3 lets the choice of the action begin: all actions nearly equal."""
        for pointer in self.pointers.values():
            assert isinstance(pointer, Pointer)
            nn.init.orthogonal_(pointer.last.weight, 0.01)
            nn.init.zeros_(pointer.last.bias)
