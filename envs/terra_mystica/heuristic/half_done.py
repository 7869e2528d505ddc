"""What an action that is half done will still bring its player, for the heuristic."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.components import (
    COIN,
    DARKLINGS,
    FAV11,
    HALFLINGS,
    PRIEST,
    SCORE_SPADE,
    WORKER,
    D,
)  # fmt: skip
from theogony.envs.terra_mystica.heuristic.weights import (
    AREA,
    BRIDGE_DUE,
    COIN_,
    DWELLING,
    FAVOR_DUE,
    HOUSE_DUE,
    PRIEST_,
    SITE,
    STEP_DUE,
    TOWN_DUE,
    WORKER_,
    incomes,
    share_of,
)
from theogony.envs.terra_mystica.rules.bits import ZERO, lowest, without_lowest
from theogony.envs.terra_mystica.rules.building import PIECES
from theogony.envs.terra_mystica.rules.spades import may_top_up
from theogony.envs.terra_mystica.rules.targets import distance, open_targets
from theogony.envs.terra_mystica.state import COLOUR, PHASE_SPADES, SANDSTORM


@rule
def turn_value(g, t, seat, left):
    """What a half-done action will still bring. Nothing that is not legal now: else `done` would seem a loss."""
    w = t.weights
    total = w[FAVOR_DUE] * g.favors_due + w[TOWN_DUE] * g.towns_due + w[STEP_DUE] * g.steps_due
    total += w[BRIDGE_DUE] * g.bridge_due + w[HOUSE_DUE] * g.free_house
    if g.decision == COLOUR:
        return total + nearer_value(g, t, seat, np.int64(g.target), left)
    if g.free_dwelling:
        total += dwelling_worth(g, t, seat, left)
    elif g.sites[0] | g.sites[1] != ZERO and g.built[seat, D] < PIECES[D]:
        total += dwelling_gain(g, t, seat, left, np.int64(g.workers[seat]), np.int64(g.priests[seat]))
    if g.spades > 0 or g.spade_use == SANDSTORM:
        total += best_aim(g, t, seat, left)
    return total


@rule
def dwelling_worth(g, t, seat, left):
    """What a dwelling brings: its points now, its income, its place."""
    w = t.weights
    points = np.float64(t.score_vp[g.scoring[max(np.int64(g.round_number), 1) - 1], D])
    if g.favors[seat, FAV11]:
        points += 2.0
    return points + w[WORKER_] * incomes(t, left) + w[DWELLING] + w[AREA]


@rule
def dwelling_gain(g, t, seat, left, workers, priests):
    """What a dwelling brings less its price; nothing when it cannot be paid, with power for coins that are short."""
    cost = t.cost[g.faction[seat], D]
    w = t.weights
    if workers < cost[WORKER] or priests < cost[PRIEST] or g.coins[seat] + g.bowls[seat, 2] < cost[COIN]:
        return 0.0
    price = w[COIN_] * cost[COIN] + w[WORKER_] * cost[WORKER] + w[PRIEST_] * cost[PRIEST]
    return max(dwelling_worth(g, t, seat, left) - share_of(t, left) * price, 0.0)


@rule
def best_aim(g, t, seat, left):
    """The best space for spades at hand: exactly what aiming at it will be worth, so that nothing is put off."""
    low, high = open_targets(g, t, seat)
    best = 0.0
    while low != ZERO:
        best = max(best, aim_value(g, t, seat, lowest(low), left))
        low = without_lowest(low)
    while high != ZERO:
        best = max(best, aim_value(g, t, seat, 64 + lowest(high), left))
        high = without_lowest(high)
    return best


@rule
def nearer_value(g, t, seat, space, left):
    """A space that the free spades alone bring nearer to the own colour."""
    w = t.weights
    steps = distance(g, t, seat, space, np.int64(t.home[g.faction[seat]]))
    after = max(steps - np.int64(g.spades), 0)
    return (w[SITE + min(after, 3)] - w[SITE + min(steps, 3)]) * (left + 1.0) / 6.0


@rule
def aim_value(g, t, seat, space, left):
    """A space to be transformed: made one's own and built on where that can be paid, or brought nearer."""
    w = t.weights
    f = np.int64(g.faction[seat])
    steps = distance(g, t, seat, space, np.int64(t.home[f]))
    free = steps if g.spade_use == SANDSTORM else np.int64(g.spades)
    bought = max(steps - free, 0)
    cost = t.spade_cost[f, g.dig[seat]]
    workers = np.int64(g.workers[seat]) - bought * np.int64(cost[WORKER])
    priests = np.int64(g.priests[seat]) - bought * np.int64(cost[PRIEST])
    if bought > 0 and (workers < 0 or priests < 0 or not may_top_up(g, t, space)):
        return nearer_value(g, t, seat, space, left)
    price = (w[WORKER_] * cost[WORKER] + w[PRIEST_] * cost[PRIEST]) * share_of(t, left)
    points = np.float64(t.score_vp[g.scoring[g.round_number - 1], SCORE_SPADE])
    if f == HALFLINGS or f == DARKLINGS:
        points += 1.0 if f == HALFLINGS else 2.0
    total = (points - price) * bought + (w[SITE] - w[SITE + min(steps, 3)]) * (left + 1.0) / 6.0
    if g.spade_use != PHASE_SPADES:
        total += dwelling_gain(g, t, seat, left, workers, priests)
    return max(total, nearer_value(g, t, seat, space, left)) if free > 0 else total
