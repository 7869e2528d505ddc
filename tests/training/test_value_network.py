"""The learnt value: the same in torch and in kernels."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from theogony.envs import load
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.value_network import pack
from theogony.training.config.sections import ValueNetwork
from theogony.training.networks.layers import product
from theogony.training.networks.value import ValueNet, packed


def value_of(position: Position, seat: int, net: np.ndarray, anchor: Position) -> float:
    """The value of a position in kernels, from what the seat saw in `anchor`."""
    scratch, k = position.game.scratch(), position.kernels
    scratch.states[0:1] = anchor.states[anchor.now : anchor.now + 1]
    scratch.states[1:2] = position.states[position.now : position.now + 1]
    k.look(scratch, 0, position.tables, seat, net)
    return float(k.value_now(scratch, 1, position.tables, seat, net, 0))


@pytest.mark.parametrize("widths", [[128, 64], [17], [24, 16, 8, 8]])
@pytest.mark.parametrize("own_value", [True, False])
def test_kernels_and_torch_agree(widths: list[int], own_value: bool) -> None:
    game = load("push_of_faith").configure({"players": 2})
    torch.manual_seed(3)
    network = ValueNetwork(widths=widths, own_value=own_value, reward="margin")
    net = ValueNet(game.features.length, network)
    with torch.no_grad():
        net.linear_layers()[-1].weight.mul_(10)
        net.linear_layers()[-1].bias.add_(0.1)
    weights = packed(net, game, "margin")
    rng, before, compared = np.random.default_rng(0), Position(game, 5), 0
    while not before.g.over:
        after = before.clone()
        after.play(int(rng.choice(after.legal_actions())))
        for seat in range(2):
            if after.g.over:
                assert value_of(after, seat, weights, before) == after.rewards("margin")[seat]
                continue
            observation = after.observe(seat)[None]
            own = torch.tensor([after.value(seat)], dtype=torch.float32)
            expected = float(net(torch.from_numpy(observation), own).detach())
            assert value_of(after, seat, weights, before) == pytest.approx(expected, abs=2e-6)
            compared += 1
        before = after
    assert compared > 20


def test_sparse_product_is_the_product() -> None:
    torch.manual_seed(1)
    inputs = torch.rand(40, 30) * (torch.rand(40, 30) < 0.2)
    sparse, dense = torch.randn(30, 8, requires_grad=True), torch.zeros(0)
    dense = sparse.detach().clone().requires_grad_()
    gradient = torch.randn(40, 8)
    product(inputs, sparse).backward(gradient)
    (inputs @ dense).backward(gradient)
    assert torch.allclose(product(inputs, sparse), inputs @ dense, atol=1e-6)
    assert sparse.grad is not None and dense.grad is not None and torch.allclose(sparse.grad, dense.grad, atol=1e-5)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda m, b: m[0].__setitem__((0, 0), np.nan), "not finite"),
        (lambda m, b: m.__setitem__(1, np.zeros((5, 1), np.float32)), "does not fit 8 inputs"),
        (lambda m, b: (m.__setitem__(0, np.zeros((4, 999), np.float32)), b.__setitem__(0, np.zeros(999))), "at most"),
    ],
)
def test_what_is_no_network_is_refused(change, reason: str) -> None:
    matrices, biases = [np.zeros((4, 8), np.float32), np.zeros((8, 1), np.float32)], [np.zeros(8), np.zeros(1)]
    pack(matrices, biases, 1.0, 4.0, 0)
    change(matrices, biases)
    with pytest.raises(ValueError, match=reason):
        pack(matrices, biases, 1.0, 4.0, 0)
