"""Checkpoints: weights as safetensors, facts as JSON, arrays as npz. Nothing in them is ever executed.

A checkpoint is a folder `<run>/checkpoints/<steps>`, written beside its place and renamed when it is whole. The last
one is that with the most steps among those that are whole: a save never touches one that is there.

    header.json            whose weights these are: game, version, options, components, shapes, network, steps, digests
    policy.safetensors     the network
    optimizer.safetensors  the optimiser's moments
    state.npz              arrays by which a run goes on: games in play, generators
    state.json             numbers by which a run goes on
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import shutil
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save as save_tensors

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.outside import Form, parse_json, read_arrays, read_bytes
from theogony.training.config.sections import ValueNetwork
from theogony.training.networks.policy import AgentPolicy
from theogony.training.networks.value import net_for_kernels
from theogony.training.networks.weight_transfer import grown
from theogony.training.networks.weights import LARGEST, CheckpointError, Tensors, policy_of, tensors_from, unrounded
from theogony.training.storage.disk import remove_leftovers, write_folder
from theogony.training.storage.header import HEADER, CheckpointHeader, read_header
from theogony.training.storage.mirrors import send_on_the_way

KEEP = 3  # checkpoints of a run that are kept
POLICY, OPTIMIZER, ARRAYS, NUMBERS = "policy.safetensors", "optimizer.safetensors", "state.npz", "state.json"
FILES = (POLICY, OPTIMIZER, ARRAYS, NUMBERS)
FOLDER, LATEST = "checkpoints", "LATEST"  # LATEST is for other programs: nothing here depends on it
NAME = re.compile(r"\d{12}")


@dataclass
class Checkpoint:
    """What is in a checkpoint folder."""

    path: Path
    header: CheckpointHeader
    policy: Tensors
    optimizer: Tensors
    arrays: dict[str, np.ndarray]
    numbers: Any


# ---------------------------------------------------------------------------------------------------- writing


def save(
    run: Path,
    header: CheckpointHeader,
    policy: Tensors,
    optimizer: Tensors,
    arrays: dict[str, np.ndarray],
    numbers: dict[str, Any],
) -> Path:
    """Write a checkpoint of a run, and remove old ones when it is on the disk. Returns its folder.

    Raises CheckpointError when the weights are not finite or there is one of as many steps, OSError naming a file.
    """
    root, name = run / FOLDER, f"{header.steps:012d}"
    if not all(torch.isfinite(tensor).all() for tensor in policy.values()):
        raise CheckpointError(
            f"{root / name}: the weights are not finite any more: training diverged, and is not saved; "
            "a lower algorithm.learning_rate helps"
        )
    if (root / name).exists():
        raise CheckpointError(f"{root / name}: there is a checkpoint of as many steps; expected a new one")
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)  # type: ignore[arg-type]
    contents = (save_tensors(policy), save_tensors(optimizer), packed.getvalue(), json.dumps(numbers).encode())
    files: dict[str, bytes] = dict(zip(FILES, contents, strict=True))
    make_folder(root)
    remove_leftovers(root)
    write_folder(root / name, {**files, HEADER: header.sealed(files).as_bytes()})
    replace_file(root / LATEST, f"{name}\n".encode())
    for path in [path for path in _folders(run) if (path / HEADER).is_file()][KEEP:]:  # others are not ours
        shutil.rmtree(path, ignore_errors=True)
    send_on_the_way(run)
    return root / name


def put_aside_after(run: Path, steps: int) -> None:
    """Make room for a run that goes on from so many steps: what is damaged behind them gets another name."""
    for path in _folders(run):
        if int(path.name) > steps:
            aside = path.with_name(f"{path.name}.aside")
            shutil.rmtree(aside, ignore_errors=True)
            path.rename(aside)


# ---------------------------------------------------------------------------------------------------- the last one


def latest(run: Path) -> Path:
    """The folder of the last whole checkpoint of a run; warns of later ones that are damaged.

    Raises CheckpointError when there is none.
    """
    if not run.is_dir():
        raise CheckpointError(f"{run}: there is no such run")
    problems = []
    for path in _folders(run):
        try:
            check_whole(path)
        except CheckpointError as error:
            problems.append(str(error))
            continue
        for problem in problems:
            warnings.warn(f"{problem}; the checkpoint before it is taken", stacklevel=2)
        return path
    if problems:
        raise CheckpointError(f"{problems[0]}; and there is no whole checkpoint before it")
    raise CheckpointError(f"{run}: has no checkpoint yet")


def checkpoint_path(path: Path) -> Path:
    """The checkpoint of a path: itself, or the last one of a run. Raises CheckpointError."""
    return path if (path / HEADER).is_file() else latest(path)


def game_of(path: Path) -> Game:
    """The game that a run or checkpoint was trained in. Raises CheckpointError."""
    checkpoint = checkpoint_path(path)
    return read_header(checkpoint).make_game(checkpoint)


def any_checkpoint(run: Path) -> bool:
    """Whether a run has checkpoints, whole or damaged."""
    return bool(_folders(run))


def _folders(run: Path) -> list[Path]:
    """The folders of checkpoints by their names, the last first."""
    root = run / FOLDER
    found = [path for path in (root.iterdir() if root.is_dir() else ()) if NAME.fullmatch(path.name)]
    return sorted(found, reverse=True)


def check_whole(path: Path) -> None:
    """Raise CheckpointError naming the first file that is missing or not as it was written."""
    header = read_header(path)
    for name in header.files:
        _content(path, header, name)


def _content(path: Path, header: CheckpointHeader, name: str) -> bytes:
    """A file of a checkpoint as it was written. Raises CheckpointError."""
    file = path / name
    if name not in header.files or name not in FILES:
        raise CheckpointError(f"{file}: is not one of the files that the header names")
    content = read_bytes(file, str(file), CheckpointError, LARGEST)
    if hashlib.sha256(content).hexdigest() != header.files[name]:
        raise CheckpointError(f"{file}: is damaged: its digest is not the one in {HEADER}")
    return content


# ---------------------------------------------------------------------------------------------------- reading


def read(path: Path, forms: Mapping[str, Form] | None = None) -> Checkpoint:
    """A whole checkpoint; `forms` says what arrays must be there. Raises CheckpointError naming a file that is missing
    or damaged."""
    header = read_header(path)
    contents = {name: _content(path, header, name) for name in FILES}
    return Checkpoint(
        path,
        header,
        tensors_from(contents[POLICY], path / POLICY),
        tensors_from(contents[OPTIMIZER], path / OPTIMIZER),
        read_arrays(path / ARRAYS, str(path / ARRAYS), CheckpointError, forms),
        parse_json(contents[NUMBERS], str(path / NUMBERS), CheckpointError),
    )


def read_weights(path: Path) -> Tensors:
    """The weights of a checkpoint; those kept in bytes as float32. Raises CheckpointError."""
    header = read_header(path)
    weights = tensors_from(_content(path, header, POLICY), path / POLICY)
    return unrounded(weights, path / POLICY) if header.precision == "int8" else weights


def weights_for(path: Path, game: Game) -> Tensors:
    """The weights of a checkpoint for what this game shows: fields that came later count for nothing.

    Raises CheckpointError, also when the agent is of another game.
    """
    header, weights = read_header(path), read_weights(path)
    header.check(game, path)
    if header.observation_length == game.features.length:
        return weights
    with must_fit(path):
        return grown(weights, header.network, header.observation_length, game.features.length)


def read_policy(path: Path, game: Game) -> AgentPolicy:
    """The agent of a checkpoint. Raises CheckpointError when it is of another game."""
    header = read_header(path)
    header.check(game, path)
    if isinstance(header.network, ValueNetwork):
        raise CheckpointError(f"{path}: holds a learnt value and no policy; a policy was expected")
    return policy_of(weights_for(path, game), game, header.network, path / POLICY, header.precision)


def read_value_network(path: Path, game: Game) -> np.ndarray | None:
    """The learnt value of a checkpoint as kernels take it; None where it holds a policy. Raises CheckpointError."""
    header = read_header(path)
    if not isinstance(header.network, ValueNetwork):
        return None
    header.check(game, path)
    return net_for_kernels(weights_for(path, game), game, header.network, path / POLICY, header.precision)


def check_agent(path: Path, game: Game) -> None:
    """Raise CheckpointError unless the checkpoint holds an agent of this game, a policy or a learnt value."""
    if read_value_network(path, game) is None:
        read_policy(path, game)


@contextlib.contextmanager
def must_fit(path: Path) -> Iterator[None]:
    """Errors inside mean that what the checkpoint holds does not fit. Raises CheckpointError."""
    try:
        yield
    except CheckpointError:
        raise
    except (KeyError, IndexError, TypeError, RuntimeError, ValueError, OverflowError) as error:
        raise CheckpointError(f"{path}: does not fit this run: {error}") from None
