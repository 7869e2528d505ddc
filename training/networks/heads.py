"""What `engine: td` may learn to predict beside the value (`td.heads`): how the game ends in points.

The final reward says little about a game; points say by how much it was won. The heads share all layers with the value
but the last, and these learn from them. They are no part of the network that plays, or of what is shipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import nn


def _margin(points: torch.Tensor) -> torch.Tensor:
    """One's own points less those of the best other, (n, 1)."""
    return (points[:, 0] - points[:, 1:].max(1).values)[:, None]


def _scores(points: torch.Tensor) -> torch.Tensor:
    """The points of every seat, one's own first, (n, players)."""
    return points


TARGETS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {"margin": _margin, "scores": _scores}


class Heads(nn.Module):
    """A layer for each of the things that are predicted, over the last hidden layer of the value.

    `weights` has their shares of the loss by name; points are counted in units of `scale`.
    """

    def __init__(self, width: int, players: int, weights: Mapping[str, float], scale: float) -> None:
        super().__init__()
        self.weights, self.players, self.scale = dict(weights), players, scale
        sizes = {name: TARGETS[name](torch.zeros(1, players)).shape[1] for name in self.weights}
        self.layers = nn.ModuleDict({name: nn.Linear(width, size) for name, size in sizes.items()})

    def loss(self, features: torch.Tensor, scores: np.ndarray) -> torch.Tensor:
        """Squared errors, weighted, for hidden features (n, width) and final scores (n, at least players).

        Scores are those of all seats, counted from the one that learns; rows of games without an end are nan.
        """
        points = torch.from_numpy(scores[:, : self.players] / self.scale).to(features.device)
        known = ~points.isnan().any(1)
        points = points.nan_to_num(0.0)
        total = torch.zeros(len(points), device=features.device)
        for name, layer in self.layers.items():
            total = total + self.weights[name] * (layer(features) - TARGETS[name](points)).square().mean(1)
        return (total * known).sum() / known.sum().clamp(min=1)
