"""The value network of `engine: td`: what it is made of in torch, and as kernels take it."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import torch
from torch import nn

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.value_network import pack
from theogony.training.config.sections import ValueNetwork
from theogony.training.networks.layers import product
from theogony.training.networks.weights import PRECISIONS, CheckpointError, Tensors, check

OWN = 4.0  # the game's own value as an input is multiplied by this: it is small, and matters
FIRST = "first"  # the weights of the first layer, one row an entry of the observation
SMALL = 0.1  # weights of the last layer begin so small that the own value leads


class ValueNet(nn.Module):
    """Hidden layers over an observation and the game's own value, and tanh over their sum with the own value."""

    def __init__(self, inputs: int, network: ValueNetwork) -> None:
        super().__init__()
        self.own = OWN if network.own_value else 0.0
        width = network.widths[0]
        first = nn.Linear(inputs + 1, width)
        self.first = nn.Parameter(first.weight.detach()[:, :-1].T.contiguous())  # (inputs, width), as kernels have it
        self.first_own = nn.Parameter(first.weight.detach()[:, -1].clone(), requires_grad=network.own_value)
        self.first_bias = nn.Parameter(first.bias.detach().clone())
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in itertools.pairwise([*network.widths, 1]))
        self.gate = nn.Parameter(torch.tensor(1.0 if network.own_value else 0.0), requires_grad=network.own_value)
        with torch.no_grad():
            last = self.linear_layers()[-1]
            last.weight *= SMALL
            last.bias.zero_()

    def linear_layers(self) -> list[nn.Linear]:
        """The layers behind the first."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def forward(self, seen: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        """Values (n,) of observations (n, length) and own values (n,)."""
        hidden = product(seen, self.first) + self.first_bias + self.own * own[:, None] * self.first_own
        for layer in self.layers:
            hidden = layer(torch.relu(hidden))
        return torch.tanh(hidden[:, 0] + self.gate * own)


def packed(net: ValueNet, game: Game, reward: str) -> np.ndarray:
    """The network as kernels take it, for a game whose `reward` it learnt. Raises ValueError.

    Kernels have observations as codes: (code - zero) / scale is worked into the first layer.
    """
    layout = game.features
    scales, zeros = (torch.from_numpy(found)[:, None] for found in (layout.scales, layout.zeros))
    by_code = net.first.detach().cpu() / scales
    first = torch.cat([by_code, net.first_own.detach().cpu()[None]])
    layers = net.linear_layers()
    matrices = [first, *(layer.weight.T for layer in layers)]
    biases = [net.first_bias.detach().cpu() - (zeros * by_code).sum(0), *(layer.bias for layer in layers)]
    rows, columns = ([tensor.detach().cpu().numpy() for tensor in tensors] for tensors in (matrices, biases))
    return pack(rows, columns, float(net.gate.detach()), net.own, game.spec.reward_index(reward))


def value_net_of(
    weights: Tensors, game: Game, network: ValueNetwork, path: Path, precision: str = "float32"
) -> ValueNet:
    """A value network with these weights. Raises CheckpointError when they do not fit, before memory is taken."""
    with torch.device("meta"):  # shapes only
        shape = ValueNet(game.features.length, network)
    check(weights, shape.state_dict(), PRECISIONS[precision], f"{path}: weight")
    net = ValueNet(game.features.length, network)
    net.load_state_dict(weights)
    return net


def net_for_kernels(
    weights: Tensors, game: Game, network: ValueNetwork, path: Path, precision: str = "float32"
) -> np.ndarray:
    """These weights as kernels take them. Raises CheckpointError when they, or the reward, do not fit the game."""
    if network.reward not in game.spec.rewards:
        raise CheckpointError(f"{path}: learnt the reward {network.reward!r}, which {game.spec.name} does not pay")
    net = value_net_of(weights, game, network, path, precision)
    return packed(net, game, network.reward)
