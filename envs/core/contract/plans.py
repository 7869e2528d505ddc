"""Where a plan of one's own decisions ends, and how the others are passed over in it: what a game says, or need not."""

from __future__ import annotations

from theogony.envs.core.jit import rule

PLAN_ENDS, PASSED_OVER = -1, -2  # what `pass_over` returns besides an action


@rule
def one_stage(g, t, seat):
    """Of a game in which only `pass_over` says where a plan ends."""
    return 0


@rule
def never_pass_over(g, t, seat, mask):
    """Of a game in which a plan ends where somebody else decides."""
    return PLAN_ENDS
