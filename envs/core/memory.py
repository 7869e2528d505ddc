"""Memory inside kernels: records as bytes, eight mask entries at once, arrays whose users are not counted.

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
from numba.np.arrayobj import populate_array

from theogony.envs.core.jit import rule, rule_or

intrinsic: Any = _intrinsic  # called with fewer arguments than it is defined with

BYTE = np.uint64(255)
LINE = 64  # bytes that come from memory at a time
EIGHT_BITS = np.array([sum(1 << 8 * k for k in range(8) if byte >> k & 1) for byte in range(256)], np.uint64)


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
        to, of = (context.make_array(k)(context, builder, arg) for k, arg in zip(signature.args, args, strict=True))
        cgutils.raw_memcpy(builder, to.data, of.data, builder.mul(of.nitems, of.itemsize), 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@intrinsic
def _fetch(typing_context, target):
    def generate(context, builder, signature, args):
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, flag, flag, flag])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", (cgutils.voidptr_t,), kind)
        start = builder.bitcast(args[0], cgutils.voidptr_t)
        for offset in range(0, signature.args[0].size, LINE):
            line = builder.gep(start, [context.get_constant(types.intp, offset)])
            builder.call(fetch, [line, flag(1), flag(3), flag(1)])  # to be written, into every cache, data
        return context.get_dummy_value()

    return types.void(target), generate


@intrinsic
def _bytes(typing_context, records):
    kind = types.Array(types.uint8, 1, "C")

    def generate(context, builder, signature, args):
        source = context.make_array(signature.args[0])(context, builder, args[0])
        found = context.make_array(kind)(context, builder)
        count = builder.mul(source.nitems, context.get_constant(types.intp, signature.args[0].dtype.size))
        one = context.get_constant(types.intp, 1)
        data = builder.bitcast(source.data, found.data.type)
        populate_array(found, data, shape=[count], strides=[one], itemsize=one, meminfo=None)
        return found._getvalue()

    return kind(records), generate


@intrinsic
def _word(typing_context, array, offset):
    def generate(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [args[1]])
        word = builder.load(builder.bitcast(pointer, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return types.uint64(array, types.intp), generate


@intrinsic
def _log(typing_context, record):
    kind = types.Array(types.int16, 1, "C", aligned=False)
    field = record.fields.get("log")
    offset, count = (field.offset, field.type.nitems) if field else (0, 0)

    def generate(context, builder, signature, args):
        found = context.make_array(kind)(context, builder)
        size, start = context.get_constant(types.intp, count), context.get_constant(types.intp, offset)
        data = builder.gep(builder.bitcast(args[0], cgutils.voidptr_t), [start])
        two = context.get_constant(types.intp, 2)
        data = builder.bitcast(data, found.data.type)
        populate_array(found, data, shape=[size], strides=[two], itemsize=two, meminfo=None)
        return found._getvalue()

    return kind(record), generate


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


@intrinsic
def _put_word(typing_context, array, offset, word):
    def generate(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [args[1]])
        builder.store(args[2], builder.bitcast(pointer, ir.IntType(64).as_pointer())).align = 1
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint64), generate


def _plain_copy(targets: np.ndarray, i: int, sources: np.ndarray, j: int) -> None:
    targets[i : i + 1].view(np.uint8)[:] = sources[j : j + 1].view(np.uint8)


def _plain_clear(targets: np.ndarray, i: int) -> None:
    targets[i : i + 1].view(np.uint8)[:] = 0


def _plain_fetch(targets: np.ndarray, i: int) -> None:
    """Nothing."""


def _plain_bytes(records: np.ndarray) -> np.ndarray:
    return records.view(np.uint8)


def _plain_log(g: Any) -> np.ndarray:
    return g.log if "log" in g.dtype.names else np.zeros(0, np.int16)


def _plain_copy_array(target: np.ndarray, source: np.ndarray) -> None:
    target[...] = source


def _plain_word(items: np.ndarray, offset: int) -> np.uint64:
    return items[offset : offset + 8].view(np.uint64)[0]


def _plain_borrow(value: Any) -> Any:
    return value


def _plain_put_word(items: np.ndarray, offset: int, word: np.uint64) -> None:
    items[offset : offset + 8] = np.array([word], np.uint64).view(np.uint8)


@rule_or(_plain_copy)
def copy_record(targets, i, sources, j):
    """Copy record j of `sources` over record i of `targets`, byte by byte."""
    _copy(targets[i], sources[j])


@rule_or(_plain_clear)
def clear_record(targets, i):
    """Set every byte of record i to zero."""
    _clear(targets[i])


@rule_or(_plain_fetch)
def fetch_record(targets, i):
    """Ask the processor for record i, which is needed soon, while it goes on with something else."""
    _fetch(targets[i])


@rule_or(_plain_bytes)
def bytes_of(records):
    """Records as an array of bytes, over the same memory; it lives no longer than they do."""
    return _bytes(records)


@rule_or(_plain_log)
def log_of(g):
    """The field `log` (int16) of a record, and where the layout has none an array of length 0.

    A layout of play has none: what a rule does only with a longer array is left out when it is compiled.
    """
    return _log(g)


@rule_or(_plain_copy_array)
def copy_array(target, source):
    """Copy an array over another of the same shape, byte by byte: both contiguous, with entries of the same size."""
    _copy_array(target, source)


@rule_or(_plain_word)
def word_at(items, offset):
    """Eight entries of a contiguous int8 array from `offset` on, as one uint64."""
    return _word(items, np.int64(offset))


@rule_or(_plain_borrow)
def borrowed(value):
    """An array, or a tuple of arrays, as itself but without a count of its users.

    For what Python holds during the whole call.

    Numba counts at every call that gets an array, with an instruction that waits for the other cores. Small rules are
    called so often that this costs as much as a tenth of a game.
    """
    return _borrow(value)


@rule_or(_plain_put_word)
def put_word(items, offset, word):
    """Write eight entries of a contiguous array of bytes from `offset` on, as one uint64."""
    _put_word(items, np.int64(offset), word)


@rule
def write_bits(row, low, high):
    """Write a row of bytes, of which there are 65 to 128: 1 where the bit is set in the words `low` and `high`, else 0.

    Eight at a time: for sets of many. Of a set of few, set the entries one by one.
    """
    for k in range(8):
        put_word(row, 8 * k, EIGHT_BITS[np.int64((low >> np.uint64(8 * k)) & BYTE)])
    words = (row.shape[0] - 64) // 8
    for k in range(words):
        put_word(row, 64 + 8 * k, EIGHT_BITS[np.int64((high >> np.uint64(8 * k)) & BYTE)])
    for k in range(64 + 8 * words, row.shape[0]):
        row[k] = np.int64((high >> np.uint64(k - 64)) & np.uint64(1))
