"""`@rule`: compile a plain function with Numba, less often than Numba would, and keep what was compiled.

`compile/sparing.py` does it, on Numba's internals. Where these have changed, Numba's public API takes its place.
Without Numba, or with `THEOGONY_BACKEND=wasm`, rules are plain Python and kernels come from WebAssembly (`portable/`).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

BACKENDS = ("numba", "wasm", "python")
WRITTEN_FOR = ((0, 65), (0, 68))  # the versions of Numba whose internals `compile/sparing.py` and what it imports know


def _backend() -> str:
    """What runs kernels: `$THEOGONY_BACKEND`, else Numba where it is installed. Raises ValueError."""
    named = os.environ.get("THEOGONY_BACKEND")
    if named and named not in BACKENDS:
        raise ValueError(f"THEOGONY_BACKEND={named}: expected one of {', '.join(BACKENDS)}")
    return named or ("numba" if importlib.util.find_spec("numba") else "wasm")


BACKEND = _backend()
numba: Any = importlib.import_module("numba") if BACKEND == "numba" else None
# NUMBA_DISABLE_JIT=1: rules are plain Python
INTERPRETED = numba is None or bool(numba.config.DISABLE_JIT)
_is_jitted: Any = importlib.import_module("numba.extending").is_jitted if numba else callable


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
        return numba.njit(nogil=True)(function)
    return SPARING.compiled(function)


def is_rule(function: Any) -> bool:
    """Whether `@rule` has made this function; interpreted, any function is one."""
    return callable(function) if INTERPRETED else _is_jitted(function)


def apart(function: Callable[..., Any]) -> None:
    """Compile this rule once and call it, instead of copying it into each rule that calls it.

    For large rules that many kernels call. A call costs a few nanoseconds more. To be said before it is compiled.
    """
    if SPARING is not None and _is_jitted(function):
        SPARING.keep_apart(function)


def rule_or(plain: Callable[..., Any]) -> Callable[[F], F]:
    """A rule over intrinsics, and the plain function that stands for it when rules are interpreted."""

    def chosen(function: F) -> Any:
        if not INTERPRETED:
            return rule(function)
        plain.__name__ = function.__name__  # by which messages call it
        return plain

    return chosen


def direct(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """The compiled entry point of a rule for arguments of these types, past Numba's dispatch (0.2 us, not 0.7).

    The caller answers for the types: later arguments must have those of `examples`. Interpreted, and where Numba's
    internals are others, the rule itself.
    """
    if BACKEND == "wasm" and hasattr(function, "for_types_of"):
        return function.for_types_of(examples)
    if SPARING is None or not _is_jitted(function):
        return function
    return SPARING.entry_point(function, tuple(numba.typeof(example) for example in examples))


def offered(spec: Any, kernels: SimpleNamespace, names: tuple[str, ...]) -> SimpleNamespace:
    """The kernels of a game. Those of these `names` are what Python calls: without Numba a module for WebAssembly has
    them, where one is built of a game of this package."""
    if BACKEND == "wasm" and spec.module.startswith("theogony.envs."):
        from theogony.envs.core.portable.modules import PortableKernel

        for name in names:
            setattr(kernels, name, PortableKernel(spec.name, name, getattr(kernels, name)))
    return kernels
