"""The mean of the weights of several agents: one agent, which costs no more to play than each of them.

What several trainings came to that began with the same agent mostly lies close together, and the mean plays better than
each of them, or as well and against more opponents (Wortsman et al., Model soups, 2022). Agents that learnt from
nothing, each on its own, have nothing in common from layer to layer, and their mean plays badly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import save as save_tensors

from theogony.envs.core.untrusted.files import make_folder
from theogony.training.networks.weights import CheckpointError, Tensors
from theogony.training.storage import checkpoint
from theogony.training.storage.disk import write_folder
from theogony.training.storage.header import HEADER, read_header

LEAST = 2  # agents that have a mean


def write_mean(agents: Sequence[Path], out: Path) -> Path:
    """Write a checkpoint whose weights are the mean of those of several agents, and return its folder, `out`.

    Args:
        agents: runs, of each its last checkpoint, or checkpoints. One that is named twice counts twice.
        out: a folder that is not there yet.

    Raises CheckpointError where an agent is damaged or of another game, table or network than the last one, or `out` is
    there.
    """
    if len(agents) < LEAST:
        raise CheckpointError(f"{len(agents)} agent to average; expected {LEAST} or more")
    if out.exists():
        raise CheckpointError(f"{out}: is there already; expected a new folder")
    sources = [checkpoint.checkpoint_path(agent) for agent in agents]
    header = read_header(sources[-1])
    game = header.make_game(sources[-1])
    for source in sources:
        other = read_header(source)
        other.check(game, source)
        other.check_network(header.network, source)
        checkpoint.check_agent(source, game)
    weights = save_tensors(_mean([checkpoint.read_weights(source) for source in sources]))
    files = {checkpoint.POLICY: weights}
    make_folder(out.parent)
    write_folder(out, {**files, HEADER: header.sealed(files).as_bytes()})
    return out


def _mean(weights: Sequence[Tensors]) -> Tensors:
    """The mean of every tensor, summed in float64, which forgets the order."""
    return {
        name: torch.stack([one[name].double() for one in weights]).mean(0).float().contiguous() for name in weights[0]
    }
