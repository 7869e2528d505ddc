"""Checkpoints: weights as safetensors, facts as JSON, arrays as npz. Nothing in them is ever executed.

A checkpoint is a folder `<run>/checkpoints/<steps>`, written beside its place and renamed when it is whole; the file
`<run>/checkpoints/LATEST` names the last one.

    header.json            whose weights these are: game, version, options, components, shapes, network, steps
    policy.safetensors     the network
    optimizer.safetensors  the optimiser's moments
    state.npz              arrays by which a run goes on: games in play, generators
    state.json             numbers by which a run goes on
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import nn

from theogony.envs.core.checked import checked
from theogony.envs.core.files import replace_file
from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame, load_registered
from theogony.training.config import Network
from theogony.training.policy import AgentPolicy, make_policy

FORMAT = "theogony-checkpoint-1"
KEEP = 3  # checkpoints of a run that are kept
HEADER, POLICY, OPTIMIZER = "header.json", "policy.safetensors", "optimizer.safetensors"
FURTHER_NAMES = ("pi_features_extractor.", "vf_features_extractor.")  # both are `features_extractor.`
ARRAYS, NUMBERS, LATEST = "state.npz", "state.json", "LATEST"


class CheckpointError(ValueError):
    """A checkpoint is missing, damaged or of another game: says which file and what was expected."""


class Header(BaseModel):
    """Whose weights a checkpoint holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str
    game: str
    version: int
    options: dict[str, Any]
    components: Any
    component_digest: str
    observation_length: int
    actions: int
    features: str  # digest of names, shapes and order of the features
    network: Network
    steps: int

    @classmethod
    def of(cls, game: Game, network: Network, steps: int) -> Header:
        """The header for an agent of a game."""
        return cls(
            format=FORMAT,
            game=game.spec.name,
            version=game.spec.version,
            options={"players": game.players, **game.options.model_dump(mode="json", exclude_defaults=True)},
            components=game.components,
            component_digest=game.component_digest,
            observation_length=game.features.length,
            actions=game.actions.size,
            features=feature_digest(game),
            network=network,
            steps=steps,
        )

    def make_game(self, path: Path) -> Game:
        """The game that the agent was trained in. Raises CheckpointError when this version of it is another one."""
        try:
            spec = load_registered(self.game)
            if spec.version != self.version:
                raise CheckpointError(
                    f"{path}: is for {self.game} v{self.version}; this is {self.game} v{spec.version}"
                )
            game = spec.configure(self.options, self.components)
        except (UnknownGame, OptionError, ComponentError) as error:
            raise CheckpointError(f"{path}: {error}") from None
        self.check(game, path)
        return game

    def check(self, game: Game, path: Path) -> None:
        """Raise CheckpointError, saying what differs, unless the agent can play this game."""
        expected = Header.of(game, self.network, self.steps)
        for field in ("game", "version", "observation_length", "actions", "features"):
            found, wanted = getattr(self, field), getattr(expected, field)
            if found != wanted:
                trained = f"{self.game} with {self.options.get('players')} players"
                raise CheckpointError(
                    f"{path}: {field} is {found!r}, but this game has {wanted!r}; "
                    f"the agent plays {trained}, not {game.spec.name} with {game.players}"
                )

    def check_same(self, game: Game, path: Path) -> None:
        """The same, and options and components must be equal: what going on with a run needs."""
        self.check(game, path)
        if self.component_digest != game.component_digest:
            raise CheckpointError(f"{path}: was made with other components ({self.component_digest})")


def feature_digest(game: Game) -> str:
    """16 hexadecimal digits that stand for the layout of the observation."""
    layout = json.dumps([[f.name, list(f.shape), f.low, f.high] for f in game.features.features])
    return hashlib.sha256(layout.encode()).hexdigest()[:16]


@dataclass
class Checkpoint:
    """What is in a checkpoint folder."""

    path: Path
    header: Header
    policy: dict[str, torch.Tensor]
    optimizer: dict[str, torch.Tensor]
    arrays: dict[str, np.ndarray]
    numbers: dict[str, Any]


# ---------------------------------------------------------------------------------------------------- writing


