"""`exp` and `tanh` in the rules' own arithmetic, so that a learned value is the same to the last bit on every machine.

Those of the system's library differ between systems, and one bit can decide between two actions. These are made of
what IEEE 754 fixes in every bit: sums, products, quotients and comparisons of float64, in the order written here. `exp`
is within 0.55 units in the last place of the true value, so that it nearly always is what a good library says; `tanh`
within 1.5. Square roots need no place here: they are fixed as well.
"""

from __future__ import annotations

import math

import numpy as np

from theogony.envs.core.jit import rule

LOG2E = 1.4426950408889634
LN2_HIGH = float.fromhex("0x1.62e42feep-1")  # ln 2 in two parts; the first is short, so that its multiples are exact
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
TAYLOR = tuple(1 / math.factorial(n) for n in range(13, 2, -1))  # of exp, from the highest term to that of r³
SPLIT = 2.0**27 + 1  # Dekker's
LARGEST, SMALLEST = 709.782712893384, -745.1332191019412  # beyond them exp is inf, and 0
SHIFT = 62  # the most by which an int64 can be shifted to a power of two


@rule
def exp(x):
    """e to the power of a float64: x = k ln 2 + r with a small r, so that it is 2 to the k times the series of r."""
    if x != x or x > LARGEST:
        return x + np.inf
    if x < SMALLEST:
        return 0.0
    k = np.int64(x * LOG2E + (0.5 if x > 0.0 else -0.5))
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    series = 0.0
    for term in TAYLOR:
        series = series * r + term
    coarse = r * SPLIT - (r * SPLIT - r)  # half the digits of r, so that its square is exact
    square = 0.5 * coarse * coarse
    one = 1.0 + r
    two = one + square
    lost = ((high - r) - low) * one + (r - (one - 1.0)) + (square - (two - one))  # what rounding took away
    return _scaled(two + (lost + (0.5 * (coarse + r) * (r - coarse) + r * r * r * series)), k)


@rule
def tanh(x):
    """The hyperbolic tangent of a float64: Lambert's continued fraction, seven steps in one, where x is small; else
    from `exp`."""
    size = abs(x)
    if size < 1e-9:
        return x
    if size > 20.0:
        return 1.0 if x > 0.0 else -1.0
    if size > 0.625:
        found = 1.0 - 2.0 / (exp(2.0 * size) + 1.0)
        return found if x > 0.0 else -found
    z = x * x
    above = 675675.0 + z * (45045.0 + z * (594.0 + z))
    below = 2027025.0 + z * (945945.0 + z * (51975.0 + z * (630.0 + z)))
    return x - x * (z * above / below)


@rule
def _scaled(y, k):
    """y times 2 to the k. Only the last step can leave the normal numbers, so it is rounded once at most."""
    while k > SHIFT:
        y *= np.float64(np.int64(1) << SHIFT)
        k -= SHIFT
    if k >= 0:
        return y * np.float64(np.int64(1) << k)
    steps = -k // SHIFT
    y /= np.float64(np.int64(1) << (-k - steps * SHIFT))
    for _ in range(steps):
        y /= np.float64(np.int64(1) << SHIFT)
    return y
