"""Memory inside kernels: records as bytes, eight mask entries at once, arrays whose users are not counted.

NumPy and Numba would copy a record field by field, and an array entry by entry; these are one `memcpy`, `memset` or
load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from theogony.envs.core.jit import INTERPRETED, rule, rule_or
from theogony.envs.core.record import SEATS

if TYPE_CHECKING or not INTERPRETED:
    from theogony.envs.core.compile.intrinsics import (
        _borrow,
        _bytes,
        _clear,
        _copy,
        _copy_array,
        _fetch,
        _log,
        _put_word,
        _seat_zeros,
        _word,
    )

BYTE = np.uint64(255)
EIGHT_BITS = np.array([sum(1 << 8 * k for k in range(8) if byte >> k & 1) for byte in range(256)], np.uint64)


def _plain_copy_array(target: np.ndarray, source: np.ndarray) -> None:
    target[...] = source


def _plain_put_word(items: np.ndarray, offset: int, word: np.uint64) -> None:
    items[offset : offset + 8] = np.array([word], np.uint64).view(np.uint8)


# A number for each seat, float64 (SEATS,), without asking for memory: only as long as the rule that calls it runs.
seat_zeros: Any = (lambda: np.zeros(SEATS)) if INTERPRETED else _seat_zeros


@rule_or(lambda targets, i, sources, j: np.copyto(targets[i : i + 1].view(np.uint8), sources[j : j + 1].view(np.uint8)))
def copy_record(targets, i, sources, j):
    """Copy record j of `sources` over record i of `targets`, byte by byte."""
    _copy(targets[i], sources[j])


@rule_or(lambda targets, i: targets[i : i + 1].view(np.uint8).fill(0))
def clear_record(targets, i):
    """Set every byte of record i to zero."""
    _clear(targets[i])


@rule_or(lambda targets, i: None)
def fetch_record(targets, i):
    """Ask the processor for record i, which is needed soon, while it goes on with something else."""
    _fetch(targets[i])


@rule_or(lambda records: records.view(np.uint8))
def bytes_of(records):
    """Records as an array of bytes, over the same memory; it lives no longer than they do."""
    return _bytes(records)


@rule_or(lambda g: g.log if "log" in g.dtype.names else np.zeros(0, np.int16))
def log_of(g):
    """The field `log` (int16) of a record, and where the layout has none an array of length 0.

    A layout of play has none: what a rule does only with a longer array is left out when it is compiled.
    """
    return _log(g)


@rule_or(_plain_copy_array)
def copy_array(target, source):
    """Copy an array over another of the same shape, byte by byte: both contiguous, with entries of the same size."""
    _copy_array(target, source)


@rule_or(lambda items, offset: items[offset : offset + 8].view(np.uint64)[0])
def word_at(items, offset):
    """Eight entries of a contiguous int8 array from `offset` on, as one uint64."""
    return _word(items, np.int64(offset))


@rule_or(lambda value: value)
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
