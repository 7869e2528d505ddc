"""Reference players: a small trained agent for games and tables of a size, shipped with the package, as plain data.

`training/agents/<game>/<players>p/` has the JSON header and the weights of a checkpoint, in half precision. They are
written from a run: `python -m theogony.training.players.reference RUN`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from safetensors.torch import save as save_tensors

from theogony.envs.core.files import make_folder, replace_file
from theogony.envs.core.game import Game
from theogony.training.networks.weights import CheckpointError
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import POLICY
from theogony.training.storage.header import HEADER, Header, read_header

AGENTS = Path(__file__).parents[1] / "agents"
LARGEST = 3_000_000  # bytes that the weights of a reference player may have


def reference_folder(game: Game) -> Path:
    """Where the reference player for this game and this many players is. Raises CheckpointError when there is none."""
    folder = AGENTS / game.spec.name / f"{game.players}p"
    if (folder / HEADER).is_file():
        return folder
    name = game.spec.name
    tables = sorted(path.parent.name[:-1] for path in AGENTS.glob(f"{name}/*p/{HEADER}"))
    if tables:
        raise CheckpointError(
            f"there is no reference player of {name} for {game.players} players, only for {' or '.join(tables)}"
        )
    known = ", ".join(sorted({path.parents[1].name for path in AGENTS.glob(f"*/*p/{HEADER}")})) or "none"
    raise CheckpointError(f"there is no reference player of {name}; games that have one: {known}")


def write(run: Path) -> Path:
    """Make the last checkpoint of a run the reference player of its game and table. Returns its folder.

    Raises CheckpointError when it is damaged or too large.
    """
    header, weights = in_half_precision(run)
    if len(weights) > LARGEST:
        raise CheckpointError(f"{run}: has {len(weights):,} bytes of weights; expected at most {LARGEST:,}")
    folder = AGENTS / header.game / f"{header.options['players']}p"
    make_folder(folder)
    replace_file(folder / POLICY, weights)
    replace_file(folder / HEADER, header.as_bytes())
    return folder


def in_half_precision(run: Path) -> tuple[Header, bytes]:
    """The header and the weights of the last checkpoint of a run, sealed. Raises CheckpointError when it is damaged."""
    source = checkpoint.checkpoint_path(run)
    header = read_header(source)
    checkpoint.check_agent(source, header.make_game(source))
    half = {name: tensor.to(torch.float16) for name, tensor in checkpoint.read_weights(source).items()}
    weights = save_tensors(half)
    return header.sealed({POLICY: weights}, "float16"), weights


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            print(write(Path(argument)))
        except CheckpointError as error:
            raise SystemExit(f"theogony.training.players.reference: {error}") from None
