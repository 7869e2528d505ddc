"""Weights for observations of another number of players, or of more fields than the network has seen.

Seats come first in whatever counts them, one's own at the head, so entries that both tables have are at equal places of
an axis. The weights of all others begin at zero: what was never seen counts for nothing, until it is learnt.
"""

from __future__ import annotations

import numpy as np
import torch

from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.game import Game
from theogony.envs.core.rows import NOTHING
from theogony.training.config.sections import Network, ValueNetwork
from theogony.training.networks.rows import groups_of
from theogony.training.networks.value import FIRST
from theogony.training.networks.weights import Tensors

NOWHERE = -1  # the place of an entry that the other table does not have


def moved_value(weights: Tensors, before: Game, now: Game) -> Tensors:
    """A value network, its first layer moved."""
    return {**weights, FIRST: moved(weights[FIRST], places(before.features, now.features))}


def moved_policy(weights: Tensors, network: Network, before: Game, now: Game) -> Tensors:
    """A policy without lookahead scores, every layer that sees the observation moved."""
    there = places(before.features, now.features)
    columns = {name: there for name in seeing(network)}
    if network.rows:
        columns |= row_places(there, before, now)
    return {**weights, **{name: moved(weights[name].T, of).T.contiguous() for name, of in columns.items()}}


def row_places(there: np.ndarray, before: Game, now: Game) -> dict[str, np.ndarray]:
    """For the first layer over rows of each group of kinds, where each column was: that of the same entry.

    Raises ValueError where kinds share layers at one table and not at the other.
    """
    old, new = (groups_of(game) for game in (before, now))
    if old.keys() != new.keys():
        raise ValueError(f"rows of {', '.join(old)} and of {', '.join(new)}: other kinds of action share layers")
    found = {}
    for name, kinds in new.items():
        rows = [np.concatenate([table.places for table in group.values()]) for group in (old[name], kinds)]
        entry = np.where(rows[1] == NOTHING, NOWHERE, there[rows[1]])  # (actions, columns)
        missing = (entry == NOWHERE)[:, :, None]
        same = (entry[:, :, None] == rows[0][:, None, :]) & ~missing
        met = same.any(0) & (same | missing).all(0)  # (columns now, columns before)
        found[f"rows.groups.{name}.first.weight"] = np.where(met.any(1), met.argmax(1), NOWHERE)
    return found


def seeing(network: Network) -> list[str]:
    """The names of the layers of a policy that see the whole observation."""
    if network.shared:
        return ["features_extractor.layers.0.weight"]
    heads = (("policy_net", network.policy, "action_net.weight"), ("value_net", network.value, "value_net.weight"))
    return [f"mlp_extractor.{head}.0.weight" if layers else alone for head, layers, alone in heads]


def grown(weights: Tensors, network: Network | ValueNetwork, before: int, now: int) -> Tensors:
    """Weights of a network that saw `before` entries, for observations of which these are the first of `now`.

    What was never seen counts for nothing, so that the network decides as before.
    """
    if isinstance(network, ValueNetwork):
        return {**weights, FIRST: _with_zeros(weights[FIRST], before, now)}
    seen = {name: weights[name] for name in seeing(network) if name in weights}
    return {**weights, **{name: _with_zeros(one.T, before, now).T.contiguous() for name, one in seen.items()}}


def _with_zeros(rows: torch.Tensor, before: int, now: int) -> torch.Tensor:
    """Rows of zeros behind those of the observation; lookahead scores come after them."""
    zeros = rows.new_zeros(now - before, rows.shape[1])
    return torch.cat([rows[:before], zeros, rows[before:]])


def places(before: FeatureLayout, now: FeatureLayout) -> np.ndarray:
    """Where each entry of an observation was in one of the other table, int64 (length,), or `NOWHERE`."""
    old, start = {}, 0
    for feature in before.features:
        old[feature.name] = np.arange(start, start + feature.length).reshape(feature.shape)
        start += feature.length
    found, start = np.full(now.length, NOWHERE), 0
    for feature in now.features:
        here = found[start : start + feature.length].reshape(feature.shape)
        there = old.get(feature.name)
        if there is not None and there.ndim == here.ndim:
            both = tuple(slice(min(sizes)) for sizes in zip(here.shape, there.shape, strict=True))
            here[both] = there[both]
        start += feature.length
    return found


def moved(rows: torch.Tensor, there: np.ndarray) -> torch.Tensor:
    """Rows (before, width) of weights, one an entry of the observation, in the order of `places` (now,)."""
    known = torch.from_numpy(there != NOWHERE)
    out = rows.new_zeros(len(there), rows.shape[1])
    out[known] = rows[torch.from_numpy(there[there != NOWHERE])]
    return out
