"""What a seat cannot know, drawn anew."""

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import next_u64


@rule
def resample(g, t, seat, rng):
    """All is open once the tiles lie: only the dice of the position are unknown."""
    g.rng[0] = next_u64(rng)
