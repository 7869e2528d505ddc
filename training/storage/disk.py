"""Folders that last: written beside their place, brought to the disk, renamed. For files: `core/untrusted/files.py`."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

from theogony.envs.core.untrusted.files import naming, sync_folder

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
