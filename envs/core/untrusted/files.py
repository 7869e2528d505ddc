"""Writing files so that nobody ever sees half of one, and that a power cut does not take back what was written."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


def replace_file(path: str | Path, content: bytes, private: bool = False) -> None:
    """Write to a temporary file beside `path`, bring it to the disk, then rename it.

    A `private` file can be read by its owner only.
    Raises OSError naming `path` (a full disk, a folder that is missing), and leaves no trace then.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    with naming(path):
        try:
            with open(
                temporary, "xb", opener=(lambda name, flags: os.open(name, flags, 0o600)) if private else None
            ) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    sync_folder(path.parent)


@contextlib.contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """An OSError in this block names `path`: one of `write` names no file, and one of a temporary file another."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        del error.filename2  # None would stand in its text
        raise


def make_folder(path: str | Path) -> None:
    """A folder and those above it that are missing, each brought to the disk. Raises OSError."""
    path = Path(path)
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
        sync_folder(path.parent)


def sync_folder(path: str | Path) -> None:
    """Bring the names in a folder to the disk: of files that were renamed into it, and of folders made in it."""
    with contextlib.suppress(OSError):  # not every file system can
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
