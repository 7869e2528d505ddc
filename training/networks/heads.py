"""The choice of an action among those that are legal: its logits, and sb3-contrib's distribution with one softmax in
place of three.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Self

import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from torch import nn

from theogony.envs.core.features import FeatureLayout
from theogony.training.networks.layers import Decode
from theogony.training.networks.members import Pointed

NEVER = -1e8  # the logit of an action that is not legal, as in sb3-contrib


class Choice(MaskableCategoricalDistribution):
    """Chances of actions, which follow from `logits` (n, actions)."""

    logits: torch.Tensor
    masks: torch.Tensor | None = None

    def proba_distribution(self, action_logits: torch.Tensor) -> Self:
        """The choice by these logits, everything being legal."""
        choice = type(self)(self.action_dim)
        choice.logits = action_logits
        return choice

    def apply_masking(self, masks: Any) -> None:
        """Leave only what the masks (n, actions) allow; to be called before anything is asked."""
        if masks is not None:
            self.masks = torch.as_tensor(masks, dtype=torch.bool, device=self.logits.device).reshape(self.logits.shape)
            self.logits = self.logits.masked_fill(~self.masks, NEVER)

    @functools.cached_property
    def log_chances(self) -> torch.Tensor:
        """The logarithm of each action's chance (n, actions)."""
        return torch.log_softmax(self.logits, 1)

    @functools.cached_property
    def chances(self) -> torch.Tensor:
        """The chance of each action (n, actions). The exponential of the logarithm is slow where it is very low."""
        return torch.softmax(self.logits, 1)

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """That of the chosen actions, both (n,)."""
        return self.log_chances.gather(1, actions.long()[:, None])[:, 0]

    def entropy(self) -> torch.Tensor:
        """How open the choice is (n,)."""
        terms = self.chances * self.log_chances
        return -(terms if self.masks is None else terms.masked_fill(~self.masks, 0.0)).sum(1)

    def sample(self) -> torch.Tensor:
        """Actions drawn by their chances (n,): where a random number falls among the sums of chances.

        An action without any chance leaves the sum as it is, and so is never the first to exceed the number.
        """
        sums = self.chances.cumsum(1)
        return (sums <= torch.rand_like(sums[:, :1]) * sums[:, -1:]).sum(1)

    def mode(self) -> torch.Tensor:
        """The likeliest actions (n,)."""
        return self.log_chances.argmax(1)


class ActionLayer(nn.Module):
    """Logits of the actions: a layer over the policy's features, and what went past these features.

    The last of the `width` features are what pointers say of the actions `pointed`, one number for each, and then, with
    `lookahead` above 0, lookahead scores of all actions, times a learnt weight that begins with this number.
    """

    pointed: torch.Tensor

    def __init__(self, width: int, actions: int, lookahead: float, pointed: Sequence[int]) -> None:
        super().__init__()
        scored = actions if lookahead else 0
        self.parts = [width - len(pointed) - scored, len(pointed), scored]
        self.layer = nn.Linear(self.parts[0], actions)
        nn.init.orthogonal_(self.layer.weight, 0.01)
        nn.init.zeros_(self.layer.bias)
        self.weight = nn.Parameter(torch.tensor(lookahead)) if lookahead else None
        self.register_buffer("pointed", torch.tensor(pointed, dtype=torch.int64), persistent=False)

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        """Logits (n, actions)."""
        seen, pointed, scores = latent.split(self.parts, 1)
        logits = self.layer(seen)
        if len(self.pointed):
            logits = logits.index_add(1, self.pointed, pointed)
        return logits if self.weight is None else logits + self.weight * scores


# ---- Pointers: an action that is about a thing is judged by that thing's own numbers -----------------------------
#
# A plain layer gives each action weights of its own, so it has to learn nine times what makes a tile of the display
# worth taking. A pointer passes every member of a set of things through the same small layers, together with what the
# shared layers say of the whole position, and its outputs are added to the logits of the actions about that member
# (compare Vinyals et al. 2015, Pointer Networks).

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
