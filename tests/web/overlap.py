"""A rule that copies a stretch over itself, as WebAssembly: a copy in between is allocated. Prints what it comes to."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.portable.by_wasmtime import load
from theogony.envs.core.portable.layouts import kind_of
from theogony.envs.core.portable.modules import Module
from theogony.web.calls import Call
from theogony.web.emit import emit, portable_code
from theogony.web.link import link


@rule
def shift(items, times):
    """Every entry one further, so often; the sum of all."""
    for _ in range(times):
        items[1:] = items[:-1]
    return items.sum()


@rule
def quotient(items, times):
    """An error in words: by zero."""
    return items[0] // times


def built(folder: Path, arguments: tuple) -> Module:
    calls = {"shift": Call(shift, arguments), "quotient": Call(quotient, arguments)}
    emitted = emit(calls)
    path = folder / "overlap.wasm"
    path.write_bytes(link(emitted.code, calls))
    kinds = [kind_of(value) for value in arguments]
    kernels = {name: {"arguments": kinds, "returns": emitted.returns[name]} for name in calls}
    return Module(path, hashlib.sha256(path.read_bytes()).hexdigest(), "", kernels)


if __name__ == "__main__":
    portable_code()
    items = np.arange(2000, dtype=np.int64)
    module = built(Path(sys.argv[1]), (items, 1))
    total = load(module, "shift")(items, 500)
    try:
        load(module, "quotient")(items, 0)
        said = ""
    except RuntimeError as error:
        said = str(error)
    print(json.dumps([items.tolist(), total, said]))
