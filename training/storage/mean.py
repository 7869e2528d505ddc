"""The mean of the weights of several agents: one agent, which costs no more to play than each of them.

What several trainings came to that began with the same agent mostly lies close together, and the mean plays better than
each of them, or as well and against more opponents (Wortsman et al., Model soups, 2022). Of agents that began apart
nobody can say beforehand how their mean plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import save as save_tensors

from theogony.envs.core.untrusted.files import make_folder
from theogony.training.config.sections import Network, ValueNetwork
from theogony.training.networks.weights import CheckpointError, Tensors
from theogony.training.storage import checkpoint
from theogony.training.storage.disk import write_folder
from theogony.training.storage.header import HEADER, CheckpointHeader, read_header

LEAST = 2  # agents that have a mean


def write_mean(agents: Sequence[Path], out: Path) -> Path:
    """Write the mean of several agents as a checkpoint, and return its folder, `out`, which must not be there yet.

    Raises CheckpointError as `mean_of` does, or where `out` is there.
    """
    if out.exists():
        raise CheckpointError(f"{out}: is there already; expected a new folder")
    header, weights = mean_of(agents)
    make_folder(out.parent)
    write_folder(out, {checkpoint.POLICY: weights, HEADER: header.as_bytes()})
    return out


def mean_of(agents: Sequence[Path]) -> tuple[CheckpointHeader, bytes]:
    """The header, sealed, and the weights of the mean of several agents.

    Args:
        agents: runs, of each its last checkpoint, or checkpoints. One that is named twice counts twice.

    Raises CheckpointError where an agent is damaged or of another game, table, network or reward than the last one, or
    there is one alone.
    """
    if len(agents) < LEAST:
        raise CheckpointError(f"{len(agents)} agent to average; expected {LEAST} or more")
    sources = [checkpoint.checkpoint_path(agent) for agent in agents]
    header = read_header(sources[-1])
    game = header.make_game(sources[-1])
    for source in sources:
        other = read_header(source)
        other.check(game, source)
        other.check_network(header.network, source)
        _check_reward(other.network, header.network, source)
        checkpoint.check_agent(source, game)
    weights = save_tensors(_mean([checkpoint.read_weights(source) for source in sources]))
    return header.sealed({checkpoint.POLICY: weights}), weights


def _check_reward(found: Network | ValueNetwork, wanted: Network | ValueNetwork, path: Path) -> None:
    """Raise CheckpointError where two values are of other rewards: they say different things of a position."""
    rewards = [one.reward for one in (found, wanted) if isinstance(one, ValueNetwork)]
    if len(set(rewards)) > 1:
        raise CheckpointError(f"{path}: learnt the reward {rewards[0]}, the last agent {rewards[1]}; expected the same")


def _mean(weights: Sequence[Tensors]) -> Tensors:
    """The mean of every tensor, summed in float64, which forgets the order."""
    return {
        name: torch.stack([one[name].double() for one in weights]).mean(0).float().contiguous() for name in weights[0]
    }
