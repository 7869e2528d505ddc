"""The machine that commands run on."""

from __future__ import annotations

import os


def machine_bytes() -> float:
    """The memory of this machine; without end where the operating system does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float("inf")
