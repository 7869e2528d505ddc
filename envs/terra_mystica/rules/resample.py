"""What a seat cannot know, drawn anew."""

from theogony.envs.core.jit import rule


@rule
def resample(g, t, seat, rng):
    """All is open once the tiles lie: only the dice of the position are unknown."""
