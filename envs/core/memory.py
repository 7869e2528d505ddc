"""Memory inside kernels: records as bytes, eight mask entries at once, arrays whose users are not counted.

NumPy and Numba would copy a record field by field; here it is one `memcpy`, `memset` or load.
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
def _word(typing_context, array, offset):
    def generate(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [args[1]])
        word = builder.load(builder.bitcast(pointer, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return types.uint64(array, types.intp), generate


def _unowned(context, builder, kind, value):
    """A value without owners of memory: an array, or a tuple that holds arrays."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        for k, part in enumerate(parts):
            value = builder.insert_value(value, _unowned(context, builder, part, builder.extract_value(value, k)), k)
    return value


@intrinsic
def _borrow(typing_context, value):
    def generate(context, builder, signature, args):
        return _unowned(context, builder, signature.args[0], args[0])

    return value(value), generate


def _plain_copy(targets: np.ndarray, i: int, sources: np.ndarray, j: int) -> None:
    targets[i : i + 1].view(np.uint8)[:] = sources[j : j + 1].view(np.uint8)


def _plain_clear(targets: np.ndarray, i: int) -> None:
    targets[i : i + 1].view(np.uint8)[:] = 0


def _plain_word(items: np.ndarray, offset: int) -> np.uint64:
    return items[offset : offset + 8].view(np.uint64)[0]


def _plain_borrow(value: Any) -> Any:
    return value


@rule_or(_plain_copy)
def copy_record(targets, i, sources, j):
    """Copy record j of `sources` over record i of `targets`, byte by byte."""
    _copy(targets[i], sources[j])


@rule_or(_plain_clear)
def clear_record(targets, i):
    """Set every byte of record i to zero."""
    _clear(targets[i])


@rule_or(_plain_word)
def word_at(items, offset):
    """Eight entries of a contiguous int8 array from `offset` on, as one uint64."""
    return _word(items, np.int64(offset))


@rule_or(_plain_borrow)
def borrowed(value):
    """The same array, or tuple of arrays, without a count of its users: for what Python holds during the whole call.

    Numba counts at every call that gets an array, with an instruction that waits for the other cores. Small rules are
    called so often that this costs as much as a tenth of a game.
    """
    return _borrow(value)
