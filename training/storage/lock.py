"""One process at a time in a folder. The lock is the operating system's, so that it ends with its process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from theogony.envs.core.untrusted.files import make_folder

LOCK = ".lock"


class InUse(ValueError):
    """Another process works in the folder."""


@contextlib.contextmanager
def only_here(folder: Path) -> Iterator[None]:
    """Keep others out of a folder, which is made where there is none. Raises InUse, or OSError naming the file."""
    make_folder(folder)
    with locked(folder / LOCK, f"{folder}: another process works in this folder; wait for it, or stop it first"):
        yield


@contextlib.contextmanager
def locked(file: Path, problem: str) -> Iterator[None]:
    """Hold the lock of a file, which is made where there is none and holds nothing. Raises InUse with `problem`, or
    OSError."""
    lock = FileLock(file, mode=0o644, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise InUse(problem) from None
    try:
        yield
    finally:
        lock.release()
