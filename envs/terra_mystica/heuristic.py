"""A value of a position: points, and what goods, income, tiles and half-done actions are still worth.

The weights are victory points. They were tuned by playing greedy players against each other.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica import components
from theogony.envs.terra_mystica.rules.actions import S_BON1, S_BON2, S_FAV6
from theogony.envs.terra_mystica.rules.bits import ONE, ZERO, split
from theogony.envs.terra_mystica.rules.building import PIECES, value_of
from theogony.envs.terra_mystica.rules.reach import may_top_up, reached
from theogony.envs.terra_mystica.rules.rounds import card_points, income_of
from theogony.envs.terra_mystica.rules.scoring import CULT, count_bits, goods_vp, largest_area, prize
from theogony.envs.terra_mystica.rules.targets import distance, open_targets
from theogony.envs.terra_mystica.rules.towns import group_of, linking_rivers
from theogony.envs.terra_mystica.state import COLOUR, FREE, NONE, PHASE_SPADES, SANDSTORM, TURN

WEIGHTS: list[float] = []  # as rules find them in `t.weights`


def weight(*values: float) -> int:
    """Put weights into the table. Returns the place of the first, by which rules name them."""
    WEIGHTS.extend(values)
    return len(WEIGHTS) - len(values)


COIN_ = weight(0.285)  # of goods to come; these four in the order of goods
WORKER_ = weight(0.488)
PRIEST_ = weight(1.53)
POWER_ = weight(0.0697)
TOKEN = weight(0.0345)  # a token of power that is not burned, for each round
BOWL_2 = weight(0.0864)  # power at hand
BOWL_3 = weight(0.401)
DEEP = weight(0.161)  # in bowl III beyond the sixth
EARLY = weight(0.258)  # how much more goods are worth for each round that is left
LAST = weight(0.11)  # and in the last round, as a share
INCOME = weight(0.981)  # income of a later round, as a share of the goods
DWELLING = weight(1.7)  # structures
HOUSE = weight(3.41)
TEMPLE = weight(2.39)
STRONGHOLD = weight(3.19)
SANCTUARY = weight(3.62)
STRONGHOLD_ROUND = weight(1.4)  # a stronghold's power, for each round
AREA = weight(0.536)  # a structure of the largest area
TOWN_POWER = weight(6.94)  # groups on the way to a town
TOWN_COUNT = weight(3.62)
SITE = weight(0.803, 0.379, 0.217, 0.0413)  # a space in reach, by its distance from the own colour
ROOM = weight(14.6)  # sites beyond this are worth half
NEIGHBOUR = weight(0.242)  # a structure of others beside one's own
SPADE_ = weight(1.59)
SHIPPING = weight(0.613)
DIGGING = weight(2.88)
LEVEL_ROUND = weight(0.661)  # of these two, for each round
CULT_STEP = weight(0.217)
CULT_PRIZE = weight(0.12)  # of the prizes as the tracks stand, more for each step
CULT_HIGH = weight(0.0351)
CULT_BONUS = weight(1.38)  # of what the scoring tiles will give for steps
KEY = weight(0.734)
FAVOR_DUE = weight(4.72)  # what an action still brings
TOWN_DUE = weight(12.8)
STEP_DUE = weight(0.958)
BRIDGE_DUE = weight(1.03)
HOUSE_DUE = weight(2.94)
FAVOR_TOWN = weight(1.01)  # FAV5, FAV10 and FAV11, for each round
FAVOR_HOUSE = weight(2.54)
FAVOR_DWELLING = weight(3.52)
CARD_ACTION = weight(1.0)
CARD_POINTS = weight(0.526)
FACTION = weight(  # points that greedy players make with a faction, above or below the mean; in the order of the names
    -18.0, 1.0, -7.0, 8.0, 18.0, 6.0, -12.0, -1.0, -11.0, 10.0, -3.0, -1.0, 6.0, 5.0,
)  # fmt: skip


@rule
def share_of(t, left):
    """What goods are worth now, compared with their weights: more early, less in the last round."""
    return 1.0 + t.weights[EARLY] * (left - 1.0) if left > 0.0 else t.weights[LAST]


@rule
def incomes(t, left):
    """How often an income will still come, later ones being worth less."""
    return t.weights[INCOME] * (left + t.weights[EARLY] * 0.5 * (left - 1.0) * (left - 2.0))


# ---- What an action that is half done will still bring its player, for the heuristic -----------------------------


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
    elif g.sites[0] | g.sites[1] != ZERO and g.built[seat, components.D] < PIECES[components.D]:
        total += dwelling_gain(g, t, seat, left, np.int64(g.workers[seat]), np.int64(g.priests[seat]))
    if g.spades > 0 or g.spade_use == SANDSTORM:
        total += best_aim(g, t, seat, left)
    return total


@rule
def dwelling_worth(g, t, seat, left):
    """What a dwelling brings: its points now, its income, its place."""
    w = t.weights
    points = np.float64(t.score_vp[g.scoring[max(np.int64(g.round_number), 1) - 1], components.D])
    if g.favors[seat, components.FAV11]:
        points += 2.0
    return points + w[WORKER_] * incomes(t, left) + w[DWELLING] + w[AREA]


@rule
def dwelling_gain(g, t, seat, left, workers, priests):
    """What a dwelling brings less its price; nothing when it cannot be paid, with power for coins that are short."""
    cost = t.cost[g.faction[seat], components.D]
    w = t.weights
    if (
        workers < cost[components.WORKER]
        or priests < cost[components.PRIEST]
        or g.coins[seat] + g.bowls[seat, 2] < cost[components.COIN]
    ):
        return 0.0
    price = (
        w[COIN_] * cost[components.COIN] + w[WORKER_] * cost[components.WORKER] + w[PRIEST_] * cost[components.PRIEST]
    )
    return max(dwelling_worth(g, t, seat, left) - share_of(t, left) * price, 0.0)


@rule
def best_aim(g, t, seat, left):
    """The best space for spades at hand: exactly what aiming at it will be worth, so that nothing is put off."""
    low, high = open_targets(g, t, seat)
    best = 0.0
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        best = max(best, aim_value(g, t, seat, space, left))
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
    workers = np.int64(g.workers[seat]) - bought * np.int64(cost[components.WORKER])
    priests = np.int64(g.priests[seat]) - bought * np.int64(cost[components.PRIEST])
    if bought > 0 and (workers < 0 or priests < 0 or not may_top_up(g, t, space)):
        return nearer_value(g, t, seat, space, left)
    price = (w[WORKER_] * cost[components.WORKER] + w[PRIEST_] * cost[components.PRIEST]) * share_of(t, left)
    points = np.float64(t.score_vp[g.scoring[g.round_number - 1], components.SCORE_SPADE])
    if f == components.HALFLINGS or f == components.DARKLINGS:
        points += 1.0 if f == components.HALFLINGS else 2.0
    total = (points - price) * bought + (w[SITE] - w[SITE + min(steps, 3)]) * (left + 1.0) / 6.0
    if g.spade_use != PHASE_SPADES:
        total += dwelling_gain(g, t, seat, left, workers, priests)
    return max(total, nearer_value(g, t, seat, space, left)) if free > 0 else total


# ---- A value of a position: points, and what goods, income, tiles and half-done actions are still worth ----------

PAR = 100.0  # points that a middling player makes


@rule
def value(g, t, seat):
    """The margin to the best other seat in prospective points, over the scale of margins."""
    own, best = 0.0, -1000.0
    for other in range(np.int64(g.players)):
        points = prospect(g, t, other)
        if other == seat:
            own = points + next_card(g, t, seat)
        else:
            best = max(best, points)
    return (own - best) / t.scale


@rule
def outlook(g, t, seat):
    """Prospective points of a seat alone, beyond those of a middling player, over the scale of margins."""
    return (prospect(g, t, seat) + next_card(g, t, seat) - PAR) / t.scale


@rule
def prospect(g, t, seat):
    """Points of a seat, and the points that what it has will bring."""
    if g.over != 0 or g.faction[seat] == NONE:
        return np.float64(g.vp[seat])
    faction = t.weights[FACTION + np.int64(g.faction[seat])]
    if g.round_number == 0 and g.built[seat, components.D] == 0:
        return faction
    left = np.float64(components.ROUNDS - g.round_number)
    total = faction + np.float64(g.vp[seat]) + goods_value(g, t, seat, left) + pieces_value(g, t, seat, left)
    total += cult_value(g, t, seat) + tiles_value(g, t, seat, left) + map_value(g, t, seat, left)
    if g.actor == seat and (g.decision == TURN or g.decision == COLOUR):
        total += turn_value(g, t, seat, left)
    return total


@rule
def goods_value(g, t, seat, left):
    """Goods at hand. In the last round they are worth less, and after passing only their coins."""
    w = t.weights
    final = np.float64(goods_vp(g, seat)) if left == 0.0 else 0.0
    if left == 0.0 and g.passed[seat]:
        return final
    bowls = g.bowls[seat]
    shallow = min(np.int64(bowls[2]), 6)
    power = w[BOWL_2] * bowls[1] + w[BOWL_3] * shallow + w[DEEP] * (bowls[2] - shallow)
    power += w[TOKEN] * left * (bowls[0] + bowls[1] + bowls[2])  # what is burned is gone for all rounds
    goods = w[COIN_] * g.coins[seat] + w[WORKER_] * g.workers[seat] + w[PRIEST_] * g.priests[seat] + power
    return goods * share_of(t, left) + 0.5 * final


@rule
def stream_value(t, goods):
    """Goods of an income."""
    total = 0.0
    for good in range(4):
        total += t.weights[good] * goods[good]
    return total


@rule
def pieces_value(g, t, seat, left):
    """Income to come, structures, levels of shipping and digging, keys."""
    w = t.weights
    income = 0.0
    for good in range(4):
        income += w[good] * income_of(g, t, seat, good)
    built = g.built[seat]
    total = income * incomes(t, left) + w[KEY] * g.keys[seat]
    total += (
        w[DWELLING] * built[components.D]
        + w[HOUSE] * built[components.TP]
        + w[TEMPLE] * built[components.TE]
        + w[SANCTUARY] * built[components.SA]
    )
    total += built[components.SH] * (w[STRONGHOLD] + w[STRONGHOLD_ROUND] * left)
    levels = w[SHIPPING] * g.ship[seat] + w[DIGGING] * g.dig[seat]
    return total + levels * (1.0 + w[LEVEL_ROUND] * left)


@rule
def cult_value(g, t, seat):
    """Prizes as the tracks stand, steps, and what the scoring tiles of this and later rounds give for them."""
    w = t.weights
    total = 0.0
    for track in range(4):
        steps = np.int64(g.cult[seat, track])
        total += prize(g, CULT, g.cult[:, track], seat) * (w[CULT_PRIZE] + w[CULT_HIGH] * steps) + w[CULT_STEP] * steps
    for k in range(max(np.int64(g.round_number), 1) - 1, components.ROUNDS - 1):
        tile = np.int64(g.scoring[k])
        track, every = np.int64(t.score_cult[tile]), np.int64(t.score_every[tile])
        steps = np.float64(g.priests_away[seat]) if track < 0 else np.float64(g.cult[seat, track])
        reward = t.score_reward[tile]
        gain = stream_value(t, reward) + w[SPADE_] * reward[components.SPADE]
        near = min(steps / every, np.floor(steps / every) + 0.3) if every > 1 else steps
        total += w[CULT_BONUS] * gain * near
    return total


@rule
def tiles_value(g, t, seat, left):
    """Favor tiles, and the bonus card: the one in hand until passing, the best free one afterwards."""
    w = t.weights
    built, favors = g.built[seat], g.favors[seat]
    total = 0.0
    if favors[components.FAV5]:
        total += w[FAVOR_TOWN] * left
    if favors[components.FAV6]:
        total += (left + (g.specials_used[seat, S_FAV6] == 0) * (not g.passed[seat])) * w[STEP_DUE]
    if favors[components.FAV10]:
        total += w[FAVOR_HOUSE] * min(left, np.float64(PIECES[components.TP] - built[components.TP] + 1))
    if favors[components.FAV11]:
        total += w[FAVOR_DWELLING] * min(left, np.float64(PIECES[components.D] - built[components.D] + 1))
    if favors[components.FAV12]:
        total += np.float64(t.favor_pass[built[components.TP]]) * (left + 1.0 - g.passed[seat])
    return total + card_value(g, t, seat)


@rule
def card_value(g, t, seat):
    """The points a card in hand will give for passing, and its action; after passing all that it will bring."""
    if g.card[seat] == NONE:
        return 0.0
    held = np.int64(g.card[seat])
    if g.passed[seat]:
        return card_worth(g, t, seat, held)
    return np.float64(card_points(g, t, seat, held)) + action_worth(g, t, seat, held)


@rule
def next_card(g, t, seat):
    """The best card that lies free, for a seat that has still to pass: so passing alone is no gain."""
    if g.over != 0 or g.card[seat] == NONE or g.passed[seat] or g.round_number == components.ROUNDS:
        return 0.0
    best = 0.0
    for card in range(g.card_place.shape[0]):
        if g.card_place[card] == FREE:
            best = max(best, card_worth(g, t, seat, card) + t.weights[COIN_] * g.card_coins[card])
    return best + 0.05


@rule
def action_worth(g, t, seat, card):
    """The special action of a card in hand that is not used yet."""
    if (card == components.BON1 and not g.specials_used[seat, S_BON1]) or (
        card == components.BON2 and not g.specials_used[seat, S_BON2]
    ):
        return t.weights[CARD_ACTION]
    return 0.0


@rule
def card_worth(g, t, seat, card):
    """What a card brings that is taken now: income, action, points."""
    worth = stream_value(t, t.bonus_income[card]) + t.weights[CARD_POINTS] * card_points(g, t, seat, card)
    if card == components.BON1 or card == components.BON2:
        worth += t.weights[CARD_ACTION]
    return worth


@rule
def map_value(g, t, seat, left):
    """The largest area, groups that grow towards a town, room to expand, and neighbours to draw power from."""
    w = t.weights
    room = room_of(g, t, seat)
    room = min(room, w[ROOM]) + 0.5 * max(room - w[ROOM], 0.0)
    neighbours = count_bits(g.near[seat, 0] & g.taken[0] & ~g.own[seat, 0])
    neighbours += count_bits(g.near[seat, 1] & g.taken[1] & ~g.own[seat, 1])
    total = w[AREA] * largest_area(g, t, seat) + town_outlook(g, t, seat)
    return total + (room + w[NEIGHBOUR] * neighbours) * (left + 1.0) / 6.0


@rule
def room_of(g, t, seat):
    """The free spaces in reach, each with the weight of its distance from the own colour."""
    low, high = reached(g, t, seat)
    if t.skips[g.faction[seat]]:
        low, high = low | g.far[seat, 0, 0] & ~g.taken[0], high | g.far[seat, 0, 1] & ~g.taken[1]
    total, home = 0.0, np.int64(t.home[g.faction[seat]])
    for colour in range(7):
        spaces = count_bits(low & g.colour[colour, 0]) + count_bits(high & g.colour[colour, 1])
        total += t.weights[SITE + components.WHEEL[colour, home]] * spaces
    return total


@rule
def town_outlook(g, t, seat):
    """Groups outside towns, by how near they are to founding one."""
    w = t.weights
    needed = 6.0 if g.favors[seat, components.FAV5] else 7.0
    low, high = g.own[seat, 0] & ~g.in_town[seat, 0], g.own[seat, 1] & ~g.in_town[seat, 1]
    total = 0.0
    while low != ZERO or high != ZERO:
        first, second = (low & (~low + ONE), ZERO) if low != ZERO else (ZERO, high & (~high + ONE))
        group_low, group_high = group_of(g, t, seat, first, second, linking_rivers(g, seat))
        power = min(value_of(g, group_low, group_high) / needed, 1.0)
        count = min((count_bits(group_low) + count_bits(group_high)) / 4.0, 1.0)
        total += w[TOWN_POWER] * power * power + w[TOWN_COUNT] * count * count
        low, high = low & ~group_low, high & ~group_high
    return total
