from theogony.envs.core.jit import rule


@rule
def resample(g, t, seat, rng):
    pass
