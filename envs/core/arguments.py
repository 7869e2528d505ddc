"""Arguments looked at before compiled code would take them as they are: seats, streams, counts."""

from __future__ import annotations

import operator
from typing import Any, Literal

import numpy as np


def integer(value: Any) -> int:
    """An integer, also NumPy's, and an array or tensor of shape () that holds one: what a `Discrete` contains.

    Raises TypeError for all else: truth values, which Python counts as 0 and 1, and arrays and tensors of one entry.
    """
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):  # nearly always
        return int(value)
    if isinstance(value, bool) or "bool" in str(getattr(value, "dtype", "")):
        raise TypeError("a truth value is no integer")
    if len(getattr(value, "shape", ())):
        raise TypeError("an array of integers is no integer")
    return operator.index(value)


def whole_number(value: Any, what: str) -> int:
    """A whole number from 1 on, also NumPy's, but no truth value. Raises ValueError, which begins with `what`."""
    try:
        number = integer(value)
    except TypeError:
        number = 0
    if number < 1:
        raise ValueError(f"{what}, a whole number from 1 on, not {value!r:.60}")
    return number


def seat_number(seat: Any, players: int) -> int:
    """The number of a seat: any integer, also NumPy's, but no truth value. Raises ValueError."""
    try:
        number = integer(seat)
    except TypeError:
        number = -1
    if not 0 <= number < players:
        raise ValueError(f"seat {seat!r:.60} is not 0 to {players - 1}")
    return number


def checked_viewer(viewer: Any, players: int) -> int | Literal["all"] | None:
    """Who looks at a table of so many: the number of a seat, None (the public) or "all". Raises ValueError."""
    if viewer is None:
        return None
    if isinstance(viewer, str) and viewer == "all":
        return "all"
    try:
        return seat_number(viewer, players)
    except ValueError:
        expected = f"a seat from 0 to {players - 1}, 'all' or None (the public)"
        raise ValueError(f"a viewer is {expected}, not {viewer!r:.60}") from None


def checked_streams(rng: Any, count: int = 1) -> np.ndarray:
    """Streams of chance as compiled code takes them and moves them on. Raises ValueError for anything else."""
    if isinstance(rng, np.ndarray) and rng.dtype == np.uint64 and rng.shape == (count,) and rng.flags.writeable:
        return rng
    found = f"{rng!r:.60}"
    if isinstance(rng, np.ndarray):
        found = f"{'' if rng.flags.writeable else 'read-only '}{rng.dtype} {rng.shape}"
    what = "a stream is" if count == 1 else "streams are"
    raise ValueError(f"{what} uint64 ({count},), an array that can be written to, not {found}")
