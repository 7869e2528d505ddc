"""tmp"""
from theogony.envs.core.jit import rule


@rule
def value(g, t, seat):
    return g.vp[seat] / 100.0
