"""The threads of a batch: its rows are cut into slices, and each slice is worked on by one thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
Slice = tuple[int, int, int]  # first scratch row, first row, end of the rows
SLICE_ROWS = 512  # fewer rows are not worth a thread of their own

_pool: ThreadPoolExecutor | None = None


def _threads() -> ThreadPoolExecutor:
    """The one pool of the process, made when it is first needed."""
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(os.cpu_count() or 1, "theogony")
    return _pool


def _drop_pool() -> None:
    """A forked child has none of its parent's threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drop_pool)


def slices_of(size: int, threads: int, depth: int) -> list[Slice]:
    """At most `threads` slices of `size` rows; each has `depth` scratch rows of its own."""
    slices = max(1, min(threads, size // SLICE_ROWS))
    cuts = [size * k // slices for k in range(slices + 1)]
    return [(depth * k, cuts[k], cuts[k + 1]) for k in range(slices)]


def each_slice(slices: list[T], work: Callable[[T], None]) -> None:
    """Work on the first slice, or whatever is cut up, in this thread and on the others in the pool."""
    waiting = [_threads().submit(work, cut) for cut in slices[1:]]
    try:
        work(slices[0])
    finally:
        for future in waiting:
            future.result()
