"""Weights and moments of the optimiser as safetensors. What is read must fit exactly: names, shapes, types, finite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from torch import nn

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.training.config.sections import Network
from theogony.training.networks.policy import AgentPolicy, make_policy

LARGEST = 4 << 30  # bytes of a file of weights
FURTHER_NAMES = ("pi_features_extractor.", "vf_features_extractor.")  # both are `features_extractor.`
MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # what Adam remembers of each parameter
PRECISIONS = {"float32": torch.float32, "float16": torch.float16, "int8": torch.float32}  # as they are read
ROWS, COLUMNS = ":rows", ":columns"  # behind the name of a matrix in bytes: by what its rows and columns are multiplied
Tensors = dict[str, torch.Tensor]


class CheckpointError(ValueError):
    """A checkpoint is missing, damaged or of another game: says which file and what was expected."""


def tensors_from(content: bytes, path: Path) -> Tensors:
    """The tensors in the content of a safetensors file; `path` is for messages. Raises CheckpointError."""
    try:
        return load_tensors(content)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise CheckpointError(f"{path}: is no whole safetensors file: {error}") from None


def read_tensors(path: Path) -> Tensors:
    """Read the tensors of a safetensors file from disk. Raises CheckpointError."""
    return tensors_from(read_bytes(path, str(path), CheckpointError, LARGEST), path)


def unrounded(weights: Tensors, path: Path) -> Tensors:
    """Weights kept in bytes, see `quantisation.py`, as float32. Raises CheckpointError naming one that is not whole."""
    steps = {name for name in weights if name.endswith((ROWS, COLUMNS))}
    found: Tensors = {}
    for name in weights.keys() - steps:
        weight = weights[name].float()
        if weights[name].dtype == torch.int8:
            rows, columns = (weights.get(name + of) for of in (ROWS, COLUMNS))
            lengths = [None if one is None or one.dim() != 1 else len(one) for one in (rows, columns)]
            if rows is None or columns is None or lengths != list(weight.shape):
                raise CheckpointError(f"{path}: weight {name} is in bytes without fitting steps of rows and columns")
            weight = weight * rows.float()[:, None] * columns.float()
        found[name] = weight
    if alone := sorted(name for name in steps if name.rpartition(":")[0] not in found):
        raise CheckpointError(f"{path}: {alone[0]} belongs to no weight")
    return found


def check(found: Mapping[str, torch.Tensor], wanted: Mapping[str, torch.Tensor], dtype: torch.dtype, what: str) -> None:
    """Raise CheckpointError naming the first tensor that is missing or not known, of another shape or type, or holds
    a number that is not finite."""
    for name in sorted(found.keys() | wanted.keys()):
        shapes = [tuple(tensors[name].shape) if name in tensors else None for tensors in (found, wanted)]
        if shapes[0] != shapes[1]:
            here = "missing" if shapes[0] is None else shapes[0]
            raise CheckpointError(f"{what} {name} is {here}, the network has it {shapes[1] or 'not known'}")
        if found[name].dtype != dtype:
            raise CheckpointError(f"{what} {name} is of {found[name].dtype}; expected {dtype}")
        if not torch.isfinite(found[name]).all():
            raise CheckpointError(f"{what} {name} holds numbers that are not finite")


def weights_of(policy: nn.Module) -> Tensors:
    """A copy of the weights of a policy."""
    return {name: tensor.detach().clone().contiguous() for name, tensor in _once(policy.state_dict()).items()}


def load_weights(policy: nn.Module, weights: Tensors, path: Path, dtype: torch.dtype = torch.float32) -> None:
    """Put weights into a policy. Raises CheckpointError naming the first that does not fit, the policy unchanged."""
    weights = _once(weights)
    check(weights, _once(policy.state_dict()), dtype, f"{path}: weight")
    policy.load_state_dict(weights, strict=False)


def policy_of(weights: Tensors, game: Game, network: Network, path: Path, precision: str = "float32") -> AgentPolicy:
    """A network with these weights. Raises CheckpointError when they do not fit, before memory is taken for it."""
    try:
        with torch.device("meta"):  # shapes only
            shape = make_policy(game, network)
    except (ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: its network cannot be made for this game: {error}") from None
    check(_once(weights), _once(shape.state_dict()), PRECISIONS[precision], f"{path}: weight")
    policy = make_policy(game, network)
    policy.load_state_dict(weights, strict=False)
    return policy


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> Tensors:
    """What an optimiser remembers of each parameter, as `index.name`."""
    state = optimizer.state_dict()["state"]
    return {f"{i}.{name}": value.clone().contiguous() for i, kept in state.items() for name, value in kept.items()}


def load_optimizer(optimizer: torch.optim.Optimizer, tensors: Tensors, path: Path, begun: bool = True) -> None:
    """The reverse of `optimizer_tensors`; the settings of the optimiser stay as they are.

    `begun` says whether it has made a step: before that it remembers nothing. Raises CheckpointError.
    """
    groups = optimizer.state_dict()["param_groups"]
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    wanted = {
        f"{i}.{name}": torch.zeros(()) if name == "step" else parameter
        for i, parameter in enumerate(parameters if begun else ())
        for name in MOMENTS
    }
    check(tensors, wanted, torch.float32, f"{path}: moment")
    state: dict[int, Tensors] = {}
    for key, value in tensors.items():
        index, _, name = key.partition(".")
        state.setdefault(int(index), {})[name] = value
    optimizer.load_state_dict({"state": state, "param_groups": groups})


def _once(weights: Mapping[str, torch.Tensor]) -> Tensors:
    """Weights without the further names that SB3 gives to shared layers."""
    return {name: tensor for name, tensor in weights.items() if not name.startswith(FURTHER_NAMES)}
