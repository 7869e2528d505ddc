"""tmp"""
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule


def layout(players):
    return FeatureLayout(Feature("decision", (9,), "x"))


@rule
def observe(g, t, seat, f):
    f.decision[g.decision] = 1.0
