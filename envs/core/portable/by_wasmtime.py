"""Kernels in wasmtime, on the command line: arrays are copied into the memory of the modules and back.

All modules of a process share one memory: a stack, the data of each module, and room for the arrays of one call.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.portable.layouts import arrays_in, flat_kinds, flattened
from theogony.envs.core.portable.modules import Module

try:
    import wasmtime
except ModuleNotFoundError as error:
    raise ImportError("the library wasmtime is not installed: pip install wasmtime") from error

PAGE, STACK, LINE = 65_536, 1 << 20, 64
RESULT, ERROR = 64, 128  # where a kernel writes what it returns, and what it raises


class _Memory:
    """The memory of all modules, and the lock without which no kernel runs."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.engine = wasmtime.Engine()
        self.store = wasmtime.Store(self.engine)
        limits = wasmtime.Limits(2 * STACK // PAGE, None)
        self.memory = wasmtime.Memory(self.store, wasmtime.MemoryType(limits))
        self.top = 1024 + STACK  # the first byte that nothing lies in
        number = wasmtime.ValType.i32()
        self.stack = wasmtime.Global(self.store, wasmtime.GlobalType(number, True), wasmtime.Val.i32(self.top))

    def room(self, start: int, size: int) -> int:
        """The address of so many bytes from `start` on; the memory grows where it must."""
        start = -(-start // LINE) * LINE
        missing = start + size - self.memory.data_len(self.store)
        if missing > 0:
            self.memory.grow(self.store, -(-missing // PAGE))
        return start

    def address(self) -> int:
        """Where the memory begins in this process, until it grows."""
        return ctypes.addressof(self.memory.data_ptr(self.store).contents)

    def constant(self, value: int) -> Any:
        """An imported number."""
        return wasmtime.Global(self.store, wasmtime.GlobalType(wasmtime.ValType.i32(), False), wasmtime.Val.i32(value))

    def close(self) -> None:
        """Give all back, before the library itself is gone."""
        self.store.close()
        self.engine.close()


@functools.cache
def _memory() -> _Memory:
    there = _Memory()
    atexit.register(there.close)
    return there


_instances: dict[str, Any] = {}  # by digest: the functions of each module that is loaded


def load(module: Module, kernel: str) -> Callable[..., Any]:
    """A kernel of a module. Raises OSError or ValueError where the module is damaged."""
    there = _memory()
    with there.lock:
        if module.sha256 not in _instances:
            _instances[module.sha256] = _instance(there, module.read())
        function = _instances[module.sha256][kernel]
    about = module.kernels[kernel]
    return _Kernel(there, function, about["arguments"], about["returns"])


def _instance(there: _Memory, content: bytes) -> Any:
    """The exports of a module, whose data lie in the common memory from now on. Raises ValueError."""
    try:
        code = wasmtime.Module(there.engine, content)
    except wasmtime.WasmtimeError as error:
        raise ValueError(f"this is no WebAssembly: {error}") from None
    base = there.room(there.top, _data_size(content))
    there.top = base + _data_size(content)
    given = {"memory": there.memory, "__stack_pointer": there.stack}
    given |= {"__memory_base": there.constant(base), "__table_base": there.constant(0)}
    unknown = [wanted.name for wanted in code.imports if wanted.name not in given]
    if unknown:
        raise ValueError(f"the module imports {', '.join(map(str, unknown))}, which no kernel needs")
    instance = wasmtime.Instance(there.store, code, [given[str(wanted.name)] for wanted in code.imports])
    exports = instance.exports(there.store)
    for begin in ("__wasm_apply_data_relocs", "__wasm_call_ctors"):
        if isinstance(function := exports.get(begin), wasmtime.Func):
            function(there.store)
    return exports


def _data_size(content: bytes) -> int:
    """How many bytes of memory a position-independent module wants, as its section `dylink.0` says: the first of the
    module, whose first entry begins with that number."""
    at = content.index(b"dylink.0") + len(b"dylink.0")
    if content[at] != 1:
        raise ValueError("the module does not say how much memory it needs")
    size, shift, at = 0, 0, at + 2  # behind the kind and the length of the entry
    while True:
        size |= (content[at] & 127) << shift
        if content[at] < 128:
            return size
        at, shift = at + 1, shift + 7


class _Kernel:
    """One function of a module."""

    def __init__(self, there: _Memory, function: Any, kinds: list[Any], returns: str) -> None:
        self._there, self._function, self._kinds, self._returns = there, function, kinds, returns
        self._flat = list(flat_kinds(kinds))

    def __call__(self, *arguments: Any) -> Any:
        there = self._there
        with there.lock:
            stretches = _stretches(arrays_in(arguments))
            start = there.top
            for stretch in stretches:
                stretch.inside = there.room(start, stretch.size)
                start = stretch.inside + stretch.size
            memory = there.address()
            for stretch in stretches:
                ctypes.memmove(memory + stretch.inside, stretch.start, stretch.size)

            def address(array: np.ndarray) -> int:
                where = array.__array_interface__["data"][0]
                return next((s.inside + where - s.start for s in stretches if s.start <= where < s.end), 0)

            flat = flattened(arguments, self._kinds, address)
            status = self._function(there.store, RESULT, ERROR, *flat)
            for stretch in stretches:
                if stretch.written:
                    ctypes.memmove(stretch.start, memory + stretch.inside, stretch.size)
            if status:
                raise RuntimeError(f"a kernel failed with status {status}")
            return self._result(memory)

    def _result(self, memory: int) -> Any:
        if self._returns == "none":
            return None
        kind = ctypes.c_double if self._returns == "float64" else ctypes.c_int64
        return kind.from_address(memory + RESULT).value


@dataclass
class _Stretch:
    """Bytes of this process that one array holds, or several that overlap."""

    start: int
    end: int
    written: bool
    inside: int = 0  # where they are copied to

    @property
    def size(self) -> int:
        return self.end - self.start


def _stretches(arrays: Iterable[np.ndarray]) -> list[_Stretch]:
    """The memory of contiguous arrays; what overlaps is one stretch, so that it stays the same memory."""
    found: list[_Stretch] = []
    spans = ((a.__array_interface__["data"][0], a.nbytes, a.flags.writeable) for a in arrays if a.nbytes)
    for start, size, written in sorted(spans):
        if found and start < found[-1].end:
            found[-1].end = max(found[-1].end, start + size)
            found[-1].written |= written
        else:
            found.append(_Stretch(start, start + size, written))
    return found
