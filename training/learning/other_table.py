"""What a run takes over from a network for another number of players (`td.other_table`, `distil.other_table`)."""

from __future__ import annotations

from pathlib import Path

from theogony.envs.core.game import Game
from theogony.training.config.sections import Network, ValueNetwork
from theogony.training.learning.engine import whole_weights
from theogony.training.networks.moved import moved_policy, moved_value
from theogony.training.networks.value import value_net_of
from theogony.training.networks.weights import CheckpointError, Tensors, policy_of, weights_of
from theogony.training.players.reference import KINDS, reference_folder
from theogony.training.storage import checkpoint
from theogony.training.storage.header import read_header


def weights_of_another_table(game: Game, network: Network | ValueNetwork, run: str) -> tuple[Tensors, Path]:
    """The weights of a run or reference player, moved to the inputs of this game, and where they lie.

    Raises CheckpointError when it plays another game or has another network, or they are damaged.
    """
    path = reference_folder(game, run, nearest=True) if run in KINDS else checkpoint.checkpoint_path(Path(run))
    header = read_header(path)
    other = header.make_game(path)
    if other.spec.name != game.spec.name:
        raise CheckpointError(f"{path}: the agent plays {other.spec.name}, not {game.spec.name}")
    header.check_network(network, path)
    weights = whole_weights(path)
    if isinstance(network, ValueNetwork):
        value_net_of(weights, other, network, path)  # where they do not fit it raises
        return moved_value(weights, other, game), path
    policy = policy_of(weights, other, network, path)
    return moved_policy(weights_of(policy), network, other, game), path
