from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule


def layout(*a):
    return FeatureLayout(Feature("my_turn",(1,),"x"))

@rule
def observe(g, t, seat, f):
    f.my_turn[0] = 1.0
