"""Where compiled rules are kept on disk, and which files are trusted.

The files hold pickled machine code, as Numba's own do, and reading one runs it. So a folder or a file that somebody
else owns or may write is not used.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import stat
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

KEEP_DAYS = 30  # entries not used for so long are pruned
_ENTRY = re.compile(r"\w+-[0-9a-f]{40}(\.\w+\.tmp)?")  # names of files that are ours


def cache_folder() -> Path:
    """`$THEOGONY_CACHE_DIR`, else `theogony` in the user's cache directory."""
    if named := os.environ.get("THEOGONY_CACHE_DIR"):
        return Path(named)
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named) / "theogony"
    home = os.path.expanduser("~")  # itself where there is no home: then nothing can be kept
    return Path(os.devnull if home == "~" else home, ".cache", "theogony")


def read_entry(key: str) -> bytes:
    """The content of an entry of the user's cache. Raises OSError or ValueError."""
    path = cache_folder() / key
    if not is_safe(path.parent):
        raise ValueError("the folder is not used")
    content = read_own(path)
    if hashlib.sha256(content[32:]).digest() != content[:32]:
        raise ValueError("damaged")
    _touch(path)
    return content[32:]


def write_entry(key: str, content: bytes) -> bool:
    """Keep an entry in the user's cache. Returns whether it is there now; says once when it cannot be."""
    folder = cache_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_safe(folder):
            return False
        _write(folder / key, hashlib.sha256(content).digest() + content)
    except OSError as error:
        message = f"compiled rules cannot be kept in {folder}: {error}; THEOGONY_CACHE_DIR names another folder"
        warn_once(message, "unwritable")
        return False
    return True


def distrust(status: Any) -> str:
    """Why code in a folder or file with this `os.stat` may be somebody else's; "" when it is one's own or root's.

    Windows keeps rights in lists that `os.stat` does not show; the folders of a profile are its user's by default.
    """
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid not in (os.geteuid(), 0):
        return "it belongs to another user"
    writable = status.st_mode & (stat.S_IWOTH if _private(status.st_gid) else stat.S_IWOTH | stat.S_IWGRP)
    return "others may write to it" if writable else ""


@functools.cache
def _private(group: int) -> bool:
    """Whether a group is this user's own, with no other member: many systems make one for everybody, and let new files
    be writable to it."""
    try:
        import grp
        import pwd

        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except (ImportError, KeyError):
        return False
    return group == user.pw_gid and found.gr_name == user.pw_name and set(found.gr_mem) <= {user.pw_name}


def is_safe(folder: Path, instead: str = "THEOGONY_CACHE_DIR names another folder") -> bool:
    """Whether code may be read from the folder. Says once when not; a folder that is not there yet is safe."""
    try:
        reason = distrust(folder.stat())
    except OSError:
        return True
    if reason:
        warn_once(f"compiled rules in {folder} are not used, since {reason}; {instead}", f"unsafe {folder}")
    return not reason


def read_own(path: Path, sha256: str = "", otherwise: str = "") -> bytes:
    """A file of one's own or of root, and of this content. Raises OSError or ValueError, that it is `otherwise`."""
    with path.open("rb") as file:
        if reason := distrust(os.fstat(file.fileno())):
            raise ValueError(reason)
        content = file.read()
    if sha256 and hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError(f"{path} is {otherwise}")
    return content


def _write(path: Path, content: bytes) -> None:
    """Write to a temporary file, then rename: another process sees all of the file or none of it."""
    _prune(path.parent)
    handle, temporary = tempfile.mkstemp(".tmp", f"{path.name}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _touch(path: Path) -> None:
    """Mark an entry as used, at most once a day."""
    try:
        if time.time() - path.stat().st_mtime > 86_400:
            os.utime(path)
    except OSError:
        pass


_said: set[str] = set()


def _once(what: str) -> bool:
    first = what not in _said
    _said.add(what)
    return first


def _prune(folder: Path) -> None:
    """Once a process: drop entries that nobody used for `KEEP_DAYS`. The folder may hold other files as well."""
    if not _once("pruned"):
        return
    oldest = time.time() - KEEP_DAYS * 86_400
    for path in folder.iterdir():
        try:
            if _ENTRY.fullmatch(path.name) and path.is_file() and path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:
            continue


def warn_once(message: str, what: str = "") -> None:
    """Warn, but of the same thing only once in a process: of `what`, or of what the message says."""
    if _once(what or message):
        warnings.warn(message, RuntimeWarning, stacklevel=2)
