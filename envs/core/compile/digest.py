"""What a compiled rule depends on, as a digest: its code and the content of everything that the code names."""

from __future__ import annotations

import dis
import enum
import hashlib
import linecache
import random
import types
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype, enum.Enum)
_LIBRARIES = ("numpy", "numba", "math", "operator", "builtins")
_digests: dict[Dispatcher, bytes] = {}


class RuleError(TypeError, ValueError):
    """A rule names what it must not; says where, and what was expected."""


def digest(dispatcher: Dispatcher, callers: tuple[Dispatcher, ...] = ()) -> bytes:
    """SHA-256 over the code of a rule and the content of everything it names, other rules included.

    Raises RuleError when rules call each other in a cycle, or when one names something that is not a constant.
    """
    if dispatcher in _digests:
        return _digests[dispatcher]
    if dispatcher in callers:
        if dispatcher is callers[-1]:
            return b"calls itself"
        names = [rule.py_func.__qualname__ for rule in (*callers[callers.index(dispatcher) :], dispatcher)]
        raise RuleError(f"rules call each other in a cycle, which is not supported: {' -> '.join(names)}")
    function = dispatcher.py_func
    hasher = hashlib.sha256(f"{function.__module__}.{function.__qualname__}".encode())
    hasher.update(repr(sorted(dispatcher.targetoptions.items())).encode())
    _hash_code(hasher, function.__code__)
    for name, value in references(function):
        hasher.update(f"\n{name} = ".encode())
        _hash_value(hasher, value, (*callers, dispatcher), function)
    _digests[dispatcher] = hasher.digest()
    return _digests[dispatcher]


def check_constants(function: Callable) -> None:
    """Refuse what a rule must not name, as far as it can be seen when the rule is defined. Raises RuleError."""
    hasher = hashlib.sha256()
    for _, value in references(function):
        if not isinstance(value, Dispatcher):
            _hash_value(hasher, value, (), function)


# ---------------------------------------------------------------------------------------------------- what code names


def references(function: Callable) -> Iterator[tuple[str, Any]]:
    """Every default, closure cell and global that a function uses, and attributes of a project's modules."""
    for k, value in enumerate(function.__defaults__ or ()):
        yield f"default {k}", value
    for name, value in (function.__kwdefaults__ or {}).items():
        yield f"default {name}", value
    cells = dict(_cells(function))
    yield from cells.items()
    known = {**function.__globals__, **cells}
    for path in dict.fromkeys(_paths(function.__code__)):
        if path[0] in known:
            yield from _follow(path, known[path[0]])


def _cells(function: Callable) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # a name the enclosing function has not bound yet: itself, in a recursion
            continue


def _paths(code: types.CodeType) -> Iterator[tuple[str, ...]]:
    """`("module", "sub", "NAME")` for every global or free name in the code, with the attributes that follow it."""
    path: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        if path and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path = (*path, instruction.argval)
            continue
        if path:
            yield path
        path = (instruction.argval,) if instruction.opname in ("LOAD_GLOBAL", "LOAD_DEREF") else ()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _paths(constant)


def _follow(path: tuple[str, ...], value: Any) -> Iterator[tuple[str, Any]]:
    """The value of a name, and as long as it is a module of the project, of the attributes that follow."""
    name = path[0]
    yield name, value
    for attribute in path[1:]:
        if not isinstance(value, types.ModuleType) or value.__name__.startswith(_LIBRARIES):
            return
        if not hasattr(value, attribute):
            return
        value, name = getattr(value, attribute), f"{name}.{attribute}"
        yield name, value


# ---------------------------------------------------------------------------------------------------- content


def _hash_code(hasher: Any, code: types.CodeType) -> None:
    """The byte code and what it names; line numbers and file names decide nothing."""
    hasher.update(code.co_code + code.co_exceptiontable)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    hasher.update(repr((names, counts)).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _hash_code(hasher, constant)
        else:
            hasher.update(f"{type(constant).__name__} {constant!r}".encode())


def _hash_value(hasher: Any, value: Any, callers: tuple[Dispatcher, ...], function: Callable) -> None:
    if isinstance(value, Dispatcher):
        hasher.update(digest(value, callers) + (b" apart" if getattr(value, "apart", False) else b""))
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        hasher.update(repr((value.dtype, value.shape, value.flags.f_contiguous)).encode() + value.tobytes())
    elif isinstance(value, _CONSTANTS):
        hasher.update(f"{type(value).__name__} {value!r}".encode())
    elif isinstance(value, tuple):
        hasher.update(f"tuple {len(value)}".encode())
        for item in value:
            _hash_value(hasher, item, callers, function)
    elif isinstance(value, types.ModuleType):
        hasher.update(value.__name__.encode())
    elif isinstance(value, _Intrinsic):
        _hash_code(hasher, cast(Any, value)._defn.__code__)
    elif _is_library(value):
        hasher.update(f"{value.__module__}.{getattr(value, '__qualname__', value)}".encode())
    elif isinstance(value, types.FunctionType):
        raise RuleError(f"{_place(function, value)}: {value.__qualname__} is no rule: write @rule above it")
    elif isinstance(getattr(value, "__self__", None), random.Random):
        raise RuleError(f"{_place(function, value)}: chance from outside: draw from g.rng with theogony.envs.core.rng")
    else:
        raise RuleError(
            f"{_place(function, value)}: rule {function.__qualname__} names a {type(value).__name__} ({value!r:.60}), "
            "which is not a constant: use numbers, strings, tuples, NumPy arrays, modules and other rules"
        )


def _place(function: Callable, value: Any) -> str:
    """`file:line: the source line` where a function names a value, or else where it begins."""
    code = function.__code__
    names = {name.partition(".")[0] for name, found in references(function) if found is value}
    loads = [at.positions for at in dis.get_instructions(code) if at.argval in names and at.positions]
    line = next((at.lineno for at in loads if at.lineno), code.co_firstlineno)
    return f"{code.co_filename}:{line}: {linecache.getline(code.co_filename, line).strip()}"


def _is_library(value: Any) -> bool:
    """Functions and types of NumPy, Numba and the standard library: their versions are part of the key."""
    module = getattr(value, "__module__", None) or ""
    return callable(value) and module.startswith(_LIBRARIES)
