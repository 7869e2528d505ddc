"""The cache of compiled rules: a file for each, named by a digest of all that decides its code.

Numba's own cache does not notice an edit in a called function, and its keys are made of names. Here a key is made of
the function's code, of the *content* of everything it names (other rules included), of the argument types and of the
machine. A changed rule is therefore a new file, and a stale file is never read.

The files hold pickled machine code, as Numba's own do, and reading one runs it. So a folder or a file that somebody
else owns or may write is not used.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import llvmlite
import numba
import numpy as np
from numba.core import config as numba_config
from numba.core import sigutils
from numba.core.caching import _Cache
from numba.core.compiler import compile_result
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from theogony.envs.core.digest import digest
from theogony.envs.core.linking import Library, Part, PartCompiler, Whole, described

config: Any = numba_config  # its options are set at run time, unknown to type checkers
FORMAT = 3  # of the cache: a change leaves older files unread
KEEP_DAYS = 30  # entries not used for so long are pruned
_ENTRY = re.compile(r"\w+-[0-9a-f]{40}(\.\w+\.tmp)?")  # names of files that are ours
KINDS: dict[str, type[Library]] = {"part": Part, "whole": Whole}


def cache_folder() -> Path:
    """`$THEOGONY_CACHE_DIR`, else `theogony` in the user's cache directory."""
    if named := os.environ.get("THEOGONY_CACHE_DIR"):
        return Path(named)
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named) / "theogony"
    home = os.path.expanduser("~")  # itself where there is no home: then nothing can be kept
    return Path(os.devnull if home == "~" else home, ".cache", "theogony")


def environment() -> tuple:
    """Everything outside the code that decides the machine code. Read when needed: some of it can change."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    options = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE)
    return (FORMAT, *versions, *options, str(config.CPU_NAME), str(config.CPU_FEATURES))


class Entry(NamedTuple):
    """What a file holds of one compiled rule."""

    kind: str  # in KINDS
    name: str  # of the library
    code: bytes
    needs: tuple[str, ...]  # keys of the libraries that must be loaded first
    symbols: tuple[str, ...]
    environments: tuple[Any, ...]
    reload_init: tuple[Any, ...]
    result: tuple[Any, ...]  # fndesc, environment, signature


_libraries: WeakValueDictionary[str, Library] = WeakValueDictionary()  # by key, of this process


class DigestCache(_Cache):
    """Numba's extension point: where the compiled overloads of one rule are kept."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing to flush: an entry is a file of its own and never out of date."""

    def key(self, signature: Any, codegen: Any) -> str:
        """The name of the file of one overload; the function's name in front is only for people."""
        key = hashlib.sha256(digest(self._dispatcher))
        dispatcher: Any = self._dispatcher
        options = sorted(dispatcher.targetoptions.items())
        kind = dispatcher._compiler.pipeline_class.library.__name__
        key.update(repr((described(*sigutils.normalize_signature(signature)[0]), kind, options, codegen.magic_tuple(), environment())).encode())
        return f"{self._dispatcher.py_func.__name__}-{key.hexdigest()[:40]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        PartCompiler.key = ""
        if not self._enabled:
            return None
        target_context.refresh()
        key = self.key(sig, target_context.codegen())
        try:
            return _result(target_context, *_load(key, target_context.codegen()))
        except Exception:  # no such file, a damaged one, or one of a module that cannot be imported: compile
            _announce()
            PartCompiler.key = key
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        library = data.library
        if not self._enabled or library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        if any(not needed.key for needed in library.needs):
            return
        key = self.key(sig, data.codegen)
        content = dumps(tuple(_entry(data)))
        try:
            cache_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_safe(cache_folder()):
                return
            _write(cache_folder() / key, hashlib.sha256(content).digest() + content)
            library.key = key
            _libraries.setdefault(key, library)
        except OSError as error:
            _warn_unwritable(error)


def _entry(data: Any) -> Entry:
    """What is kept of a compile result of Numba's."""
    library, described = data.library, data.fndesc
    described.typemap = described.calltypes = None  # large, and not needed any more
    kind = "part" if isinstance(library, Part) else "whole"
    kept = tuple(found for found in library.environments if found.can_cache())
    needs = tuple(needed.key for needed in library.needs)
    result = (described, data.environment, data.signature)
    return Entry(
        kind, library.name, library.saved(), needs, tuple(library.symbols), kept, tuple(data.reload_init), result
    )


def _load(key: str, codegen: Any) -> tuple[Entry, Library]:
    """An entry and its library, with the libraries that it needs. Raises where something is missing or damaged."""
    entry = Entry(*pickle.loads(_content(key)))
    if key in _libraries:
        return entry, _libraries[key]
    needs = [_libraries[needed] if needed in _libraries else _load(needed, codegen)[1] for needed in entry.needs]
    for initialize in entry.reload_init:
        initialize()
    library = KINDS[entry.kind](codegen, entry.name)
    library.key, library.needs = key, needs
    library.symbols, library.environments = list(entry.symbols), list(entry.environments)
    library.restore(entry.code)
    _libraries[key] = library
    return entry, library


def _result(target_context: Any, entry: Entry, library: Library) -> Any:
    """Numba's compile result of an entry."""
    described, environment, signature = entry.result
    return compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=target_context.get_executable(library, described, environment),
        fndesc=described,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=entry.reload_init,
        referenced_envs=entry.environments,
    )


# ---------------------------------------------------------------------------------------------------- files


def _content(key: str) -> bytes:
    """The content of an entry. Raises OSError or ValueError."""
    path = cache_folder() / key
    if not is_safe(path.parent):
        raise ValueError("the folder is not used")
    content = read_own(path)
    if hashlib.sha256(content[32:]).digest() != content[:32]:
        raise ValueError("damaged")
    _touch(path)
    return content[32:]
def distrust(status: Any) -> str:
    """Why code in a folder or file with this `os.stat` may be somebody else's; "" when it is one's own or root's."""
    if status.st_uid not in (os.geteuid(), 0):
        return "it belongs to another user"
    return "others may write to it" if status.st_mode & 0o022 else ""


def is_safe(folder: Path) -> bool:
    """Whether code may be read from the folder. Says once when not; a folder that is not there yet is safe."""
    try:
        reason = distrust(folder.stat())
    except OSError:
        return True
    if reason and _once(f"unsafe {folder}"):
        _warn(f"compiled rules in {folder} are not used, since {reason}; THEOGONY_CACHE_DIR names another folder")
    return not reason


def read_own(path: Path) -> bytes:
    """A file of the cache. Raises OSError or ValueError."""
    with path.open("rb") as file:
        if reason := distrust(os.fstat(file.fileno())):
            raise ValueError(reason)
        return file.read()


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


def _announce() -> None:
    if _once("compiling"):
        print(f"theogony: compiling rules (first use only, kept in {cache_folder()}) ...", file=sys.stderr, flush=True)


def _warn_unwritable(error: OSError) -> None:
    if _once("unwritable"):
        _warn(f"compiled rules cannot be kept in {cache_folder()}: {error}; THEOGONY_CACHE_DIR names another folder")


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)


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
