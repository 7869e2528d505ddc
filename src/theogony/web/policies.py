"""Trained policies without torch: networks of plain layers, in NumPy.

Sums are in double precision, so that no decision hangs on the order in which a machine adds. Matrices stay in bytes in
the file, as whole numbers times a step of each row and one of each column.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.envs.core.thinking.player_names import PlayerError

PARTS = ("weight", "rows", "columns", "bias")  # of a layer in the file: `0.weight`, `0.rows`, ...


class Layer(NamedTuple):
    """One layer, in double precision."""

    weight: np.ndarray  # (outputs, inputs)
    bias: np.ndarray  # (outputs,)


class PlainPolicy:
    """A policy network whose hidden layers end with ReLU: its likeliest action."""

    needs_positions = False

    def __init__(self, name: str, layers: Sequence[Layer], game: Game | None = None) -> None:
        self.name, self.layers, self.made_for = name, tuple(layers), game

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return self._logits(views).argmax(axis=1)

    def probabilities(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """How likely the policy would choose each action, float64 (n, actions), zero where it is not legal."""
        logits = self._logits(views)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    def _logits(self, views: Views) -> np.ndarray:
        """Those of legal actions, float64 (n, actions); of others minus infinity."""
        found = views.observations[:, : self.layers[0].weight.shape[1]].astype(np.float64)  # the fields it has seen
        for layer in self.layers[:-1]:
            found = np.maximum(found @ layer.weight.T + layer.bias, 0.0)
        last = self.layers[-1]
        return np.where(views.masks > 0, found @ last.weight.T + last.bias, -np.inf)


def read_policy(path: Path, name: str, game: Game) -> PlainPolicy:
    """The policy of a file with `PARTS` of all layers. Raises PlayerError when it is of another game or damaged."""
    try:
        with np.load(path, allow_pickle=False) as file:
            layers = [_layer(*(file[f"{k}.{part}"] for part in PARTS)) for k in range(len(file.files) // len(PARTS))]
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise PlayerError(f"the policy of {name!r} cannot be read: {error}") from None
    shapes = [layer.weight.shape for layer in layers]
    ends = [where.stop for where in game.features.slices().values()]
    seen = shapes[0][1] if layers and shapes[0][1] in ends else game.features.length  # new fields come last
    widths = [seen, *(len(layer.bias) for layer in layers)]
    if not layers or shapes != list(zip(widths[1:], widths, strict=False)) or widths[-1] != game.actions.size:
        raise PlayerError(f"the policy of {name!r} has layers {shapes}, which are not for {game!r}")
    return PlainPolicy(name, layers, game)


def _layer(weight: np.ndarray, rows: np.ndarray, columns: np.ndarray, bias: np.ndarray) -> Layer:
    """A layer of the numbers in a file, multiplied as `unrounded` does it: in single precision."""
    whole = weight.astype(np.float32) * rows.astype(np.float32)[:, None] * columns.astype(np.float32)
    return Layer(whole.astype(np.float64), bias.astype(np.float64))
