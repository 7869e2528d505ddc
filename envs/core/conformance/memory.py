"""Rules work on the memory of a position alone: a device has none to give (`theogony/cuda`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.kernels import CALLER
from theogony.envs.core.conformance.base import Case
from theogony.envs.core.jit import SPARING


def no_rule_allocates(cases: list[Case]) -> Iterator[str]:
    """No compiled rule that a batch calls asks for memory. Interpreted, there is nothing to look at."""
    if SPARING is None:
        return
    from theogony.envs.core.compile.cache import code_of
    from theogony.envs.core.compile.linking import ALLOCATES, Part

    for library in _libraries(Batch(cases[0].game, 1, 0)):
        if any(name.encode() in code_of(library) for name in ALLOCATES):
            also = "" if isinstance(library, Part) else ", or a rule that it calls,"
            yield f"{library.name}{also} asks for memory: keep arrays in the state, not new ones, lists or copies"


def _libraries(batch: Batch) -> Iterator[Any]:
    """The code of every rule that is on its own, of those that the kernels of a batch call."""
    import numba

    kernels, arrays, none = batch._kernels, batch._arrays, np.zeros(1, np.int64)
    seen: set[Any] = set()
    calls = {kernels.batch_start: (arrays, np.uint64(0), 0, 0, 0), kernels.batch_step: (arrays, none, CALLER, 0, 0, 0)}
    for kernel, arguments in calls.items():
        kernel.within.compile(tuple(map(numba.typeof, arguments)))
        waiting = [found.library for found in kernel.within.overloads.values()]
        while waiting:
            if (library := waiting.pop()) not in seen:
                seen.add(library)
                waiting.extend(library.needs)
                yield library
