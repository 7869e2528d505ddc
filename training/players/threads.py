"""How many threads torch works with while agents play."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """One thread inside: with more, small networks wait for each other, and do not decide alike to the last bit."""
    torch = sys.modules.get("torch")
    if torch is None:  # no player has a network
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
