"""Sets of spaces: pairs of uint64 for land, one uint64 for rivers."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import wrapping

ZERO, ONE = np.uint64(0), np.uint64(1)
DEBRUIJN, SHIFT = np.uint64(0x03F79D71B4CB0A89), np.uint64(58)
POSITION = np.zeros(64, np.int64)  # which bit a De Bruijn product names
for _k in range(64):
    POSITION[(((1 << _k) * int(DEBRUIJN)) & 0xFFFFFFFFFFFFFFFF) >> 58] = _k
BIT = np.array([1 << k for k in range(64)], np.uint64)


@wrapping
def lowest(word):
    """Number of the lowest bit of a word that is not zero."""
    return POSITION[((word & (~word + ONE)) * DEBRUIJN) >> SHIFT]


@rule
def without_lowest(word):
    """The word without its lowest bit; the word is not zero."""
    return word & (word - ONE)


@rule
def split(low, high):
    """The lowest space of a set (low, high) that is not empty, and the two words without it."""
    if low != ZERO:
        return lowest(low), without_lowest(low), high
    return 64 + lowest(high), low, without_lowest(high)


@rule
def holds(pair, space):
    """Whether a land space is in a set."""
    return pair[space >> 6] & BIT[space & 63] != ZERO


@rule
def add(pair, space):
    """Put a land space into a set."""
    pair[space >> 6] |= BIT[space & 63]


@rule
def remove(pair, space):
    """Take a land space out of a set."""
    pair[space >> 6] &= ~BIT[space & 63]


@rule
def mark(mask, first, low, high):
    """Set mask[first + space] for every space of the set (low, high)."""
    while low != ZERO:
        mask[first + lowest(low)] = 1
        low = without_lowest(low)
    while high != ZERO:
        mask[first + 64 + lowest(high)] = 1
        high = without_lowest(high)
