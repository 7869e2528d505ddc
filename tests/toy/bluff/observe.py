"""What each seat sees: its own die, the bid, the strikes, the dice of the last round."""

from __future__ import annotations

import numpy as np

from bluff.components import HIGHEST
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule


def layout(players: int) -> FeatureLayout:
    """The features for a player count."""
    return FeatureLayout(
        Feature("my_turn", (1,), "whether the observer decides"),
        Feature("my_die", (HIGHEST,), "number on the observer's die"),
        Feature("bid", (1,), "last bid, as a share of the highest that is possible"),
        Feature("bidder", (players,), "who made it, the observer first"),
        Feature("strikes", (players,), "rounds lost, as a share of the rounds"),
        Feature("shown", (players, HIGHEST), "dice of the last round"),
        Feature("rounds_over", (1,), "share of the rounds that are over"),
    )


@rule
def observe(g, t, seat, f):
    """Seats are rotated: the observer is seat 0 of every field."""
    f.my_turn[0] = 1.0 if g.actor == seat else 0.0
    if g.dice[seat] > 0:
        f.my_die[g.dice[seat] - 1] = 1.0
    f.bid[0] = g.bid / (HIGHEST * np.int64(g.players))
    f.rounds_over[0] = g.rounds_over / t.rounds
    for k in range(g.players):
        other = (seat + k) % g.players
        f.bidder[k] = 1.0 if g.bidder == other else 0.0
        f.strikes[k] = g.strikes[other] / t.rounds
        if g.shown[other] > 0:
            f.shown[k, g.shown[other] - 1] = 1.0
