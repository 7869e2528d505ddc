"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field."""

from __future__ import annotations

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule


def layout(players: int) -> FeatureLayout:
    return FeatureLayout(Feature("my_turn", (1,), "whether the observer decides"))


@rule
def observe(g, t, seat, f):
    f.my_turn[0] = 1.0 if g.actor == seat else 0.0
