"""All that decides how a run of `engine: td` goes on, as arrays and numbers of a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from theogony.envs.core.checked import checked
from theogony.envs.core.outside import Form
from theogony.envs.core.value_network import FRONT, GATE
from theogony.training.config.schema import Section, ValueNetwork
from theogony.training.learning.engine import whole_weights
from theogony.training.networks.value import FIRST, moved, value_net_of
from theogony.training.networks.weights import CheckpointError, Tensors, load_optimizer, optimizer_tensors, weights_of
from theogony.training.players.reference import KINDS, reference_folder
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import NUMBERS
from theogony.training.storage.header import Header, read_header

if TYPE_CHECKING:
    from theogony.training.learning.td import TdTraining

ACTING = "acting"  # the array with the network that plays the games which the checkpoint interrupts


class Numbers(Section):
    """What is in `state.json`."""

    games: Annotated[int, Field(ge=0)]
    updates: Annotated[int, Field(ge=0)]
    errors: Annotated[list[float], Field(max_length=1000)]
    rewards: Annotated[list[float], Field(max_length=1000)]
    seconds: Annotated[float, Field(ge=0)]


def save(training: TdTraining) -> Path:
    """A checkpoint of a run as it is now. Returns its folder."""
    numbers = {
        "games": training.games,
        "updates": training.updates,
        "errors": list(training.errors),
        "rewards": list(training.rewards),
        "seconds": training.seconds,
    }
    header = Header.of(training.game, training.network, training.steps)
    weights = {name: tensor.cpu() for name, tensor in weights_of(training.net).items()}
    moments = {name: tensor.cpu() for name, tensor in optimizer_tensors(training.optimizer).items()}
    return checkpoint.save(training.folder, header, weights, moments, {ACTING: training.acting}, numbers)


def restore(training: TdTraining, path: Path) -> int:
    """Go on from a checkpoint as if nothing had happened. Returns its steps. Raises CheckpointError."""
    header = read_header(path)
    header.check_same(training.game, path)
    if header.network != training.network:
        raise CheckpointError(f"{path}: holds another network than td describes: {header.network}")
    saved = checkpoint.read(path, {ACTING: Form("f4", (len(training.acting),))})
    numbers = checked(Numbers, saved.numbers, str(path / NUMBERS), CheckpointError)
    net = value_net_of(saved.policy, training.game, training.network, path)
    acting = saved.arrays[ACTING]
    shape = np.delete(acting[:FRONT] == training.acting[:FRONT], GATE)
    if not np.isfinite(acting).all() or not shape.all():
        raise CheckpointError(f"{path}: the network that plays is not one of this run")
    training.net.load_state_dict(net.state_dict())
    load_optimizer(training.optimizer, saved.optimizer, path, begun=numbers.updates > 0)
    training.acting, training.games, training.updates = acting, numbers.games, numbers.updates
    training.errors.extend(numbers.errors)
    training.rewards.extend(numbers.rewards)
    training.seconds = numbers.seconds
    return header.steps


def start_from(training: TdTraining, run: str) -> None:
    """Take over the network of another run or reference player. Raises CheckpointError when it does not fit.

    With `td.other_table` it may be one for another number of players.
    """
    if training.config.td.other_table:
        weights, path = _of_another_table(training, run)
    else:
        weights, path = training.weights_from(run)
    training.net.load_state_dict(value_net_of(weights, training.game, training.network, path).state_dict())


def _of_another_table(training: TdTraining, run: str) -> tuple[Tensors, Path]:
    """The weights of a network for another number of players, its first layer moved to the inputs of this game."""
    game = training.game
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
