"""The cache of compiled rules: a file for each, named by a digest of all that decides its code.

Numba's own cache does not notice an edit in a called function, and its keys are made of names. Here a key is made of
the function's code, of the *content* of everything it names (other rules included), of the argument types and of the
machine. A changed rule is therefore a new file, and a stale file is never read.

There are two places: what came with the package (`prebuilt.py`), and the user's own folder (`cache_files.py`).
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import llvmlite
import numba
import numpy as np
from numba.core import sigutils
from numba.core.caching import NullCache
from numba.core.compiler import compile_result
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from theogony.envs.core.compile.cache_files import read_entry, warn_once, write_entry
from theogony.envs.core.compile.digest import digest
from theogony.envs.core.compile.linking import Library, Part, PartCompiler, Whole, described
from theogony.envs.core.compile.prebuilt import FORMAT, chosen_baseline, config, options, prebuilt, target

KINDS: dict[str, type[Part] | type[Whole]] = {"part": Part, "whole": Whole}


def environment(codegen: Any) -> tuple:
    """Everything outside the code that decides the machine code. Read when needed: some of it can change."""
    if (baseline := chosen_baseline()) is not None:
        return target(baseline)
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    return (FORMAT, *versions, *options(), str(config.CPU_NAME), str(config.CPU_FEATURES), codegen.magic_tuple())


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


def machine_code() -> list[str]:
    """Keys of all machine code that this process holds and that is kept on disk."""
    return sorted(key for key, library in _libraries.items() if isinstance(library, Whole))


class NotCompiled(BaseException):
    """A rule is not in the cache, where nothing may be compiled. No Exception: no player has failed, and nothing that
    tells what a player raised may take it for that."""


_thread = threading.local()


@contextlib.contextmanager
def only_kept() -> Iterator[None]:
    """Inside, this thread compiles nothing: a rule that is not in the cache raises NotCompiled."""
    _thread.only_kept = True
    try:
        yield
    finally:
        _thread.only_kept = False


class DigestCache(NullCache):
    """Numba's extension point: where the compiled overloads of one rule are kept. Nothing is ever out of date in it."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    def key(self, signature: Any, environment: tuple) -> str:
        """The name of the file of one overload; the function's name in front is only for people."""
        dispatcher: Any = self._dispatcher
        types = described(*sigutils.normalize_signature(signature)[0])
        kind = dispatcher._compiler.pipeline_class.library.__name__
        key = hashlib.sha256(digest(dispatcher))
        key.update(repr((types, kind, sorted(dispatcher.targetoptions.items()), environment)).encode())
        return f"{dispatcher.py_func.__name__}-{key.hexdigest()[:40]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        PartCompiler.key = ""
        rtsys.initialize(target_context)  # finished code needs no more; the compiler reads all that Numba can compile
        key = self.key(sig, environment(target_context.codegen()))
        package = prebuilt()
        keys = [key] if package is None else [self.key(sig, target(package.baseline)), key]
        for wanted in keys:
            try:
                return _result(target_context, *_load(wanted, target_context.codegen()))
            except Exception:  # no such file, a damaged one, or one of a module that cannot be imported
                continue
        if getattr(_thread, "only_kept", False):
            raise NotCompiled(key)
        PartCompiler.key = key
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        library = data.library
        if library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        if any(not needed.key for needed in library.needs):
            return
        key = self.key(sig, environment(data.codegen))
        if write_entry(key, dumps(tuple(_entry(data)))):
            library.key = key
            _libraries.setdefault(key, library)


def _entry(data: Any) -> Entry:
    """What is kept of a compile result of Numba's."""
    library, about = data.library, data.fndesc
    about.typemap = about.calltypes = None  # large, and not needed any more
    kind = "part" if isinstance(library, Part) else "whole"
    environments = tuple(found for found in library.environments if found.can_cache())
    return Entry(
        kind=kind,
        name=library.name,
        code=library.saved(),
        needs=tuple(needed.key for needed in library.needs),
        symbols=tuple(library.symbols),
        environments=environments,
        reload_init=tuple(data.reload_init),
        result=(about, data.environment, data.signature),
    )


def _load(key: str, codegen: Any) -> tuple[Entry, Library]:
    """An entry and its library, with the libraries that it needs. Raises where something is missing or damaged."""
    entry = Entry(*pickle.loads(_content(key)))
    if key in _libraries:
        return entry, _libraries[key]
    needs = [_libraries.get(needed) or _load(needed, codegen)[1] for needed in entry.needs]
    for initialize in entry.reload_init:
        initialize()
    library = KINDS[entry.kind](codegen, entry.name)
    library.key, library.needs = key, needs
    library.symbols, library.environments = list(entry.symbols), list(entry.environments)
    library.restore(entry.code)
    _libraries[key] = library
    return entry, library


def code_of(library: Library) -> bytes:
    """The code of a compiled rule, with the names of what it calls. Raises OSError or ValueError where machine code is
    not kept."""
    return library.saved() if isinstance(library, Part) else Entry(*pickle.loads(_content(library.key))).code


def _content(key: str) -> bytes:
    """The content of an entry, from where it is. Raises OSError or ValueError."""
    package = prebuilt()
    if package is None or key not in package.files:
        return read_entry(key)
    try:
        return package.read(key)
    except (OSError, ValueError) as error:
        warn_once(f"compiled rules of the package are not used: {error}")
        raise


def _result(target_context: Any, entry: Entry, library: Library) -> Any:
    """Numba's compile result of an entry."""
    about, environment, signature = entry.result
    return compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=target_context.get_executable(library, about, environment),
        fndesc=about,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=entry.reload_init,
        referenced_envs=entry.environments,
    )
