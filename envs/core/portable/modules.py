"""The modules that are at hand: where they lie, and which is for a game, a kernel and a layout. What stands in place of
a compiled rule calls a module's function where there is one for the arguments, else the rule."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.compile.cache_files import cache_folder, is_safe, read_own
from theogony.envs.core.portable.layouts import arrays_in
from theogony.envs.core.portable.layouts import layout as layout_of

FORMAT = 1  # of the JSON file beside each module
ROOT = Path(__file__).parents[2]  # `envs`
PACKAGED = Path(__file__).parent / "modules"  # where a wheel or a page carries them
SOURCES = ("core", "{game}", "../training/players/search")  # what a module is made from, seen from `envs`
DIGEST = "source.txt"  # in the folder of a game: the digest of its sources where they are byte code, as in a page
NO_RULES = {  # rooms and files that decide nothing in it
    "portable", "draw", "conformance", "render", "ledger", "vocabulary", "vocabulary.py", "wording.py", "story.py",
    "breakdown.py", "docs_tables.py",
}  # fmt: skip


class Module(NamedTuple):
    """A WebAssembly module and how its kernels are called."""

    path: Path
    sha256: str
    source: str  # the digest of the rules that it was made from
    kernels: dict[str, dict[str, Any]]  # name -> layout, arguments, returns

    def read(self) -> bytes:
        """Its content. Raises OSError or ValueError where it is not the one that was built."""
        return read_own(self.path, self.sha256, "damaged: build it again with `theogony compile --wasm`")


def own_folder() -> Path:
    """Where the modules of this user are."""
    named = os.environ.get("THEOGONY_WASM")
    return Path(named) if named else cache_folder() / "wasm"


@functools.cache
def modules_of(game: str) -> tuple[Module, ...]:
    """The modules of a game that can be read, of these rules or of others: in `$THEOGONY_WASM`, else in the package and
    then in the user's cache."""
    found = []
    folders = [own_folder()] if os.environ.get("THEOGONY_WASM") else [PACKAGED, own_folder()]
    for folder in folders:
        if folder.is_dir() and is_safe(folder, "rules are interpreted instead"):
            found += [module for path in sorted(folder.glob(f"{game}-*.json")) if (module := _module(path))]
    return tuple(found)


def _module(path: Path) -> Module | None:
    try:
        about = json.loads(read_own(path))
        if about["format"] != FORMAT:
            return None
        return Module(path.with_suffix(".wasm"), about["sha256"], about["source"], dict(about["kernels"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def find(game: str, kernel: str, layout: str) -> tuple[Module | None, str]:
    """The module of a kernel for a layout, and where there is none the reason in words."""
    there = modules_of(game)
    fitting = [module for module in there if module.kernels.get(kernel, {}).get("layout") == layout]
    current = [module for module in fitting if module.source == source_digest(game)]
    if current:
        return current[0], ""
    if fitting:
        return None, f"{fitting[0].path.name} was built from other rules"
    return None, "no module is for positions of this layout" if there else "no module is built"


@functools.cache
def source_digest(game: str) -> str:
    """A digest of all that modules of a game are made from: program text and data."""
    if (given := ROOT / game / DIGEST).is_file():
        return given.read_text("utf-8")
    content = hashlib.sha256()
    for place in SOURCES:
        folder = ROOT / place.format(game=game)
        for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.json"))):
            if NO_RULES & set(path.relative_to(folder).parts):
                continue
            content.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    return content.hexdigest()[:16]


# ---- Kernels in place of compiled rules --------------------------------------------------------------------------

SLOWER = "some hundred times slower than compiled"
_said: set[str] = set()


def say_once(game: str, reason: str) -> None:
    """One line for whoever waits, once a game."""
    if game not in _said and sys.stderr is not None:
        print(f"theogony: rules of {game} are interpreted, {SLOWER}: {reason}", file=sys.stderr)
    _said.add(game)


def interpreted(game: str) -> bool:
    """Whether some kernel of a game was called for which there is no module here."""
    return game in _said


class PortableKernel:
    """Called like the rule that it stands for."""

    def __init__(self, game: str, name: str, plain: Callable[..., Any]) -> None:
        self.plain, self.__name__ = _with_plain_numbers(plain), name
        self._game = game
        self._found: dict[tuple[Any, ...], Callable[..., Any]] = {}  # by the types of all arrays

    def __call__(self, *arguments: Any) -> Any:
        return self.for_types_of(arguments)(*arguments)

    def for_types_of(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """What is called with arguments of these types."""
        arrays = list(arrays_in(arguments))
        key = tuple((array.dtype, array.ndim) for array in arrays)
        if not arrays or not all(array.flags.c_contiguous for array in arrays):
            return self.plain
        if key not in self._found:
            self._found[key] = self._look_for(key)
        return self._found[key]

    def _look_for(self, key: tuple[Any, ...]) -> Callable[..., Any]:
        module, reason = find(self._game, self.__name__, layout_of(key))
        if module is None:
            say_once(self._game, f"{reason}; `theogony compile {self._game} --wasm` builds it")
            return self.plain
        try:
            return runner()(module, self.__name__)
        except (OSError, ValueError, ImportError) as error:
            say_once(self._game, str(error))
            return self.plain


def _with_plain_numbers(rule: Callable[..., Any]) -> Callable[..., Any]:
    """An interpreted rule that returns Python's numbers, as compiled ones do, and not NumPy's."""

    @functools.wraps(rule)
    def called(*arguments: Any) -> Any:
        found = rule(*arguments)
        return found.item() if isinstance(found, np.generic) else found

    return called


def runner() -> Callable[..., Callable[..., Any]]:
    """What loads a kernel of a module here. Raises ImportError where there is nothing."""
    if sys.platform == "emscripten":
        from theogony.envs.core.portable.by_pyodide import load
    else:
        from theogony.envs.core.portable.by_wasmtime import load
    return load
