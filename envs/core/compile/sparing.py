"""The compiler of `@rule`: less compiling than Numba would do, and what was compiled kept on disk.

A rule has two dispatchers, one for calls from Python and one, without a wrapper for Python, for calls of other rules.
`cache.py` keeps what they compile, `linking.py` puts it together. All three are built on Numba's internals, so
`jit.py` tries them out where Numba is newer than those they were written for.
"""

from __future__ import annotations

import functools
import itertools
import os
import secrets
from collections import defaultdict
from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from numba import types
from numba.core import bytecode, event
from numba.core.compiler_lock import global_compiler_lock

import theogony.envs.core.compile.progress  # noqa: F401  tells whoever waits
from theogony.envs.core.compile.cache import DigestCache
from theogony.envs.core.compile.digest import check_constants
from theogony.envs.core.compile.linking import PartCompiler, WholeCompiler


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
