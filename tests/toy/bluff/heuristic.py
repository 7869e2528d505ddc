"""A value of a position, for the greedy player."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule


@rule
def value(g, t, seat):
    """Strikes of the others, on average, less one's own; half a strike for who must answer a bid that is too low."""
    total, others = 0, 0
    for other in range(g.players):
        total += np.int64(g.dice[other])
        if other != seat:
            others += np.int64(g.strikes[other])
    margin = others / (np.int64(g.players) - 1) - np.int64(g.strikes[seat])
    if g.bidder == seat and g.over == 0:
        margin += 0.5 if g.bid <= total else -0.5
    return margin / t.rounds
