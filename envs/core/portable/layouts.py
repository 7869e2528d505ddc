"""What the arguments of a kernel are, in words and as a digest: a module is for these and refused for all others."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

Kind = Any  # "i" integer, "f" float, "b" truth value, [number of axes] an array, {"of": [kinds]} a tuple


def kind_of(value: Any) -> Kind:
    """What an argument is, JSON-able."""
    if isinstance(value, np.ndarray):
        return [value.ndim]
    if isinstance(value, tuple):
        return {"of": [kind_of(part) for part in value]}
    if isinstance(value, bool | np.bool_):
        return "b"
    return "i" if isinstance(value, int | np.integer) else "f"


def arrays_in(arguments: tuple[Any, ...]) -> Iterator[np.ndarray]:
    """All arrays of the arguments, those in tuples too."""
    for value in arguments:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from arrays_in(value)


def flattened(arguments: tuple[Any, ...], kinds: list[Kind], address: Any) -> Iterator[int | float]:
    """The arguments as machine code takes them.

    An array is two nulls (nobody counts its users), its size, the size of an entry, its address, shape and strides.
    `address(array)` tells where it lies.
    """
    for value, kind in zip(arguments, kinds, strict=True):
        if isinstance(value, np.ndarray):
            yield from (0, 0, value.size, value.itemsize, address(value), *value.shape, *value.strides)
        elif isinstance(value, tuple):
            yield from flattened(value, kind["of"], address)
        elif kind == "f":
            yield float(value)
        else:
            number = int(value)
            yield number - (1 << 64) if number >= 1 << 63 else number


def flat_kinds(kinds: list[Kind]) -> Iterator[str]:
    """The kind of each number that `flattened` gives: "p" is an address."""
    for kind in kinds:
        if isinstance(kind, list):
            yield from ("p", "p", "i", "i", "p", *("i" * (2 * kind[0])))
        elif isinstance(kind, dict):
            yield from flat_kinds(kind["of"])
        else:
            yield kind


def layout(arrays: tuple[tuple[np.dtype, int], ...]) -> str:
    """A digest of the types and axes of all arrays of a call, 16 hexadecimal digits."""
    words = json.dumps([[_described(dtype), axes] for dtype, axes in arrays])
    return hashlib.sha256(words.encode()).hexdigest()[:16]


@functools.cache
def _described(dtype: np.dtype) -> Any:
    """All that compiled code knows of a type: of a record where each field lies and what it is."""
    if dtype.subdtype is not None:
        return [_described(dtype.subdtype[0]), list(dtype.shape)]
    if dtype.fields is None:
        return dtype.str
    fields = sorted(dtype.fields.items(), key=lambda field: field[1][1])
    return [dtype.itemsize, [[name, offset, _described(kind)] for name, (kind, offset, *_) in fields]]
