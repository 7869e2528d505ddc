"""A lock that players may hold: one is asked at a time, though a player may be asked from several threads."""

from __future__ import annotations

import threading
from typing import Any


class OneAtATime:
    """`with self._alone:` around what works in memory of the player's own, such as the tree of a search.

    A copy, or what comes out of a pickle, is another lock, which is free.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return OneAtATime, ()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
