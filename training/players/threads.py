"""How many threads torch works with while agents play."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """One thread inside: with more, small networks wait for each other, and do not decide alike to the last bit.

    While another thread still imports torch no player of this one can have a network.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or getattr(torch.__spec__, "_initializing", False):  # no player has a network
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
