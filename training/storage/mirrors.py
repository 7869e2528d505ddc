"""Folders and files in object storage, such as `s3://bucket/runs/mine`, by fsspec: written here and mirrored there.

What an address stands for lies in the user's cache, like any folder on the disk. It is fetched when it is first named,
and sent after every checkpoint and when the command ends: file by file, each whole or not at all, and the header of a
checkpoint, without which that counts for nothing, behind its other files.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import warnings
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from theogony.console.extras import install
from theogony.envs.core.compile.cache_files import cache_folder
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.storage.disk import LEFTOVER, LOCK, InUse, locked

ADDRESS = re.compile(r"([a-z][a-z0-9]+):/+([^/].*)")  # `Path` leaves one of its slashes
LAST = ("header.json", "LATEST")  # files of a checkpoint that say it is whole
_sent: dict[Path, tuple[int, int]] = {}  # what is there as it is here: time and size
_fetched: set[Path] = set()
_written: set[Path] = set()


class StorageError(ValueError):
    """What an address stands for could not be read or written: says why, in one line."""


def is_address(path: str | Path) -> bool:
    """Whether a path is an address in object storage."""
    return ADDRESS.fullmatch(str(path)) is not None


def local(path: Path, writes: bool = False) -> Path:
    """Return the place here of an address, with all that is there; any other path as it is. Raises StorageError.

    Args:
        path: as it was named.
        writes: whether it is sent when the command ends.
    """
    found = ADDRESS.fullmatch(str(path))
    if found is None:
        return path
    parts = PurePosixPath(found[2]).parts
    if ".." in parts:
        raise StorageError(f"{path}: leads out of itself; expected an address without ..")
    here = _root().joinpath(found[1], *parts)
    if here not in _fetched:
        _fetch(here)
        _fetched.add(here)
    if writes:
        _written.add(here)
    return here


def shown(path: Path) -> str:
    """The address of a place here; any other path as it is."""
    if not path.is_relative_to(_root()):
        return str(path)
    scheme, *parts = path.relative_to(_root()).parts
    return f"{scheme}://{'/'.join(parts)}"


def send(here: Path) -> None:
    """Send what has changed of a place here; nothing where it is no mirror. Raises StorageError."""
    if not here.is_relative_to(_root()):
        return
    files = [here] if here.is_file() else [path for path in here.rglob("*") if path.is_file() and _counts(path, here)]
    with _storage(here) as (storage, place):
        for path in sorted(files, key=lambda path: (path.name in LAST, path)):
            if _sent.get(path) != (now := _stamp(path)):
                storage.pipe_file(_there(place, path, here), path.read_bytes())
                _sent[path] = now
        for name in storage.find(place) if here.is_dir() else ():
            if not here.joinpath(_below(name, place)).is_file():
                storage.rm_file(name)


def send_on_the_way(here: Path) -> None:
    """Send in the middle of something that goes on without it: what failed is sent the next time."""
    try:
        send(here)
    except StorageError as error:
        warnings.warn(f"{error}; it is sent with the next checkpoint", stacklevel=2)


def send_all() -> None:
    """Send everything that this process was to write. Raises StorageError."""
    for here in sorted(_written):
        send(here)


# ---------------------------------------------------------------------------------------------------- one place


def _root() -> Path:
    return cache_folder() / "mirrors"


def _fetch(here: Path) -> None:
    """Let a place here be what is there, unless another process works in it: then it is newer here."""
    with _storage(here) as (storage, place), contextlib.suppress(InUse):
        make_folder(here.parent)
        with locked(here / LOCK, "") if here.is_dir() else contextlib.nullcontext():
            names = storage.find(place)
            for name in names:
                path = here.joinpath(_below(name, place))
                make_folder(path.parent)
                replace_file(path, storage.cat_file(name))
                _sent[path] = _stamp(path)
            known = {here.joinpath(_below(name, place)) for name in names}
            for path in here.rglob("*") if here.is_dir() else ():
                if path.is_file() and path not in known and path.name != LOCK:
                    path.unlink()


@contextlib.contextmanager
def _storage(here: Path) -> Iterator[tuple[Any, str]]:
    """The file system of a place, and its path there. What goes wrong inside is raised as StorageError."""
    address = shown(here)
    try:
        fsspec = importlib.import_module("fsspec")
        storage, place = fsspec.core.url_to_fs(address)
        storage.invalidate_cache()
        yield storage, place.rstrip("/")
    except ImportError as error:
        raise StorageError(f"{address}: needs a library: {error}; {install('cloud')}") from None
    except Exception as error:  # every storage has errors of its own
        raise StorageError(f"{address}: {type(error).__name__}: {' '.join(str(error).split())[:200]}") from None


def _below(name: str, place: str) -> str:
    """The path of a file below a place; "" for the place itself."""
    return name.removeprefix(place).lstrip("/")


def _there(place: str, path: Path, here: Path) -> str:
    below = path.relative_to(here).as_posix()
    return place if below == "." else f"{place}/{below}"


def _counts(path: Path, here: Path) -> bool:
    """Whether a file is more than a lock or what is half-written."""
    return not any(LEFTOVER.fullmatch(part) or part == LOCK for part in path.relative_to(here).parts)


def _stamp(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_mtime_ns, about.st_size
