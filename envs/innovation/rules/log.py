"""The log of what moved since the last decision, for those who follow a game from outside (see `state`).

Positions of play have none; there these rules do nothing, and are left out when the rules that call them are compiled.
"""

from __future__ import annotations

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import log_of


@rule
def note(g, what, source, target):
    """Append a movement. When the log is full only the count goes on."""
    log = log_of(g)
    if log.shape[0] > 0:
        k = 1 + 3 * log[0]
        if k < log.shape[0]:
            log[k] = what
            log[k + 1] = source
            log[k + 2] = target
        log[0] += 1


@rule
def clear_log(g):
    """Forget the movements before a new decision."""
    log = log_of(g)
    if log.shape[0] > 0:
        log[0] = 0
