"""A kernel in place of a compiled rule: a module's function where there is one for the arguments, else the rule."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs.core.portable.layouts import arrays_in, layout
from theogony.envs.core.portable.modules import find

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
        module, reason = find(self._game, self.__name__, layout(key))
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
