"""Folders that last: written beside their place, brought to the disk, renamed. For files: `core/untrusted/files.py`."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from filelock import FileLock, Timeout

from theogony.envs.core.untrusted.files import make_folder, naming, sync_folder

LEFTOVER = re.compile(r"\..+\.\d+(\.[0-9a-f]{8})?\.tmp")  # what a killed process leaves: .NAME.PROCESS.tmp


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder of files, whole or not at all. Raises OSError naming the file, or a folder that is there."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.mkdir()
        for name, content in files.items():
            with naming(path / name), (temporary / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        sync_folder(temporary)
        os.rename(temporary, path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Bring what was appended to a file to the disk."""
    with naming(path), path.open("rb") as file:
        os.fsync(file.fileno())


def remove_leftovers(folder: Path, of: Collection[str] = ()) -> None:
    """Remove what killed processes left half-written: of all files, or of those called so, which nobody else writes."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if not LEFTOVER.fullmatch(path.name) or (of and path.name[1:].rsplit(".", 3)[0] not in of):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def is_used(folder: Path) -> bool:
    """Whether there is more in a folder than what a process left that was killed before it wrote anything."""
    return folder.exists() and any(path.name != LOCK and not LEFTOVER.fullmatch(path.name) for path in folder.iterdir())


# ---- One process at a time in a folder. The lock is the operating system's, so that it ends with its process -----

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
