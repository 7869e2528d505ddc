"""A learned value: a small network over what a seat sees and the game's own `value`, inside kernels.

Its weights are an argument, one float32 array, so that another network needs no compiling; an empty array stands for
the game's own `value`. The last layer goes through tanh, together with the own value times a learnt `gate`.

Inputs are the codes of an observation (`features.py`); what they stand for is worked into the first layer. Most are
zero, so that layer adds only the columns of those that are not. And the positions that
a player compares differ little from the one that it stands at: the first layer of that one, the anchor, is worked out
once, and for each of the others only what changes.

The array holds the index of the reward, the number of inputs, the factor of the own value as an input, the gate,
the number of hidden layers and LAYERS widths; then for each layer its matrix, one row an input, and its bias. The own
value is the last input of the first layer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from theogony.envs.core.elementary import tanh
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import word_at

REWARD, INPUTS, OWN, GATE, DEPTH, WIDTHS = 0, 1, 2, 3, 4, 5  # where it is in the array
LAYERS = 4  # hidden layers at most
FRONT = WIDTHS + LAYERS  # where the matrices begin
WIDEST = 512  # units of a hidden layer at most
OWN_VALUE = np.zeros(0, np.float32)  # no network: the game's own value


def pack(
    matrices: Sequence[np.ndarray], biases: Sequence[np.ndarray], gate: float, own: float, reward: int
) -> np.ndarray:
    """The weights as kernels take them, float32.

    Args:
        matrices: of each layer, (inputs, outputs); the first has one input more than the observation, the last one
            output.
        biases: of each layer, (outputs,).
        gate: how much the own value counts before the tanh.
        own: what the own value is multiplied by as an input.
        reward: index of the final reward that was learnt, which a finished position is worth.

    Raises ValueError for a network that is too deep or too wide, does not fit together or is not finite.
    """
    seen = np.flatnonzero(matrices[0][:-1].any(axis=1))  # what lies behind the last of them counts for nothing
    matrices = [np.delete(matrices[0], np.s_[seen[-1] + 1 if len(seen) else 0 : -1], axis=0), *matrices[1:]]
    widths = [matrix.shape[1] for matrix in matrices[:-1]]
    if not 1 <= len(widths) <= LAYERS or max(widths) > WIDEST or matrices[-1].shape[1] != 1:
        raise ValueError(f"a value network has 1 to {LAYERS} hidden layers of at most {WIDEST} units, not {widths}")
    front = np.zeros(FRONT, np.float32)
    front[[REWARD, INPUTS, OWN, GATE, DEPTH]] = reward, matrices[0].shape[0] - 1, own, gate, len(widths)
    front[WIDTHS : WIDTHS + len(widths)] = widths
    parts = [front]
    for matrix, bias, inputs in zip(matrices, biases, [matrices[0].shape[0], *widths], strict=True):
        if matrix.shape != (inputs, len(bias)):
            raise ValueError(f"a layer of {matrix.shape} and {len(bias)} biases does not fit {inputs} inputs")
        parts += [matrix.ravel(), bias.ravel()]
    packed = np.concatenate(parts).astype(np.float32)
    if not np.isfinite(packed).all():
        raise ValueError("a value network holds numbers that are not finite")
    return packed


@rule
def first_layer(net, inputs, out):
    """The first layer of these inputs before its activation, without the own value."""
    count, width = np.int64(net[INPUTS]), np.int64(net[WIDTHS])
    start = FRONT + (count + 1) * width
    matrix, bias = net[FRONT:start].reshape(count + 1, width), net[start : start + width]
    for j in range(width):
        out[j] = bias[j]
    for i in range(count):
        code = inputs[i]
        if code != 0:
            x = np.float32(code)
            for j in range(width):
                out[j] += x * matrix[i, j]


@rule
def changed_layer(net, inputs, known_inputs, known, out):
    """The first layer of these inputs, worked out from that of `known_inputs`, which are nearly the same: `known`."""
    count, width = np.int64(net[INPUTS]), np.int64(net[WIDTHS])
    matrix = net[FRONT : FRONT + count * width].reshape(count, width)
    for j in range(width):
        out[j] = known[j]
    for start in range(0, count, 8):
        end = min(start + 8, count)
        if end - start == 8 and word_at(inputs, start) == word_at(known_inputs, start):
            continue
        for i in range(start, end):
            if inputs[i] != known_inputs[i]:
                x = np.float32(inputs[i]) - np.float32(known_inputs[i])
                for j in range(width):
                    out[j] += x * matrix[i, j]


@rule
def further_layers(net, first, one, other, own):
    """The value, from the first layer before its activation and the own value; `one` and `other` are worked in."""
    count, width, depth = np.int64(net[INPUTS]), np.int64(net[WIDTHS]), np.int64(net[DEPTH])
    start = FRONT + count * width
    row = net[start : start + width]
    x = net[OWN] * np.float32(own)
    for j in range(width):
        one[j] = max(first[j] + x * row[j], np.float32(0.0))
    start += 2 * width
    for layer in range(1, depth):
        further = np.int64(net[WIDTHS + layer])
        _layer(net, start, one, width, other, further)
        one, other = other, one
        start += (width + 1) * further
        width = further
    total = net[start + width]
    last = net[start : start + width]
    for j in range(width):
        total += one[j] * last[j]
    return tanh(np.float64(total) + np.float64(net[GATE]) * own)


@rule
def _layer(net, start, inputs, count, out, width):
    """One hidden layer; inputs that the activation made zero cost nothing."""
    end = start + count * width
    matrix, bias = net[start:end].reshape(count, width), net[end : end + width]
    for k in range(width):
        out[k] = bias[k]
    for j in range(count):
        x = inputs[j]
        if x > 0.0:
            for k in range(width):
                out[k] += x * matrix[j, k]
    for k in range(width):
        out[k] = max(out[k], np.float32(0.0))
