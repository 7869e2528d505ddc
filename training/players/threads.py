"""How many threads torch works with while agents play."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """One thread inside: with more, small networks wait for each other, and do not decide alike to the last bit."""
    torch: Any = sys.modules.get("torch")
    if not hasattr(torch, "set_num_threads"):  # no player has a network yet; another thread may be importing it
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
