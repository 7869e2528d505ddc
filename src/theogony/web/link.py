"""One WebAssembly module of an object file, by `wasm-ld` of LLVM's linker."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from theogony.console.extras import install

FLAGS = ("--no-entry", "-shared", "--experimental-pic", "--strip-all")  # a module that finds its memory where it comes


class LinkError(ValueError):
    """There is no linker, or it refuses what it got."""


def linker() -> list[str]:
    """The command of `wasm-ld`: that of the package ziglang, else of the system. Raises LinkError."""
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    if found := shutil.which("wasm-ld"):
        return [found]
    raise LinkError(f"WebAssembly needs the linker wasm-ld: {install('web')}, or the package lld of your system")


def link(code: bytes, exports: Iterable[str]) -> bytes:
    """A module that exports these functions and imports nothing but its memory. Raises LinkError."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "kernels.o"), Path(folder, "kernels.wasm")
        source.write_bytes(code)
        command = [*linker(), *FLAGS, *(f"--export={name}" for name in exports), "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise LinkError(f"wasm-ld failed: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
        return target.read_bytes()
