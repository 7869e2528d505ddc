"""Final rewards from standings and scores: in [-1, 1], zero-sum in a competitive game, the same for all in a team.

Only `points`, for learning, goes by what a seat made, whatever the others did.
"""

from __future__ import annotations

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED

OUTCOME, RANK, MARGIN, PROGRESS, POINTS = 0, 1, 2, 3, 4  # the order of `KINDS`
KINDS = ("outcome", "rank", "margin", "progress", "points")
RESULTS = KINDS[:POINTS]  # what a record of a game says of its end; points are for learning, and follow from its scores


@rule
def final_rewards(kind, cooperative, over, players, scale, standing, out):
    """Turn the scores in `out` into rewards, in place. A game that was cut off pays nothing."""
    if over != ENDED:
        out[:players] = 0.0
    elif cooperative:
        for seat in range(players):
            out[seat] = 1.0 if standing[seat] > 0.0 else -1.0
    elif kind == OUTCOME:
        _outcome(players, standing, out)
    elif kind == RANK:
        _rank(players, standing, out)
    else:
        _margin(players, scale, standing, out)


@rule
def _outcome(players, standing, out):
    """The winners share a stake that every seat pays: with two players 1 and -1, or 0 for a shared win."""
    best, winners = standing[0], 0
    for seat in range(players):
        best = max(best, standing[seat])
    for seat in range(players):
        winners += standing[seat] == best
    for seat in range(players):
        won = players / winners if standing[seat] == best else 0.0
        out[seat] = (won - 1.0) / (players - 1)


@rule
def _rank(players, standing, out):
    """Linear by place, from 1 for the first to -1 for the last; shared places get the mean."""
    for seat in range(players):
        better, worse = 0, 0
        for other in range(players):
            better += standing[other] > standing[seat]
            worse += standing[other] < standing[seat]
        out[seat] = (worse - better) / (players - 1)


@rule
def _margin(players, scale, standing, out):
    """The mean over the other seats of the score difference, over the game's scale and clipped: so it is zero-sum."""
    for seat in range(players):
        standing[seat] = out[seat]
    for seat in range(players):
        total = 0.0
        for other in range(players):
            total += min(max((standing[seat] - standing[other]) / scale, -1.0), 1.0)
        out[seat] = total / (players - 1)
