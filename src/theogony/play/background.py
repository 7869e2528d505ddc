"""What works beside a table, so that no click waits: threads that decide, compile and search, and processes of their
own that compile rules which are not in the cache.

Threads end before the process does: Python would stop one in the middle of machine code, which ends in the line
`terminate called without an active exception`.
"""

from __future__ import annotations

import atexit
import json
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from theogony.console import interrupt
from theogony.envs.core.jit import INTERPRETED, SPARING

Made = TypeVar("Made")
_ends: weakref.WeakKeyDictionary[threading.Thread, Callable[[], None] | None] = weakref.WeakKeyDictionary()


def begin(name: str, target: Callable[..., Any], *given: Any, end: Callable[[], None] | None = None) -> None:
    """Run `target` in a thread. When the process ends, `end` is called and the thread is waited for."""
    thread = threading.Thread(target=target, args=given, name=name, daemon=True)
    _ends[thread] = end
    thread.start()


@atexit.register
def _wait() -> None:
    running = [(thread, end) for thread, end in list(_ends.items()) if thread.is_alive()]
    for _, end in running:
        if end is not None:
            end()
    for thread, _ in running:
        thread.join()


def from_cache(make: Callable[[], Made]) -> Made | None:
    """What `make` makes, of rules that are compiled already; None where one would have to be compiled first."""
    if INTERPRETED or SPARING is None:  # nothing is kept, so nothing can be waited for
        return make()
    from theogony.envs.core.compile.cache import NotCompiled, only_kept

    try:
        with only_kept():
            return make()
    except NotCompiled:
        return None


def elsewhere(work: str, *given: Any, interpreted: bool = False) -> Iterator[Any]:
    """Do one of WORKS in a process of its own, and yield what it tells. It ends with this one; where it fails, it just
    tells no more."""
    paths = os.pathsep.join(filter(None, sys.path))  # -P: nothing that happens to lie in the working directory counts
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1" if interpreted else "0"}
    with interrupt.held_back():
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "theogony.play.first", str(os.getpid())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(pickle.dumps((work, given)))
        process.stdin.close()
        yield from map(json.loads, process.stdout)
    except OSError:  # it has ended before it had read what to do
        return
    finally:
        process.kill()
        process.wait()


def compiled_elsewhere(make: Callable[[], Made], *work: Any) -> Made:
    """What `make` makes, after another process has compiled the rules for it, where there are any to compile."""
    found = from_cache(make)
    if found is None:
        for _ in elsewhere(*work):
            pass
        found = make()
    return found
