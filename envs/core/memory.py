"""Records as bytes inside kernels: copying, clearing, and reading eight mask entries at once.

NumPy and Numba would copy a record field by field, and an array entry by entry; these are one `memcpy`, `memset` or
load.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as _intrinsic

from theogony.envs.core.jit import rule_or

intrinsic: Any = _intrinsic  # called with fewer arguments than it is defined with


@intrinsic
def _copy(typing_context, target, source):
    def generate(context, builder, signature, args):
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@intrinsic
def _clear(typing_context, target):
    def generate(context, builder, signature, args):
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.memset(builder, args[0], size, 0)
        return context.get_dummy_value()

    return types.void(target), generate


@intrinsic
def _copy_array(typing_context, target, source):
    def generate(context, builder, signature, args):
        arrays = [context.make_array(kind)(context, builder, arg) for kind, arg in zip(signature.args, args, strict=True)]
        size = builder.mul(arrays[1].nitems, arrays[1].itemsize)
        cgutils.raw_memcpy(builder, arrays[0].data, arrays[1].data, size, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@intrinsic
def _word(typing_context, array, offset):
    def generate(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [args[1]])
        word = builder.load(builder.bitcast(pointer, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return types.uint64(array, types.intp), generate


def _plain_copy(targets: np.ndarray, i: int, sources: np.ndarray, j: int) -> None:
    targets[i : i + 1].view(np.uint8)[:] = sources[j : j + 1].view(np.uint8)


def _plain_clear(targets: np.ndarray, i: int) -> None:
    targets[i : i + 1].view(np.uint8)[:] = 0


def _plain_copy_array(target: np.ndarray, source: np.ndarray) -> None:
    target[...] = source


def _plain_word(items: np.ndarray, offset: int) -> np.uint64:
    return items[offset : offset + 8].view(np.uint64)[0]


@rule_or(_plain_copy)
def copy_record(targets, i, sources, j):
    """Copy record j of `sources` over record i of `targets`, byte by byte."""
    _copy(targets[i], sources[j])


@rule_or(_plain_clear)
def clear_record(targets, i):
    """Set every byte of record i to zero."""
    _clear(targets[i])


@rule_or(_plain_copy_array)
def copy_array(target, source):
    """Copy an array over another of the same shape, byte by byte: both contiguous, with entries of the same size."""
    _copy_array(target, source)


@rule_or(_plain_word)
def word_at(items, offset):
    """Eight entries of a contiguous int8 array from `offset` on, as one uint64."""
    return _word(items, np.int64(offset))
