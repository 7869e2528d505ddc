"""Counting and finding bits, an instruction each, as LLVM code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _bit_intrinsic(generate: Any) -> Any:
    """An intrinsic uint64 -> int64."""

    def emit(typing_context, x):
        def code(context, builder, signature, args):
            return generate(builder, context.cast(builder, args[0], signature.args[0], types.uint64))

        return types.int64(types.uint64), code

    return intrinsic(emit)


_FALSE = ir.Constant(ir.IntType(1), 0)
popcount = _bit_intrinsic(lambda builder, x: builder.ctpop(x))
lowest_bit = _bit_intrinsic(lambda builder, x: builder.cttz(x, _FALSE))
highest_bit = _bit_intrinsic(lambda b, x: b.sub(ir.Constant(ir.IntType(64), 63), b.ctlz(x, _FALSE)))
