"""The cache of compiled rules: a file for each, named by a digest of all that decides its code.

Numba's own cache does not notice an edit in a called function, and its keys are made of names. Here a key is made of
the function's code, of the *content* of everything it names (other rules included), of the argument types and of the
machine. A changed rule is therefore a new file, and a stale file is never read.

There are two places: what came with the package, and the user's own folder.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
import pickle
import re
import secrets
import stat
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, cast
from weakref import WeakValueDictionary

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import bytecode, event, sigutils
from numba.core import config as numba_config
from numba.core.caching import _Cache
from numba.core.compiler import compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from theogony.envs.core.compile.digest import check_constants, digest
from theogony.envs.core.compile.linking import Library, Part, PartCompiler, Whole, WholeCompiler, described

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
        if _once("unwritable"):
            warn(f"compiled rules cannot be kept in {folder}: {error}; THEOGONY_CACHE_DIR names another folder")
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
    if reason and _once(f"unsafe {folder}"):
        warn(f"compiled rules in {folder} are not used, since {reason}; {instead}")
    return not reason


def read_own(path: Path) -> bytes:
    """A file of one's own or of root. Raises OSError or ValueError."""
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


def warn(message: str) -> None:
    """A warning of this package."""
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


def warn_once(message: str) -> None:
    """Warn, but of the same thing only once in a process."""
    if _once(message):
        warn(message)


# ---- Compiled rules that come with the package: a second, read-only part of the cache ----------------------------
#
# A wheel may carry machine code for a baseline, that is for every processor with certain features, and a manifest:
# what it was built with and the SHA-256 of each file. It is used where Python, Numba, llvmlite and NumPy are the same
# and the processor has the features. In every other case rules are compiled as ever. `theogony compile --into` makes
# it.

config: Any = numba_config  # its options are set at run time, unknown to type checkers
FORMAT = 5  # of entries, here and in the user's cache: a change leaves older files unread
MANIFEST = "manifest.json"
BASELINES = {  # name, as LLVM and pip know it -> features that the processor must have
    "x86-64-v3": "+64bit,+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,"
    "+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
    "generic": "+fp-armv8,+neon",  # every aarch64
}
PACKAGED = Path(__file__).parents[1] / "compiled"  # where a wheel carries compiled rules, as setup.py knows


def options() -> tuple:
    """What Numba's settings change in machine code. Read when needed: some of them can change."""
    return (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE)


def built_with() -> dict[str, Any]:
    """What compiled rules of a package must have been built with to be used in this process."""
    return {
        "format": FORMAT,
        "python": sys.implementation.cache_tag,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": ".".join(np.__version__.split(".")[:2]),
        "system": llvm.get_process_triple(),
    }


def target(baseline: str) -> tuple:
    """Everything outside a rule's code that decides the machine code for a baseline: part of every key."""
    return (baseline, BASELINES[baseline], tuple(built_with().values()), options())


class Prebuilt(NamedTuple):
    """The compiled rules of a package."""

    folder: Path
    baseline: str
    files: dict[str, str]  # key -> SHA-256

    def read(self, key: str) -> bytes:
        """An entry, as the manifest knows it. Raises OSError or ValueError."""
        content = read_own(self.folder / key)
        if hashlib.sha256(content).hexdigest() != self.files[key]:
            raise ValueError(f"{self.folder / key} is not the file of {MANIFEST}")
        return content


def folder() -> Path | None:
    """Where the compiled rules of the package are: `$THEOGONY_PREBUILT`, else beside this file; None where it is ""."""
    named = os.environ.get("THEOGONY_PREBUILT")
    if named is None:
        return PACKAGED
    return Path(named) if named else None


@functools.cache
def prebuilt() -> Prebuilt | None:
    """The compiled rules of this package, read once; None where there are none that fit."""
    where = folder()
    if where is None or not where.is_dir() or not is_safe(where, "rules are compiled instead"):
        return None
    try:
        manifest = json.loads(read_own(where / MANIFEST))
        baseline, files = manifest["baseline"], dict(manifest["files"])
        fits = manifest["built_with"] == built_with() and has(host_features(), baseline)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return Prebuilt(where, baseline, files) if fits else None


