"""`@rule`: compile a plain function with Numba, less often than Numba would, and keep what was compiled.

`cache.py` keeps it on disk, `linking.py` puts compiled rules together.
"""

from __future__ import annotations

import itertools
import os
import secrets
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import bytecode, event
from numba.core.dispatcher import Dispatcher

import theogony.envs.core.compiling  # noqa: F401  tells whoever waits
from theogony.envs.core.cache import DigestCache, config
from theogony.envs.core.digest import check_constants
from theogony.envs.core.linking import PartCompiler, WholeCompiler

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = bool(config.DISABLE_JIT)  # NUMBA_DISABLE_JIT=1: rules are plain Python


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
    compiled, within = _compiled(function, WholeCompiler), _compiled(function, PartCompiler, no_cpython_wrapper=True)
    compiled.within = within
    compiled.get_call_template = lambda args, kws: _call_template(within, args, kws)
    compiled.get_overload = within.get_overload
    return compiled


def _compiled(function: Callable[..., Any], compiler: type, **options: bool) -> Any:
    compiled = cast(Any, numba).njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=compiler, **options)(function)
    compiled._cache = DigestCache(compiled)
    return compiled


def is_rule(function: Any) -> bool:
    """Whether `@rule` has made this function; interpreted, any function is one."""
    return callable(function) if INTERPRETED else isinstance(function, Dispatcher)


def apart(function: Callable[..., Any]) -> None:
    """Compile this rule once and call it, instead of copying it into each rule that calls it.

    For large rules that many kernels call. A call costs a few nanoseconds more. To be said before it is compiled.
    """
    if isinstance(function, Dispatcher):
        rule: Any = function
        rule.apart, rule.within._compiler.pipeline_class = True, WholeCompiler


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
