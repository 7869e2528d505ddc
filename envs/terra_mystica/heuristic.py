"""A value of a position: points, and what goods, income, tiles and half-done actions are still worth.

The weights are victory points. They were tuned by playing greedy players against each other.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.components import (
    BON1,
    BON2,
    FAV5,
    FAV6,
    FAV10,
    FAV11,
    FAV12,
    POWER_VALUE,
    PRIEST,
    ROUNDS,
    SA,
    SCORE_SPADE,
    SH,
    SPADE,
    TE,
    TP,
    WORKER,
    D,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.bits import ONE, ZERO, lowest, without_lowest
from theogony.envs.terra_mystica.rules.building import PIECES
from theogony.envs.terra_mystica.rules.power import affordable
from theogony.envs.terra_mystica.rules.rounds import income_of
from theogony.envs.terra_mystica.rules.scoring import cult_prizes, goods_vp, largest_area
from theogony.envs.terra_mystica.rules.spades import distance
from theogony.envs.terra_mystica.rules.towns import group_of, linking_rivers
from theogony.envs.terra_mystica.state import COLOUR, DRAFT, FREE, NONE, SANDSTORM, TURN

WEIGHTS = {
    "coin": 0.32, "worker": 0.67, "priest": 1.5,
    "bowl_1": 0.02, "bowl_2": 0.16, "bowl_3": 0.45, "deep_power": 0.23,
    "last_goods": 0.75,  # goods in the last round, as a share
    "income": 0.85,  # income of a later round, as a share of the goods
    "dwelling": 1.2, "trading_house": 2.13, "temple": 2.2, "stronghold": 4.0, "sanctuary": 3.43,
    "stronghold_round": 2.0,  # a stronghold's power, for each round
    "area": 0.8, "town_near": 6.12, "site": 0.9, "spade": 1.6,
    "shipping": 1.0, "digging": 1.5, "level_round": 0.5,
    "cult_step": 0.21, "cult_prize": 0.8, "key": 1.2,
    "favor_due": 4.69, "town_due": 11.0, "step_due": 1.2, "bridge_due": 1.0, "house_due": 3.48,
    "priest_round": 0.6, "favor_round": 1.0, "card_action": 2.0,
    "reach": 0.12,
}  # fmt: skip
NAMES = list(WEIGHTS)
(COIN_, WORKER_, PRIEST_, BOWL_1, BOWL_2, BOWL_3, DEEP, LAST, INCOME, DWELLING, HOUSE, TEMPLE, STRONGHOLD, SANCTUARY,
 STRONGHOLD_ROUND, AREA, TOWN_NEAR, SITE, SPADE_, SHIPPING, DIGGING, LEVEL_ROUND, CULT_STEP, CULT_PRIZE, KEY,
 FAVOR_DUE, TOWN_DUE, STEP_DUE, BRIDGE_DUE, HOUSE_DUE, PRIEST_ROUND, FAVOR_ROUND, CARD_ACTION,
 REACH) = range(len(NAMES))  # fmt: skip


@rule
def value(g, t, seat):
    """The margin to the best other seat in prospective points, over the scale of margins."""
    if g.decision == DRAFT:
        return 0.0
    best = -1000.0
    for other in range(g.players):
        if other != seat:
            best = max(best, prospect(g, t, other))
    return (prospect(g, t, seat) - best) / t.scale


@rule
def prospect(g, t, seat):
    """Points of a seat, and the points that what it has will bring."""
    if g.over != 0:
        return np.float64(g.vp[seat])
    left = np.float64(ROUNDS - g.round_number)
    total = np.float64(g.vp[seat]) + goods_value(g, t, seat, left) + pieces_value(g, t, seat, left)
    total += cult_value(g, t, seat) + tiles_value(g, t, seat, left) + map_value(g, t, seat, left)
    if g.actor == seat and (g.decision == TURN or g.decision == COLOUR):
        total += turn_value(g, t, seat, left)
    return total


@rule
def goods_value(g, t, seat, left):
    """Goods at hand. In the last round they are worth less, and after passing only their coins."""
    w = t.weights
    if left == 0.0 and g.passed[seat]:
        return np.float64(goods_vp(g, t, seat))
    bowls = g.bowls[seat]
    shallow = min(np.int64(bowls[2]), 6)
    power = w[BOWL_1] * bowls[0] + w[BOWL_2] * bowls[1] + w[BOWL_3] * shallow + w[DEEP] * (bowls[2] - shallow)
    goods = w[COIN_] * g.coins[seat] + w[WORKER_] * g.workers[seat] + w[PRIEST_] * g.priests[seat] + power
    return goods if left > 0.0 else goods_vp(g, t, seat) + w[LAST] * (goods - goods_vp(g, t, seat))


@rule
def stream_value(t, coins, workers, priests, power):
    """Goods of an income."""
    w = t.weights
    return w[COIN_] * coins + w[WORKER_] * workers + w[PRIEST_] * priests + w[BOWL_2] * 1.5 * power


@rule
def pieces_value(g, t, seat, left):
    """Income to come, structures, levels of shipping and digging, keys."""
    w = t.weights
    income = stream_value(
        t, income_of(g, t, seat, 0), income_of(g, t, seat, 1), income_of(g, t, seat, 2), income_of(g, t, seat, 3)
    )
    built = g.built[seat]
    total = income * w[INCOME] * left + w[KEY] * g.keys[seat]
    total += w[DWELLING] * built[D] + w[HOUSE] * built[TP] + w[TEMPLE] * built[TE] + w[SANCTUARY] * built[SA]
    total += built[SH] * (w[STRONGHOLD] + w[STRONGHOLD_ROUND] * left)
    levels = w[SHIPPING] * g.ship[seat] + w[DIGGING] * g.dig[seat]
    return total + levels * (1.0 + w[LEVEL_ROUND] * left) / (1.0 + w[LEVEL_ROUND] * 5.0)


@rule
def cult_value(g, t, seat):
    """Prizes as the tracks stand, steps, and what the scoring tiles of this and later rounds give for them."""
    w = t.weights
    total = 0.0
    for track in range(4):
        steps = np.int64(g.cult[seat, track])
        total += w[CULT_PRIZE] * cult_prizes(g, seat, track) * (0.4 + 0.06 * steps) + w[CULT_STEP] * steps
    for k in range(max(np.int64(g.round_number), 1) - 1, ROUNDS - 1):
        tile = np.int64(g.scoring[k])
        track, every = np.int64(t.score_cult[tile]), np.int64(t.score_every[tile])
        steps = np.float64(g.priests_away[seat]) if track < 0 else np.float64(g.cult[seat, track])
        reward = t.score_reward[tile]
        gain = stream_value(t, reward[0], reward[1], reward[2], reward[3]) + w[SPADE_] * reward[SPADE]
        near = min(steps / every, np.floor(steps / every) + 0.3) if every > 1 else steps
        total += 0.9 * gain * near
    return total


@rule
def tiles_value(g, t, seat, left):
    """Favor tiles, and the bonus card: the one in hand until passing, the best free one afterwards."""
    w = t.weights
    built, favors = g.built[seat], g.favors[seat]
    total = 0.0
    if favors[FAV5]:
        total += w[FAVOR_ROUND] * left * 0.8
    if favors[FAV6]:
        total += (left + (g.specials_used[seat, 2] == 0) * (not g.passed[seat])) * w[STEP_DUE]
    if favors[FAV10]:
        total += 2.0 * min(left, np.float64(PIECES[TP] - built[TP] + 1))
    if favors[FAV11]:
        total += 1.8 * min(left * 1.5, np.float64(PIECES[D] - built[D] + 1))
    if favors[FAV12]:
        total += np.float64(t.favor_pass[built[TP]]) * (left + 1.0 - g.passed[seat])
    return total + card_value(g, t, seat, left)


@rule
def card_value(g, t, seat, left):
    """The points a card in hand will give for passing, and the next one: chosen, or the best that lies free."""
    if g.card[seat] == NONE:
        return 0.0
    held = np.int64(g.card[seat])
    if g.passed[seat]:
        return card_worth(g, t, seat, held)
    total = np.float64(pass_points(g, t, seat, held)) + action_worth(g, t, seat, held)
    if left > 0.0:
        best = 0.0
        for card in range(g.card_place.shape[0]):
            if g.card_place[card] == FREE:
                best = max(best, card_worth(g, t, seat, card) + t.weights[COIN_] * g.card_coins[card])
        total += best + 0.05  # so that passing alone is no gain
    return total


@rule
def pass_points(g, t, seat, card):
    """Points of a card when passing with the structures that stand now."""
    points = 0
    for kind in range(1, 6):
        points += np.int64(t.bonus_pass[card, kind]) * np.int64(g.built[seat, kind])
    if t.skips[g.faction[seat]] == 0:
        points += np.int64(t.bonus_pass[card, 6]) * np.int64(g.ship[seat])
    return points


@rule
def action_worth(g, t, seat, card):
    """The special action of a card in hand that is not used yet."""
    if (card == BON1 and not g.specials_used[seat, 0]) or (card == BON2 and not g.specials_used[seat, 1]):
        return t.weights[CARD_ACTION]
    return 0.0


@rule
def card_worth(g, t, seat, card):
    """What a card brings that is taken now: income, action, points."""
    c = t.bonus_income[card]
    worth = stream_value(t, c[0], c[1], c[2], c[3]) + 0.9 * pass_points(g, t, seat, card)
    if card == BON1 or card == BON2:
        worth += t.weights[CARD_ACTION]
    return worth


@rule
def map_value(g, t, seat, left):
    """The largest area, groups that grow towards a town, and room to expand."""
    w = t.weights
    room = 0
    for k in range(2):
        word = (g.near[seat, k] | g.far[seat, 0, k]) & ~g.taken[k]
        while word != ZERO:
            room += 1
            word = without_lowest(word)
    return w[AREA] * largest_area(g, t, seat) + town_outlook(g, t, seat) + w[REACH] * min(room, 14) * (left + 1.0) / 6.0


@rule
def town_outlook(g, t, seat):
    """Groups outside towns, by how near they are to founding one."""
    w = t.weights
    needed = 6.0 if g.favors[seat, FAV5] else 7.0
    low, high = g.own[seat, 0] & ~g.in_town[seat, 0], g.own[seat, 1] & ~g.in_town[seat, 1]
    total = 0.0
    while low != ZERO or high != ZERO:
        first, second = (low & (~low + ONE), ZERO) if low != ZERO else (ZERO, high & (~high + ONE))
        group_low, group_high = group_of(g, t, seat, first, second, linking_rivers(g, seat))
        power = min(group_power(g, group_low, group_high) / needed, 1.0)
        total += w[TOWN_NEAR] * power * power
        low, high = low & ~group_low, high & ~group_high
    return total


@rule
def group_power(g, low, high):
    """Power value of the structures of a set."""
    total = 0
    while low != ZERO:
        total += POWER_VALUE[g.building[lowest(low)]]
        low = without_lowest(low)
    while high != ZERO:
        total += POWER_VALUE[g.building[64 + lowest(high)]]
        high = without_lowest(high)
    return total


# ---------------------------------------------------------------------------------------------------- the turn


@rule
def turn_value(g, t, seat, left):
    """What a half-done action will still bring."""
    w = t.weights
    total = w[FAVOR_DUE] * g.favors_due + w[TOWN_DUE] * g.towns_due + w[STEP_DUE] * g.steps_due
    total += w[BRIDGE_DUE] * g.bridge_due + w[HOUSE_DUE] * g.free_house
    if g.free_dwelling:
        total += dwelling_worth(g, t, seat, left)
    if g.priests_due:
        total += 0.5
    if g.spade_use == SANDSTORM and g.first == NONE:
        total += w[SITE] + w[SPADE_]
    if g.decision == COLOUR:
        total += aim_value(g, t, seat, left)
    else:
        total += w[SPADE_] * 0.8 * g.spades
        if g.sites[0] | g.sites[1] != ZERO and not g.free_dwelling:
            total += w[SITE] + (dwelling_gain(g, t, seat, left) if can_build(g, t, seat) else 0.0)
    return total


@rule
def can_build(g, t, seat):
    """Whether a dwelling is left and paid for."""
    return g.built[seat, D] < PIECES[D] and affordable(g, seat, t.cost[g.faction[seat], D])


@rule
def dwelling_worth(g, t, seat, left):
    """What a dwelling brings: its points now, its income, its place."""
    w = t.weights
    points = np.float64(t.score_vp[g.scoring[max(np.int64(g.round_number), 1) - 1], D])
    if g.favors[seat, FAV11]:
        points += 2.0
    return points + w[WORKER_] * w[INCOME] * left + w[DWELLING] + w[AREA] + 0.5


@rule
def dwelling_gain(g, t, seat, left):
    """The same less its price."""
    cost = t.cost[g.faction[seat], D]
    w = t.weights
    price = w[COIN_] * cost[0] + w[WORKER_] * cost[1] + w[PRIEST_] * cost[2]
    share = 1.0 if left > 0.0 else w[LAST]
    return max(dwelling_worth(g, t, seat, left) - share * price, 0.0)


@rule
def aim_value(g, t, seat, left):
    """A space that waits for its colour: what it will cost to make it one's own, and what it is good for then."""
    w = t.weights
    steps = distance(g, t, seat, np.int64(g.target), np.int64(t.home[g.faction[seat]]))
    bought = max(steps - np.int64(g.spades), 0)
    cost = t.spade_cost[g.faction[seat], g.dig[seat]]
    price = w[WORKER_] * cost[WORKER] + w[PRIEST_] * cost[PRIEST]
    share = 1.0 if left > 0.0 else w[LAST]
    workers = np.int64(g.workers[seat]) - bought * np.int64(cost[WORKER])
    priests = np.int64(g.priests[seat]) - bought * np.int64(cost[PRIEST])
    if workers < 0 or priests < 0:
        return 0.3 - share * price
    dwelling = t.cost[g.faction[seat], D]
    built = g.built[seat, D] < PIECES[D] and g.coins[seat] >= dwelling[0] and workers >= dwelling[1]
    points = bought * np.float64(t.score_vp[g.scoring[g.round_number - 1], SCORE_SPADE])
    return points + w[SITE] - share * price * bought + (dwelling_gain(g, t, seat, left) if built else 0.0)
