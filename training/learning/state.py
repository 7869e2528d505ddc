"""All that decides how a run goes on, as arrays and numbers of a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import torch
from pydantic import Field

from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.outside import Form
from theogony.training.config.sections import Section
from theogony.training.learning.ppo import RECENT
from theogony.training.networks.weights import (
    CheckpointError,
    load_optimizer,
    load_weights,
    optimizer_tensors,
    weights_of,
)
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import NUMBERS, Checkpoint
from theogony.training.storage.header import CheckpointHeader, read_header

if TYPE_CHECKING:
    from pathlib import Path

    from theogony.training.learning.train import Training

ENV = "env/"  # before the names of the arrays of the environment


class Generator(Section):
    """NumPy's global generator, but for its keys, which are an array."""

    position: Annotated[int, Field(ge=0, le=624)]
    has_gauss: Literal[0, 1]
    gauss: float


class Numbers(Section):
    """What is in `state.json`; `opposition` is checked where it is used."""

    numpy_rng: Generator
    updates: Annotated[int, Field(ge=0)]
    rewards: Annotated[list[float], Field(max_length=RECENT)]
    seconds: Annotated[float, Field(ge=0)]
    opposition: dict[str, Any]


def save(training: Training) -> Path:
    """A checkpoint of a run as it is now. Returns its folder."""
    model = training.model
    arrays = {f"{ENV}{name}": array for name, array in training.env.state_dict().items()}
    arrays["episode_starts"] = np.asarray(model._last_episode_starts)
    arrays["torch_rng"] = torch.get_rng_state().numpy()
    _, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    arrays["numpy_rng"] = np.asarray(keys)
    numbers = {
        "numpy_rng": {"position": int(position), "has_gauss": int(has_gauss), "gauss": float(gauss)},
        "updates": model._n_updates,
        "rewards": list(model.rewards),
        "seconds": training.seconds,
        "opposition": training.opposition.state(training.env.batch.players),
    }
    header = CheckpointHeader.of(training.game, training.network, model.num_timesteps)
    moments = optimizer_tensors(model.policy.optimizer)
    return checkpoint.save(training.folder, header, weights_of(model.policy), moments, arrays, numbers)


def restore(training: Training, path: Path) -> Checkpoint:
    """Go on from a checkpoint as if nothing had happened. Raises CheckpointError."""
    read_header(path).check_same(training.game, path)
    saved = checkpoint.read(path, forms(training))
    model, arrays = training.model, saved.arrays
    what = str(path / NUMBERS)
    numbers = checked(Numbers, saved.numbers, what, CheckpointError)
    load_weights(model.policy, saved.policy, path)
    load_optimizer(model.policy.optimizer, saved.optimizer, path, begun=numbers.updates > 0)
    with checkpoint.must_fit(path):
        players = training.opposition.load_state(numbers.opposition, f"{what}: opposition")
        games = {name.removeprefix(ENV): array for name, array in arrays.items() if name.startswith(ENV)}
        training.env.load_state_dict(games, players)
        model.resume(saved.header.steps, numbers.updates, numbers.rewards, arrays["episode_starts"])
        training.seconds = numbers.seconds
        torch.set_rng_state(torch.from_numpy(arrays["torch_rng"]))
        numpy = numbers.numpy_rng
        np.random.set_state(("MT19937", arrays["numpy_rng"], numpy.position, numpy.has_gauss, numpy.gauss))
    return saved


def forms(training: Training) -> dict[str, Form]:
    """What the arrays of a checkpoint of this run must be."""
    games = {f"{ENV}{name}": form for name, form in training.env.batch.saved_forms().items()}
    return {
        **games,
        f"{ENV}fresh": Form(bool, (1,)),
        "episode_starts": Form(bool, (training.env.num_envs,)),
        "torch_rng": Form(np.uint8, (len(torch.get_rng_state()),)),
        "numpy_rng": Form(np.uint32, (624,)),
    }
