"""Files that last: written beside their place, brought to the disk and renamed. An error names the file."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

LEFTOVER = re.compile(r"\..+\.\d+(\.[0-9a-f]{8})?\.tmp")  # what a killed process leaves: .NAME.PROCESS.tmp


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Give an error of the operating system inside, such as a full disk, the name of the file, where it has none."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_file(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or as it was, even when the power fails. Raises OSError naming it."""
    temporary = _beside(path)
    with _removed_on_failure(temporary):
        _write(temporary, path, content)
        os.replace(temporary, path)
    sync_folder(path.parent)


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder of files, whole or not at all. Raises OSError naming a file, also when the folder is there."""
    temporary = _beside(path)
    with _removed_on_failure(temporary):
        temporary.mkdir()
        for name, content in files.items():
            _write(temporary / name, path / name, content)
        sync_folder(temporary)
        os.rename(temporary, path)
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Bring what was written to a file, perhaps by others, to the disk."""
    with naming(path), path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Bring the names in a folder to the disk, where the operating system knows how."""
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with naming(path):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, so that they last."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for folder in missing:
        sync_folder(folder.parent)


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes left half-written. Nobody else may be writing there."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if LEFTOVER.fullmatch(path.name):
            _remove(path)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def _write(path: Path, meant: Path, content: bytes) -> None:
    """Write a file to the disk; an error is about `meant`, which it will be."""
    try:
        with path.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(meant)) from None


@contextlib.contextmanager
def _removed_on_failure(temporary: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        _remove(temporary)
        raise


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
