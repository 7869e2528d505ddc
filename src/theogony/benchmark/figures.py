"""What the figures of all results have in common: what a game is worth, and how a number is rounded."""

from __future__ import annotations

import numpy as np

WORTH = {"W": 1.0, "D": 0.5, "L": 0.0, "C": 0.0}  # of a game won, drawn, lost, lost by a crash
DIGITS = 6  # the last bits of a mean are not the same on every machine


def rounded(number: float | np.floating | np.ndarray) -> float:
    """A number as it stands in a results file.

    >>> rounded(2 / 3), rounded(-1e-9)
    (0.666667, 0.0)
    """
    return round(float(number), DIGITS) + 0.0  # no -0.0
