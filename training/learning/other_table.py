"""What a run of `engine: td` takes over from a network for another number of players (`td.other_table`)."""

from __future__ import annotations

from pathlib import Path

from theogony.envs.core.game import Game
from theogony.training.config.sections import ValueNetwork
from theogony.training.learning.engine import whole_weights
from theogony.training.networks.value import FIRST, moved
from theogony.training.networks.weights import CheckpointError, Tensors
from theogony.training.players.reference import KINDS, reference_folder
from theogony.training.storage import checkpoint
from theogony.training.storage.header import read_header


def weights_of_another_table(game: Game, run: str) -> tuple[Tensors, Path]:
    """The weights of a run or reference player, its first layer moved to the inputs of this game, and where they lie.

    Raises CheckpointError when it plays another game, or they are damaged.
    """
    path = reference_folder(game, run, nearest=True) if run in KINDS else checkpoint.checkpoint_path(Path(run))
    header = read_header(path)
    other = header.make_game(path)
    if other.spec.name != game.spec.name:
        raise CheckpointError(f"{path}: the agent plays {other.spec.name}, not {game.spec.name}")
    header.check_learnt(ValueNetwork, path)
    weights = whole_weights(path)
    if len(weights.get(FIRST, ())) != other.features.length:
        raise CheckpointError(f"{path}: {FIRST} does not have the {other.features.length} rows of {other!r}")
    return {**weights, FIRST: moved(weights[FIRST], other.features, game.features)}, path
