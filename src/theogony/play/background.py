"""Threads that decide, compile and search beside a table. They end before the process does: Python would stop a thread
in the middle of machine code, which ends in the line `terminate called without an active exception`."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Callable
from typing import Any

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
