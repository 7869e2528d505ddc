"""Weights in bytes: small, near what they stand for, and refused where they are not whole."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from theogony.envs.core.game import Game
from theogony.training.config.sections import Network
from theogony.training.networks.policy import act, make_policy
from theogony.training.networks.quantisation import MOST, observations_of, rounded, rounded_weights
from theogony.training.networks.weights import COLUMNS, ROWS, CheckpointError, policy_of, unrounded

FILE = Path("policy.safetensors")


def correlated(count: int, width: int) -> torch.Tensor:
    """Inputs of which each is much like the one before, and the later half is seldom set."""
    numbers = torch.randn(count, width, generator=torch.Generator().manual_seed(1)).cumsum(1)
    numbers[:, width // 2 :] *= (torch.rand(count, 1, generator=torch.Generator().manual_seed(2)) < 0.1).float()
    return numbers


def test_outputs_change_less_than_by_rounding_to_the_nearest() -> None:
    inputs, weight = correlated(2_000, 96), torch.randn(40, 96, generator=torch.Generator().manual_seed(3))
    stored = rounded("layer.weight", weight, inputs.T @ inputs / len(inputs))
    restored = unrounded(stored, FILE)["layer.weight"]
    steps = stored["layer.weight" + ROWS].double()[:, None] * stored["layer.weight" + COLUMNS].double()
    nearest = ((weight / steps).round().clamp(-MOST, MOST) * steps).float()
    made_good, plain = ((inputs @ (found - weight).T).square().mean() for found in (restored, nearest))
    assert made_good < 0.3 * plain
    assert stored["layer.weight"].dtype == torch.int8 and restored.dtype == torch.float32


def test_a_policy_in_bytes_chooses_as_before(game: Game) -> None:
    policy = make_policy(game, Network(shared=[64], policy=[32], value=[32]), ortho_init=True)
    last: Any = policy.action_net
    with torch.no_grad():
        last.weight *= 100  # as sure of its choices as one that has learnt
    seen = observations_of(policy, game)
    stored = rounded_weights(policy, seen)
    copy = policy_of(unrounded(stored, FILE), game, Network(shared=[64], policy=[32], value=[32]), FILE, "int8")
    masks = np.ones((len(seen), game.actions.size), np.int8)
    same = act(policy, seen[:2_000], masks[:2_000]) == act(copy, seen[:2_000], masks[:2_000])
    assert same.mean() > 0.85
    size = sum(tensor.numel() * tensor.element_size() for tensor in stored.values())
    assert size < 0.3 * sum(4 * tensor.numel() for tensor in policy.state_dict().values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"a" + ROWS: None}, "weight a is in bytes without fitting steps"),
        ({"a" + COLUMNS: torch.ones(2)}, "weight a is in bytes without fitting steps"),
        ({"a" + ROWS: torch.ones(2, 1)}, "weight a is in bytes without fitting steps"),
        ({"a": None}, "a:columns belongs to no weight"),
    ],
)
def test_what_is_not_whole_is_named(change: dict[str, torch.Tensor | None], said: str) -> None:
    whole = {"a": torch.ones(2, 3, dtype=torch.int8), "a" + ROWS: torch.ones(2), "a" + COLUMNS: torch.ones(3)}
    assert torch.equal(unrounded(whole, FILE)["a"], torch.ones(2, 3))
    found = {name: tensor for name, tensor in {**whole, **change}.items() if tensor is not None}
    with pytest.raises(CheckpointError, match=said):
        unrounded(found, FILE)
