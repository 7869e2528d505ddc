"""The choice of an action among those that are legal: its logits, and sb3-contrib's distribution with one softmax in
place of three.
"""

from __future__ import annotations

import functools
from typing import Any, Self

import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from torch import nn

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


class ScoredActions(nn.Module):
    """Logits of the actions: a layer over the policy's features, and the lookahead scores that went past them.

    The scores, one an action, are the last of the `width` features. They are multiplied by a learnt weight that begins
    with `lookahead`.
    """

    def __init__(self, width: int, actions: int, lookahead: float) -> None:
        super().__init__()
        self.parts = [width - actions, actions]
        self.layer = nn.Linear(self.parts[0], actions)
        nn.init.orthogonal_(self.layer.weight, 0.01)
        nn.init.zeros_(self.layer.bias)
        self.weight = nn.Parameter(torch.tensor(lookahead))

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        """Logits (n, actions)."""
        seen, scores = latent.split(self.parts, 1)
        return self.layer(seen) + self.weight * scores
