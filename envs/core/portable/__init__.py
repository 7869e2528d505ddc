"""Kernels without Numba: the same rules as WebAssembly, which `theogony compile --wasm` writes.

`layouts.py` says what an argument of a kernel is, `modules.py` finds the module for it, `by_wasmtime.py` (command line)
and `by_pyodide.py` (a browser's Python) run it. Arguments for which there is no module go to the interpreted rule.
"""
