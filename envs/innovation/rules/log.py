"""The log of movements, kept only with the option `log`: four numbers a row (see `state`)."""

from __future__ import annotations

from theogony.envs.core.jit import rule


@rule
def note(g, what, source, target, beneath):
    """Append a row. Without the option the log has no rows and this compiles to nothing."""
    if g.log.shape[0] > 0 and g.log_count < g.log.shape[0]:
        row = g.log_count
        g.log[row, 0] = what
        g.log[row, 1] = source
        g.log[row, 2] = target
        g.log[row, 3] = beneath
        g.log_count = row + 1


@rule
def clear_log(g):
    """Forget the movements before a new decision."""
    if g.log.shape[0] > 0:
        g.log[: g.log_count] = 0
        g.log_count = 0
