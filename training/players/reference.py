"""Reference players: one small trained agent a game, shipped with the package, as plain data.

`training/agents/<game>/` has the JSON header and the weights of a checkpoint, in half precision. They are written from
a run: `python -m theogony.training.players.reference RUN`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from safetensors.torch import save as save_tensors

from theogony.envs.core.files import make_folder, replace_file
from theogony.envs.core.game import Game
from theogony.training.networks.policy import AgentPolicy
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import POLICY
from theogony.training.storage.header import HEADER, read_header

AGENTS = Path(__file__).parents[1] / "agents"
LARGEST = 3_000_000  # bytes that the weights of a reference player may have


def reference_network(game: Game) -> AgentPolicy:
    """The network of a game's reference player. Raises CheckpointError when none fits these options."""
    folder = AGENTS / game.spec.name
    if not (folder / HEADER).is_file():
        known = ", ".join(sorted(path.parent.name for path in AGENTS.glob(f"*/{HEADER}"))) or "none"
        raise CheckpointError(f"there is no reference player of {game.spec.name}; games that have one: {known}")
    try:
        return checkpoint.read_policy(folder, game)
    except CheckpointError as error:
        raise CheckpointError(f'{error}; "greedy" plays without a network') from None


def write(run: Path) -> Path:
    """Make the last checkpoint of a run the reference player of its game. Returns its folder.

    Raises CheckpointError when it is damaged or too large.
    """
    source = checkpoint.checkpoint_path(run)
    header = read_header(source)
    network = checkpoint.read_policy(source, header.make_game(source))
    weights = save_tensors({name: tensor.to(torch.float16) for name, tensor in weights_of(network).items()})
    if len(weights) > LARGEST:
        raise CheckpointError(f"{source}: has {len(weights):,} bytes of weights; expected at most {LARGEST:,}")
    folder = AGENTS / header.game
    make_folder(folder)
    replace_file(folder / POLICY, weights)
    replace_file(folder / HEADER, header.sealed({POLICY: weights}, "float16").as_bytes())
    return folder


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            print(write(Path(argument)))
        except CheckpointError as error:
            raise SystemExit(f"theogony.training.players.reference: {error}") from None
