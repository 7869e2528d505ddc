"""Random numbers: a SplitMix64 stream that lives in one uint64, so that a position carries its own generator.

Streams are one-element uint64 views (`g.rng` of a state, or a player's own array): a draw advances them in place. The
generator is Steele, Lea and Flood's SplitMix64 (OOPSLA 2014); bounded draws are unbiased (Lemire 2019, on 32 bits).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from theogony.envs.core.arguments import integer
from theogony.envs.core.jit import INTERPRETED, rule

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32, S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(11)
LOW32 = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)


def seed_bits(seed: Any) -> int:
    """A seed as 64 bits, 0 to 2**64 - 1: the one rule for every place that takes a seed.

    Any integer is one, also NumPy's, negative or longer than 64 bits. Raises TypeError for all else, bool included.
    """
    try:
        return integer(seed) & (2**64 - 1)
    except TypeError:
        raise TypeError(f"a seed is an integer, not {seed!r:.60}") from None


def wrapping(function):
    """A rule in which unsigned overflow is meant: interpreted NumPy warns of it, compiled code does not."""
    if not INTERPRETED:
        return rule(function)

    @functools.wraps(function)
    def silent(*args):
        with np.errstate(over="ignore"):
            return function(*args)

    return silent


@wrapping
def scramble(x):
    """The output function of SplitMix64: uint64 -> uint64, a bijection."""
    x = (x ^ (x >> S30)) * MIX_1
    x = (x ^ (x >> S27)) * MIX_2
    return x ^ (x >> S31)


@wrapping
def mix(seed, a, b):
    """A seed of its own for every (seed, a, b): `mix(seed, row, episode)`."""
    x = scramble(np.uint64(seed) + GAMMA)
    x = scramble(x ^ (np.uint64(a) * GAMMA + ONE))
    return scramble(x ^ (np.uint64(b) * MIX_1 + GAMMA))


def mixed(seed: Any, a: int, b: int) -> int:
    """`mix` outside of compiled code, of any integer as a seed."""
    return int(mix(np.uint64(seed_bits(seed)), a, b))


@wrapping
def next_u64(rng):
    """The next 64 random bits of a stream (a one-element uint64 array)."""
    rng[0] += GAMMA
    return scramble(rng[0])


@rule
def below(rng, n):
    """An unbiased integer in [0, n), for 1 <= n < 2**32."""
    bound = np.uint64(n)
    product = (next_u64(rng) >> S32) * bound
    if (product & LOW32) < bound:
        threshold = ((LOW32 - bound) + ONE) % bound
        while (product & LOW32) < threshold:
            product = (next_u64(rng) >> S32) * bound
    return np.int64(product >> S32)


@rule
def uniform(rng):
    """A float64 in [0, 1) with 53 random bits."""
    return np.float64(next_u64(rng) >> S11) * (1.0 / 9007199254740992.0)


@rule
def shuffle(rng, items, count):
    """Fisher-Yates over the first `count` entries of a one-dimensional array, in place."""
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        items[i], items[j] = items[j], items[i]


@rule
def sort(items, count):
    """Bring the first `count` entries into ascending order, in place.

    For `resample`: shuffled from a fixed order, a draw depends on the dice only and not on the hidden truth.
    """
    for i in range(1, count):
        item = items[i]
        j = i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


@rule
def chance(g, t, n):
    """A chance result in [0, n), of a game whose tables have `given_chances`.

    In play none are given, and the position draws. While a recorded decision is played, its results stand in the
    tables, and `g.rng` counts those that were taken (`theogony.verification.chance`, which also checks them).
    """
    if g.rng[0] < t.given:
        result = np.int64(t.results[np.int64(g.rng[0])])
        g.rng[0] += ONE
        return result
    return below(g.rng, n)