def save(
    run: Path,
    header: Header,
    policy: dict[str, torch.Tensor],
    optimizer: dict[str, torch.Tensor],
    arrays: dict[str, np.ndarray],
    numbers: dict[str, Any],
) -> Path:
    """Write a checkpoint of a run, make it the latest and remove old ones. Returns its folder."""
    root = run / "checkpoints"
    root.mkdir(parents=True, exist_ok=True)
    name = f"{header.steps:012d}"
    building = root / f".{name}.{os.getpid()}.tmp"
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir()
    (building / POLICY).write_bytes(save_tensors(policy))
    (building / OPTIMIZER).write_bytes(save_tensors(optimizer))
    with (building / ARRAYS).open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)  # type: ignore[arg-type]
    (building / NUMBERS).write_text(json.dumps(numbers), "utf-8")
    (building / HEADER).write_text(header.model_dump_json(indent=1), "utf-8")
    for file in building.iterdir():
        _to_disk(file)
    shutil.rmtree(root / name, ignore_errors=True)
    os.replace(building, root / name)
    replace_file(root / LATEST, f"{name}\n".encode())
    _prune(root, name)
    return root / name


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _prune(root: Path, latest: str) -> None:
    """Remove all but the last checkpoints, and what killed processes left half-written."""
    whole = sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))
    for path in whole[:-KEEP]:
        if path.name != latest:
            shutil.rmtree(path, ignore_errors=True)
    for path in root.glob(".*.tmp"):
        shutil.rmtree(path, ignore_errors=True)


# ---------------------------------------------------------------------------------------------------- reading


def latest(run: Path) -> Path:
    """The folder of the last checkpoint of a run. Raises CheckpointError when there is none."""
    pointer = run / "checkpoints" / LATEST
    if not run.is_dir():
        raise CheckpointError(f"{run}: there is no such run")
    try:
        name = pointer.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise CheckpointError(f"{run}: has no checkpoint yet ({pointer} cannot be read)") from None
    path = pointer.parent / name
    if not name.isdecimal() or not path.is_dir():
        raise CheckpointError(f"{pointer}: names {name!r}, which is no checkpoint of this run")
    return path


def read(path: Path) -> Checkpoint:
    """A whole checkpoint. Raises CheckpointError naming the file that is missing or damaged."""
    numbers = _json(path / NUMBERS)
    arrays = _arrays(path / ARRAYS)
    return Checkpoint(path, read_header(path), _tensors(path / POLICY), _tensors(path / OPTIMIZER), arrays, numbers)


def read_header(path: Path) -> Header:
    """The header of a checkpoint. Raises CheckpointError."""
    content = _json(path / HEADER)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CheckpointError(f"{path / HEADER}: is no header of a checkpoint: expected format {FORMAT!r}")
    return checked(Header, content, str(path / HEADER), CheckpointError)


def read_policy(path: Path, game: Game) -> AgentPolicy:
    """The agent of a checkpoint. Raises CheckpointError when it is of another game."""
    header = read_header(path)
    header.check(game, path)
    return policy_from_file(path / POLICY, game, header.network)


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """The weights of a checkpoint. Raises CheckpointError."""
    return _tensors(path / POLICY)


def policy_from_file(path: Path, game: Game, network: Network) -> AgentPolicy:
    """A policy with the weights of a file. Raises CheckpointError when they do not fit the network."""
    policy = make_policy(game, network)
    load_weights(policy, _tensors(path), path)
    return policy


def load_weights(policy: nn.Module, weights: dict[str, torch.Tensor], path: Path) -> None:
    """Put weights into a policy. Raises CheckpointError naming the first that does not fit, the policy unchanged."""
    own, weights = _once(policy.state_dict()), _once(weights)
    for name in sorted(own.keys() | weights.keys()):
        found = tuple(weights[name].shape) if name in weights else "missing"
        wanted = tuple(own[name].shape) if name in own else "not known"
        if found != wanted:
            raise CheckpointError(f"{path}: weight {name} is {found}, the network has it {wanted}")
    policy.load_state_dict(weights, strict=False)


def weights_of(policy: nn.Module) -> dict[str, torch.Tensor]:
    """A copy of the weights of a policy."""
    return {name: tensor.detach().clone().contiguous() for name, tensor in _once(policy.state_dict()).items()}


def _once(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Weights without the further names that SB3 gives to shared layers."""
    return {name: tensor for name, tensor in weights.items() if not name.startswith(FURTHER_NAMES)}


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """What an optimiser remembers of each parameter, as `index.name`."""
    state = optimizer.state_dict()["state"]
    return {f"{i}.{name}": value.clone().contiguous() for i, kept in state.items() for name, value in kept.items()}


def load_optimizer(optimizer: torch.optim.Optimizer, tensors: dict[str, torch.Tensor]) -> None:
    """The reverse of `optimizer_tensors`; the settings of the optimiser stay as they are."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in tensors.items():
        index, _, name = key.partition(".")
        state.setdefault(int(index), {})[name] = value
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def _tensors(path: Path) -> dict[str, torch.Tensor]:
    try:
        return load_tensors(path.read_bytes())
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from None
    except (SafetensorError, ValueError) as error:
        raise CheckpointError(f"{path}: is no whole safetensors file: {error}") from None


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: is no whole npz file of plain arrays: {error}") from None


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise CheckpointError(f"{path}: is not JSON: {error}") from None
