"""Kernels in a browser's Python: a module is loaded into the very memory of NumPy's arrays, nothing is copied."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

from theogony.envs.core.portable.layouts import flat_kinds, flattened
from theogony.envs.core.portable.modules import Module

INTEGER, FLOAT, ADDRESS, TRUTH = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p, ctypes.c_int32
TYPES = {"i": INTEGER, "f": FLOAT, "p": ADDRESS, "b": TRUTH}
ERROR = 64  # bytes in which a kernel says what it raises


_library = functools.cache(ctypes.CDLL)


def load(module: Module, kernel: str) -> Callable[..., Any]:
    """A kernel of a module. Raises OSError or ValueError where the module is damaged."""
    module.read()
    about = module.kernels[kernel]
    return _Kernel(getattr(_library(str(module.path)), kernel), about["arguments"], about["returns"])


def _address(array: Any) -> int:
    return array.__array_interface__["data"][0]


class _Kernel:
    """One function of a module."""

    def __init__(self, function: Any, kinds: list[Any], returns: str) -> None:
        self._function, self._kinds, self._none = function, kinds, returns == "none"
        function.argtypes = [ADDRESS, ADDRESS, *(TYPES[kind] for kind in flat_kinds(kinds))]
        function.restype = ctypes.c_int32
        self._result = FLOAT(0) if returns == "float64" else INTEGER(0)
        self._error = (ctypes.c_char * ERROR)()
        self._places = ctypes.addressof(self._result), ctypes.addressof(self._error)

    def __call__(self, *arguments: Any) -> Any:
        status = self._function(*self._places, *flattened(arguments, self._kinds, _address))
        if status:
            raise RuntimeError(f"a kernel failed with status {status}")
        return None if self._none else self._result.value
