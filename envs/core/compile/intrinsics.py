"""What rules do with memory that Numba has no words for, as LLVM code; `memory.py` has the rules."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as _intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from theogony.envs.core.record import SEATS

intrinsic: Any = _intrinsic  # called with fewer arguments than it is defined with
LINE = 64  # bytes that come from memory at a time


@intrinsic
def _copy(typing_context, target, source):
    def generate(context, builder, signature, args):
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, 1, as_dtype(signature.args[0]).alignment)
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
    kind = types.Array(types.int16, 1, "C", aligned=record.aligned)
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


@intrinsic
def _seat_zeros(typing_context):
    kind = types.Array(types.float64, 1, "C")

    def generate(context, builder, signature, args):
        found = context.make_array(kind)(context, builder)
        data = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), SEATS))
        seats, eight, size = (context.get_constant(types.intp, count) for count in (SEATS, 8, 8 * SEATS))
        cgutils.memset(builder, data, size, 0)
        data = builder.bitcast(data, found.data.type)
        populate_array(found, data, shape=[seats], strides=[eight], itemsize=eight, meminfo=None)
        return found._getvalue()

    return kind(), generate


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
