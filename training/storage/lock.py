"""One process at a time in a folder. The lock is the operating system's, so that it ends with its process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

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
    """Hold the lock of a file, which is made where there is none. Raises InUse with `problem`, or OSError."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)  # not inherited by other programs
    try:
        if not _take(descriptor):
            raise InUse(problem)
        yield
    finally:
        os.close(descriptor)


if os.name == "nt":
    import msvcrt

    def _take(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # pyright: ignore[reportAttributeAccessIssue]
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
