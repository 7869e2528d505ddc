"""`@rule`: compile a plain function with Numba, less often than Numba would, and keep what was compiled.

`sparing.py` does it, on Numba's internals. Where these have changed, Numba's public API takes its place.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.extending import is_jitted

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = bool(cast(Any, numba).config.DISABLE_JIT)  # NUMBA_DISABLE_JIT=1: rules are plain Python
WRITTEN_FOR = ((0, 65), (0, 68))  # the versions of Numba whose internals `sparing.py` and what it imports know


def _sparing() -> Any:
    """The module `sparing`; None, and a warning, where this Numba has other internals."""
    try:
        module = importlib.import_module("theogony.envs.core.compile.sparing")
        if not WRITTEN_FOR[0] <= _version() <= WRITTEN_FOR[1]:
            module.try_out()
    except Exception as error:  # whatever comes of calling what is not there any more, or is something else
        reason = (str(error).strip().splitlines() or [""])[0]
        warnings.warn(
            f"theogony: Numba {numba.__version__} has other internals than Numba {versions()} "
            f"({type(error).__name__}: {reason:.120}): rules are compiled by its public API and not kept, so that "
            f"every start takes minutes; with Numba {versions()} it takes seconds",
            stacklevel=2,
        )
        return None
    return module


def versions() -> str:
    """The versions of Numba with which rules are compiled quickly and kept."""
    return " to ".join(".".join(map(str, version)) for version in WRITTEN_FOR)


def _version() -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", numba.__version__)[:2]))


SPARING: Any = None if INTERPRETED else _sparing()


def rule(function: F) -> F:
    """Compile a rule of a game (or a kernel over rules) without the GIL, with the cache of this module.

    With `NUMBA_DISABLE_JIT=1` the function is returned as it is, so that a debugger can step through it. Raises
    RuleError when the function names anything that is not a constant, an array, a module or another rule.
    """
    if INTERPRETED:
        return function
    if SPARING is None:
        return cast(Any, numba).njit(nogil=True)(function)
    return SPARING.compiled(function)


def is_rule(function: Any) -> bool:
    """Whether `@rule` has made this function; interpreted, any function is one."""
    return callable(function) if INTERPRETED else is_jitted(function)


def apart(function: Callable[..., Any]) -> None:
    """Compile this rule once and call it, instead of copying it into each rule that calls it.

    For large rules that many kernels call. A call costs a few nanoseconds more. To be said before it is compiled.
    """
    if SPARING is not None and is_jitted(function):
        SPARING.keep_apart(function)


def rule_or(plain: Callable[..., Any]) -> Callable[[F], F]:
    """A rule over intrinsics, and the plain function that stands for it when rules are interpreted."""
    return lambda function: plain if INTERPRETED else rule(function)  # pyright: ignore[reportReturnType]


def direct(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """The compiled entry point of a rule for arguments of these types, past Numba's dispatch (0.2 us, not 0.7).

    The caller answers for the types: later arguments must have those of `examples`. Interpreted, and where Numba's
    internals are others, the rule itself.
    """
    if SPARING is None or not is_jitted(function):
        return function
    return SPARING.entry_point(function, tuple(numba.typeof(example) for example in examples))
