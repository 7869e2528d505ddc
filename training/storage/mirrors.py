"""Folders and files in object storage, such as `s3://bucket/runs/mine`, by fsspec: written here and mirrored there.

What an address stands for lies in the user's cache, like any folder on the disk. It is fetched when it is first named,
and sent after every checkpoint and when the command ends: file by file, each whole or not at all, and the header of a
checkpoint, without which that counts for nothing, behind its other files.

A note beside it says what was the same in both places the last time (`Agreed`). So what could not be sent, since a
storage did not answer or a command was killed, is gone on with; and where both places have gone on, what is here is put
aside, never removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import re
import time
import warnings
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from theogony.console.extras import install
from theogony.console.terminal import also
from theogony.envs.core.compile.cache_files import cache_folder
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.storage.disk import LEFTOVER, LOCK, InUse, locked

ADDRESS = re.compile(r"([a-z][a-z0-9]+):/+([^/].*)")  # `Path` leaves one of its slashes
ON_DISK = ("file", "local")  # whose addresses begin at the root
LAST = ("header.json", "LATEST")  # files of a checkpoint that say it is whole
CHANGES = "ETag etag md5Hash mtime LastModified created".split()  # what storages tell of a file's content or time
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
    also(addressed)
    if writes and here not in _written:  # that nobody may write there is noticed before the work
        with _storage(here) as (storage, place):
            storage.pipe_file(f"{place}.tmp", b"")
            storage.rm_file(f"{place}.tmp")
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
    return f"{scheme}://{'/' if scheme in ON_DISK else ''}{'/'.join(parts)}"


def addressed(text: str) -> str:
    """A text with addresses in the place of their places here."""
    here = re.compile(re.escape(f"{_root()}/") + r"(\w+)(?=/)")
    return here.sub(lambda found: f"{found[1]}:/{'/' if found[1] in ON_DISK else ''}", text)


def send(here: Path) -> None:
    """Send what has changed of a place here; nothing where it is no mirror. Raises StorageError."""
    if not here.is_relative_to(_root()):
        return
    known, now = _agreed(here).here, _stamps(here)
    with _storage(here) as (storage, place):
        for name in sorted(now, key=lambda name: (name.rpartition("/")[2] in LAST, name)):
            if known.get(name) != now[name]:
                storage.pipe_file(f"{place}/{name}".rstrip("/"), (here / name).read_bytes())
        for name in storage.find(place) if here.is_dir() else ():
            if not here.joinpath(_rest(name, place)).is_file():
                storage.rm_file(name)
        _agree(here, now, _told(storage, place))


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
            known = _agreed(here)
            if here.exists() and known.here != _stamps(here):
                if known.there == _told(storage, place):
                    warnings.warn(f"{shown(here)}: goes on with what is here and was not sent: {here}", stacklevel=4)
                    return
                aside = here.with_name(f"{here.name}.{time.strftime('%Y%m%d-%H%M%S')}.not-sent")
                here.rename(aside)
                warnings.warn(
                    f"{shown(here)}: has gone on elsewhere; what was not sent from here is {aside}", stacklevel=4
                )
            names = storage.find(place)
            for name in names:
                path = here.joinpath(_rest(name, place))
                make_folder(path.parent)
                replace_file(path, storage.cat_file(name))
            theirs = {here.joinpath(_rest(name, place)) for name in names}
            for path in _files(here):  # all of it was sent, and removed there since
                if path not in theirs:
                    path.unlink()
            _agree(here, _stamps(here), _told(storage, place))


# ---- What was the same in both places the last time


class Agreed(NamedTuple):
    """Files of a place here by their names in it, with time and size; and a digest of what is told of those there."""

    here: dict[str, list[int]]
    there: str


def _note(here: Path) -> Path:
    return here.with_name(f".{here.name}.agreed")


def _agreed(here: Path) -> Agreed:
    """What the note beside a place says; nothing where there is none."""
    try:
        return Agreed(*json.loads(_note(here).read_bytes()))
    except (OSError, ValueError, TypeError):
        return Agreed({}, "")


def _agree(here: Path, stamps: dict[str, list[int]], told: str) -> None:
    """Note that both places are the same now."""
    if here.exists():
        replace_file(_note(here), json.dumps(Agreed(stamps, told)).encode())


def _told(storage: Any, place: str) -> str:
    """A digest of what a storage tells of its files, which changes when one is written."""
    storage.invalidate_cache()
    found = storage.find(place, detail=True)
    told = [(_rest(name, place), about.get("size"), *map(about.get, CHANGES)) for name, about in found.items()]
    return hashlib.sha256(repr(sorted(told, key=str)).encode()).hexdigest()


def _files(here: Path) -> list[Path]:
    """What counts of a place here: the file, or all below it that is no lock and not half-written."""

    def counts(path: Path) -> bool:
        return not any(LEFTOVER.fullmatch(part) or part == LOCK for part in path.relative_to(here).parts)

    return [here] if here.is_file() else [path for path in here.rglob("*") if path.is_file() and counts(path)]


def _stamps(here: Path) -> dict[str, list[int]]:
    found = {"" if path == here else path.relative_to(here).as_posix(): path.stat() for path in _files(here)}
    return {name: [about.st_mtime_ns, about.st_size] for name, about in found.items()}


@contextlib.contextmanager
def _storage(here: Path) -> Iterator[tuple[Any, str]]:
    """The file system of a place, and its path there. What goes wrong inside is raised as StorageError."""
    address = shown(here)
    try:
        fsspec = importlib.import_module("fsspec")
        storage, place = fsspec.core.url_to_fs(address)
        storage.invalidate_cache()
        yield storage, place.rstrip("/")
    except ImportError as error:  # fsspec names the library of a storage
        how = f"; {install('cloud')}" if importlib.util.find_spec("fsspec") is None else ""
        raise StorageError(f"{address}: needs a library: {error}{how}") from None
    except Exception as error:  # every storage has errors of its own
        raise StorageError(f"{address}: {type(error).__name__}: {' '.join(str(error).split())[:200]}") from None


def _rest(name: str, place: str) -> str:
    """The path there of a file below a place; "" for the place itself."""
    return name.removeprefix(place).lstrip("/")
