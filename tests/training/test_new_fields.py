"""Agents that learnt before a game showed more: new fields come last, and count for nothing to them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from theogony.envs import load
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import Game
from theogony.training.config.sections import Network, ValueNetwork
from theogony.training.networks.policy import make_policy
from theogony.training.networks.value import ValueNet, packed
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader

NOW = load("push_of_faith").configure({"players": 2})


def before(fields: int) -> Game:
    """The game with its first fields alone."""
    return dataclasses.replace(NOW, features=FeatureLayout(*NOW.features.features[:fields]))


def stored(folder: Path, game: Game, network: Network | ValueNetwork, weights: dict[str, torch.Tensor]) -> Path:
    folder.mkdir()
    checkpoint.save(folder, CheckpointHeader.of(game, network, 0), weights, {}, {}, {})
    return checkpoint.latest(folder)


@pytest.mark.parametrize("network", [Network(shared=[16], policy=[8], value=[8]), Network(policy=[], value=[8])])
def test_a_policy_decides_by_what_it_has_seen(network: Network, tmp_path: Path) -> None:
    old = before(15)
    policy = make_policy(old, network, ortho_init=True)
    now = checkpoint.read_policy(stored(tmp_path / "run", old, network, weights_of(policy)), NOW)
    codes = np.random.default_rng(0).integers(0, 2, (9, NOW.features.length), np.uint8)
    with torch.no_grad():
        expected = policy.judge(torch.from_numpy(codes[:, : old.features.length].copy()))
        found = now.judge(torch.from_numpy(codes))
    for one, other in zip(expected, found, strict=True):
        torch.testing.assert_close(one, other)


def test_a_value_reads_no_further_than_it_has_seen(tmp_path: Path) -> None:
    old, network = before(15), ValueNetwork(widths=[8], reward="margin")
    net = ValueNet(old.features.length, network)
    path = stored(tmp_path / "run", old, network, {name: one.detach() for name, one in net.state_dict().items()})
    found = checkpoint.read_value_network(path, NOW)
    assert found is not None and np.array_equal(found, packed(net, old, "margin"))


def test_other_first_fields_are_refused(tmp_path: Path) -> None:
    network = Network(shared=[16])
    fields = list(NOW.features.features[:15])
    fields[3] = Feature("something_else", fields[3].shape, "of the same shape")
    old = dataclasses.replace(NOW, features=FeatureLayout(*fields))
    path = stored(tmp_path / "run", old, network, weights_of(make_policy(old, network)))
    with pytest.raises(CheckpointError, match="what push_of_faith shows its players has changed since"):
        checkpoint.read_policy(path, NOW)
