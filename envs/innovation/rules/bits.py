"""Sets of cards: two words of 64 bits, `s[0]` for cards 0 to 63 and `s[1]` for the others. Cards are sorted by age."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.jit import INTERPRETED, rule

ZERO, ONE = np.uint64(0), np.uint64(1)
LOW6 = 63


if INTERPRETED:

    def popcount(x: Any) -> int:
        """Number of bits."""
        return int(x).bit_count()

    def lowest_bit(x: Any) -> int:
        """Number of the lowest bit; `x` is not 0."""
        return (int(x) & -int(x)).bit_length() - 1

    def highest_bit(x: Any) -> int:
        """Number of the highest bit; `x` is not 0."""
        return int(x).bit_length() - 1

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def _bit_intrinsic(generate: Any) -> Any:
        """Make an intrinsic uint64 -> int64 of a function that writes one LLVM instruction."""

        def emit(typing_context, x):
            def code(context, builder, signature, args):
                return generate(builder, context.cast(builder, args[0], signature.args[0], types.uint64))

            return types.int64(types.uint64), code

        return intrinsic(emit)

    _FALSE = ir.Constant(ir.IntType(1), 0)
    popcount = _bit_intrinsic(lambda builder, x: builder.ctpop(x))
    lowest_bit = _bit_intrinsic(lambda builder, x: builder.cttz(x, _FALSE))
    highest_bit = _bit_intrinsic(lambda b, x: b.sub(ir.Constant(ir.IntType(64), 63), b.ctlz(x, _FALSE)))


@rule
def bit(card):
    """The bit of a card in its word, which is word `card >> 6`."""
    return ONE << np.uint64(card & LOW6)


@rule
def has(s, card):
    """Whether a card is in a set."""
    return (s[card >> 6] >> np.uint64(card & LOW6)) & ONE != ZERO


@rule
def insert(s, card):
    """Put a card into a set."""
    s[card >> 6] |= bit(card)


@rule
def discard(s, card):
    """Take a card out of a set, if it is there."""
    s[card >> 6] &= ~bit(card)


@rule
def count(s):
    """How many cards a set holds."""
    return popcount(s[0]) + popcount(s[1])


@rule
def is_empty(s):
    """Whether a set holds no card."""
    return s[0] | s[1] == ZERO


@rule
def clear(s):
    """Empty a set."""
    s[0] = ZERO
    s[1] = ZERO


@rule
def first(s):
    """The lowest card of a set that is not empty."""
    return lowest_bit(s[0]) if s[0] != ZERO else 64 + lowest_bit(s[1])


@rule
def last(s):
    """The highest card of a set that is not empty."""
    return 64 + highest_bit(s[1]) if s[1] != ZERO else highest_bit(s[0])


@rule
def top_value(t, s):
    """The highest value in a set, 0 when it is empty."""
    return np.int64(0) if is_empty(s) else np.int64(t.age[last(s)])


@rule
def keep_age(t, s, age):
    """Leave only the cards of one age in a set."""
    s[0] &= t.of_age[age, 0]
    s[1] &= t.of_age[age, 1]


@rule
def keep_highest(t, s):
    """Leave only the cards of the highest value (rules §4.3)."""
    if not is_empty(s):
        keep_age(t, s, np.int64(t.age[last(s)]))


@rule
def keep_lowest(t, s):
    """Leave only the cards of the lowest value (rules §4.3)."""
    if not is_empty(s):
        keep_age(t, s, np.int64(t.age[first(s)]))


@rule
def count_of_age(t, s, age):
    """How many cards of a value a set holds."""
    return popcount(s[0] & t.of_age[age, 0]) + popcount(s[1] & t.of_age[age, 1])


@rule
def count_of_colour(t, s, colour):
    """How many cards of a colour a set holds."""
    return popcount(s[0] & t.of_colour[colour, 0]) + popcount(s[1] & t.of_colour[colour, 1])
