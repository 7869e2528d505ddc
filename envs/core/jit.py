"""`@rule`: compile a plain function with Numba and keep the machine code on disk, keyed by all that decides it.

Numba's own cache does not notice an edit in a called function, and its keys are made of names. Here the name of a
cache file is a digest of the function's code, of the *content* of everything it names (other rules included), of the
argument types and of the machine. A changed rule is therefore a new file, and a stale file is never read.

The files hold pickled machine code, as Numba's own do, and reading one runs it. So a folder or a file that somebody
else owns or may write is not used.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import re
import secrets
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import bytecode, compiler, event
from numba.core import config as numba_config
from numba.core.caching import _Cache
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from theogony.envs.core.digest import check_constants, digest

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba_config  # its options are set at run time, unknown to type checkers
INTERPRETED = bool(config.DISABLE_JIT)  # NUMBA_DISABLE_JIT=1: rules are plain Python
FORMAT = 2  # of the cache: a change leaves older files unread
KEEP_DAYS = 30  # entries not used for so long are pruned
_ENTRY = re.compile(r"\w+-[0-9a-f]{40}(\.\w+\.tmp)?")  # names of files that are ours


def _number_functions_apart() -> None:
    """Numba names machine code by the order in which a process meets functions and record types, so that cached code
    of two processes can bear one name for two layouts, and one would be called for the other. Count from a random
    number instead."""
    bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))


_number_functions_apart()
os.register_at_fork(after_in_child=_number_functions_apart)


def rule(function: F) -> F:
    """Compile a rule of a game (or a kernel over rules) without the GIL, with the cache of this module.

    With `NUMBA_DISABLE_JIT=1` the function is returned as it is, so that a debugger can step through it. Raises
    RuleError when the function names anything that is not a constant, an array, a module or another rule.
    """
    if INTERPRETED:
        return function
    check_constants(function)
    compiled, within = _compiled(function), _compiled(function, no_cpython_wrapper=True)
    compiled.get_call_template = lambda args, kws: _call_template(within, args, kws)
    compiled.get_overload = within.get_overload
    return compiled


def _compiled(function: Callable[..., Any], **options: bool) -> Any:
    compiled = cast(Any, numba).njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    compiled._cache = DigestCache(compiled)  # Numba's extension point: an implementation of its abstract `_Cache`
    return compiled


# What follows is there to compile less. A rule has two dispatchers, one for calls from Python and one, without a
# wrapper for Python, for calls of other rules.


def _call_template(within: Any, args: tuple, kws: dict) -> Any:
    """Numba's hook for a call from compiled code: compile for these types, with all signed integers as int64.

    Fields of records are small integers, so a rule is called with many combinations of their types; Numba would compile
    it for each. Arithmetic on small integers gives int64 in compiled code anyway, so the results are the same.
    """
    args = tuple(map(_wide, within._compiler.fold_argument_types(args, kws)[1]))
    heard = event._registered  # for its statistics Numba tells every lock to each function that waits on the stack
    event._registered = defaultdict(list, {kind: h for kind, h in heard.items() if not kind.endswith("_lock")})
    try:
        return within.get_call_template(args, {})
    finally:
        event._registered = heard


def _wide(argument: Any) -> Any:
    """int64 for a signed integer, also a constant or a default; every other type as it is."""
    kind: Any = numba.typeof(argument.value) if isinstance(argument, types.Omitted) else types.unliteral(argument)
    return types.int64 if kind in types.signed_domain else argument


def rule_or(plain: Callable[..., Any]) -> Callable[[F], F]:
    """A rule over intrinsics, and the plain function that stands for it when rules are interpreted."""
    return lambda function: plain if INTERPRETED else rule(function)  # pyright: ignore[reportReturnType]


def direct(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """The compiled entry point of a rule for arguments of these types, past Numba's dispatch (0.2 us, not 0.7).

    The caller answers for the types: later arguments must have those of `examples`. Interpreted, the rule itself.
    """
    if not isinstance(function, Dispatcher):
        return function
    signature = tuple(numba.typeof(example) for example in examples)
    function.compile(signature)
    return function.overloads[signature].entry_point


# ---------------------------------------------------------------------------------------------------- cache


def cache_folder() -> Path:
    """`$THEOGONY_CACHE_DIR`, else `theogony` in the user's cache directory."""
    if named := os.environ.get("THEOGONY_CACHE_DIR"):
        return Path(named)
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named) / "theogony"
    home = os.path.expanduser("~")  # itself where there is no home: then nothing can be kept
    return Path(os.devnull if home == "~" else home, ".cache", "theogony")


def _environment() -> tuple:
    """Everything outside the code that decides the machine code. Read when needed: some of it can change."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    options = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE)
    return (FORMAT, *versions, *options, str(config.CPU_NAME), str(config.CPU_FEATURES))


class DigestCache(_Cache):
    """One file a compiled overload: its SHA-256, then Numba's reduced compile result. A damaged file is a miss."""

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

    def path(self, signature: Any, codegen: Any) -> Path:
        """The file of one overload; the function's name in front is only for people."""
        key = hashlib.sha256(digest(self._dispatcher))
        options = sorted(self._dispatcher.targetoptions.items())
        key.update(repr((signature, options, codegen.magic_tuple(), _environment())).encode())
        return cache_folder() / f"{self._dispatcher.py_func.__name__}-{key.hexdigest()[:40]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not self._enabled:
            return None
        target_context.refresh()
        path = self.path(sig, target_context.codegen())
        if not _is_safe(path.parent):
            return None
        try:
            content = _read_own(path)
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                raise ValueError("damaged")
            result = compiler.CompileResult._rebuild(target_context, *pickle.loads(content[32:]))
            _touch(path)
            return result
        except Exception:  # no such file, a damaged one, or one of a module that cannot be imported: compile
            _announce()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self._enabled or data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        content = dumps(data._reduce())
        try:
            cache_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_safe(cache_folder()):
                return
            _write(self.path(sig, data.codegen), hashlib.sha256(content).digest() + content)
        except OSError as error:
            _warn_unwritable(error)


def distrust(status: Any) -> str:
    """Why code in a folder or file with this `os.stat` may be somebody else's; "" when it is one's own or root's."""
    if status.st_uid not in (os.geteuid(), 0):
        return "it belongs to another user"
    return "others may write to it" if status.st_mode & 0o022 else ""


def _is_safe(folder: Path) -> bool:
    """Whether code may be read from the folder. Says once when not; a folder that is not there yet is safe."""
    try:
        reason = distrust(folder.stat())
    except OSError:
        return True
    if reason and _once(f"unsafe {folder}"):
        _warn(f"compiled rules in {folder} are not used, since {reason}; THEOGONY_CACHE_DIR names another folder")
    return not reason


def _read_own(path: Path) -> bytes:
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
