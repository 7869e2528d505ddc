"""The log of what moved since the last decision, for those who follow a game from outside (see `state`)."""

from __future__ import annotations

from theogony.envs.core.jit import rule
from theogony.envs.innovation.state import LOG_ENTRIES


@rule
def note(g, what, source, target):
    """Append a movement. When the log is full only the count goes on."""
    if g.log_count < LOG_ENTRIES:
        k = g.log_count
        g.log[0, k] = what
        g.log[1, k] = source
        g.log[2, k] = target
    g.log_count += 1


@rule
def clear_log(g):
    """Forget the movements before a new decision."""
    for k in range(min(g.log_count, LOG_ENTRIES)):
        g.log[0, k] = 0
        g.log[1, k] = 0
        g.log[2, k] = 0
    g.log_count = 0
