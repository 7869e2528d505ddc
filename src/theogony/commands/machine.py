"""Commands about the machine."""

from __future__ import annotations


def doctor() -> None:
    """Tell what this machine offers: the fence for programs of others, processors, compiled rules, programs, a GPU."""
    from theogony.fence.offered import table

    print(table())
