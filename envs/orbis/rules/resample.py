"""What nobody can know, drawn anew, so that a player who looks ahead learns nothing hidden."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import shuffle, sort
from theogony.envs.orbis.components import DISPLAY


@rule
def resample(g, t, seat, rng):
    """Shuffle the rest of each level's pile, the only hidden thing (A30), and draw new dice."""
    first, size = np.int64(g.drawn), np.int64(t.deck) - DISPLAY
    while first < size:
        last = first + 1
        while last < size and t.level[g.pile[last]] == t.level[g.pile[first]]:
            last += 1
        sort(g.pile[first:last], last - first)  # the draw must not depend on how the tiles really lie
        shuffle(rng, g.pile[first:last], last - first)
        first = last