def host_features() -> dict[str, bool]:
    """What this processor can do; nothing where Numba was told to compile for another."""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        return {}
    return dict(llvm.get_host_cpu_features())


def has(features: dict[str, bool], baseline: str) -> bool:
    """Whether a processor has all features of a baseline."""
    return all(features.get(feature[1:], False) for feature in BASELINES[baseline].split(","))


def chosen_baseline() -> str | None:
    """The baseline that Numba was told to compile for in this process, if it is one."""
    name = config.CPU_NAME
    return name if name in BASELINES and BASELINES[name] == config.CPU_FEATURES else None


# ---- The cache of compiled rules: a file for each, named by a digest of all that decides its code ----------------

KINDS: dict[str, type[Library]] = {"part": Part, "whole": Whole}


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
        if not self._enabled:
            return None
        rtsys.initialize(target_context)  # finished code needs no more; the compiler reads all that Numba can compile
        key = self.key(sig, environment(target_context.codegen()))
        package = prebuilt()
        keys = [key] if package is None else [self.key(sig, target(package.baseline)), key]
        for wanted in keys:
            try:
                return _result(target_context, *_load(wanted, target_context.codegen()))
            except Exception:  # no such file, a damaged one, or one of a module that cannot be imported
                continue
        PartCompiler.key = key
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        library = data.library
        if not self._enabled or library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
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


# ---- The compiler of `@rule`: less compiling than Numba would do, and what was compiled kept on disk -------------
#
# A rule has two dispatchers, one for calls from Python and one, without a wrapper for Python, for calls of other rules.
# `cache.py` keeps what they compile, `linking.py` puts it together. All three are built on Numba's internals, so
# `jit.py` tries them out where Numba is newer than those they were written for.


def _number_functions_apart() -> None:
    """Numba names machine code by the order in which a process meets functions and record types, so that cached code
    of two processes can bear one name for two layouts, and one would be called for the other. Count from a random
    number instead."""
    bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))


_number_functions_apart()
os.register_at_fork(after_in_child=_number_functions_apart)


def compiled(function: Callable[..., Any]) -> Any:
    """A rule: its dispatcher for calls from Python, which holds the one for calls of other rules as `within`.

    Raises RuleError.
    """
    check_constants(function)
    whole, within = _compiled(function, WholeCompiler), _compiled(function, PartCompiler, no_cpython_wrapper=True)
    whole.within = within
    whole.get_call_template = lambda args, kws: _call_template(within, args, kws)
    whole.get_overload = within.get_overload
    return whole


def _compiled(function: Callable[..., Any], compiler: type, **options: bool) -> Any:
    compiled = cast(Any, numba).njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=compiler, **options)(function)
    compiled._cache = DigestCache(compiled)
    compiled.compile = _alone(compiled.compile)
    return compiled


def _alone(compile: Callable[..., Any]) -> Callable[..., Any]:
    """One thread compiles at a time, from the very beginning: Numba takes this lock later, when it has noted who
    listens to its events, and `_call_template` exchanges that note meanwhile."""

    @functools.wraps(compile)
    def alone(signature: Any) -> Any:
        with global_compiler_lock:
            return compile(signature)

    return alone


def keep_apart(rule: Any) -> None:
    """Have a rule compiled on its own and called, never copied into its callers: what `jit.apart` asks for."""
    rule.apart, rule.within._compiler.pipeline_class = True, WholeCompiler


def entry_point(rule: Any, signature: tuple) -> Callable[..., Any]:
    """What Numba's dispatch would call for arguments of these types."""
    rule.compile(signature)
    return rule.overloads[signature].entry_point


def try_out() -> None:
    """Compile and call two rules as games do, one of them apart. Raises whatever fails, or RuntimeError."""

    @compiled
    def add(numbers, more):
        for k in range(len(numbers)):
            numbers[k] += more

    keep_apart(add)

    @compiled
    def add_twice(numbers, more):
        add(numbers, more)
        add(numbers, np.int8(more))

    numbers = np.zeros(3, np.int16)
    entry_point(add_twice, (numba.typeof(numbers), types.int64))(numbers, 2)
    if numbers.tolist() != [4, 4, 4]:
        raise RuntimeError(f"a trial came to {numbers.tolist()}")


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
