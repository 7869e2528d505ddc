from theogony.envs.core.jit import rule


@rule
def value(g, t, seat):
    return 0.0
