"""A value of a position: points, and what goods, income, tiles and half-done actions are still worth.

The weights are victory points. They were tuned by playing greedy players against each other.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import S_BON1, S_BON2, S_FAV6
from theogony.envs.terra_mystica.components import (
    BON1,
    BON2,
    FAV5,
    FAV6,
    FAV10,
    FAV11,
    FAV12,
    ROUNDS,
    SA,
    SH,
    SPADE,
    TE,
    TP,
    WHEEL,
    D,
)  # fmt: skip
from theogony.envs.terra_mystica.heuristic.half_done import turn_value
from theogony.envs.terra_mystica.heuristic.weights import (
    AREA,
    BOWL_2,
    BOWL_3,
    CARD_ACTION,
    CARD_POINTS,
    COIN_,
    CULT_BONUS,
    CULT_HIGH,
    CULT_PRIZE,
    CULT_STEP,
    DEEP,
    DIGGING,
    DWELLING,
    FACTION,
    FAVOR_DWELLING,
    FAVOR_HOUSE,
    FAVOR_TOWN,
    HOUSE,
    KEY,
    LEVEL_ROUND,
    NEIGHBOUR,
    PRIEST_,
    ROOM,
    SANCTUARY,
    SHIPPING,
    SITE,
    SPADE_,
    STEP_DUE,
    STRONGHOLD,
    STRONGHOLD_ROUND,
    TEMPLE,
    TOKEN,
    TOWN_COUNT,
    TOWN_POWER,
    WORKER_,
    incomes,
    share_of,
)
from theogony.envs.terra_mystica.rules.bits import ONE, ZERO
from theogony.envs.terra_mystica.rules.building import PIECES, value_of
from theogony.envs.terra_mystica.rules.reach import reached
from theogony.envs.terra_mystica.rules.rounds import income_of
from theogony.envs.terra_mystica.rules.scoring import count_bits, cult_prize, goods_vp, largest_area
from theogony.envs.terra_mystica.rules.towns import group_of, linking_rivers
from theogony.envs.terra_mystica.state import COLOUR, FREE, NONE, TURN

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
    if g.round_number == 0 and g.built[seat, D] == 0:
        return faction
    left = np.float64(ROUNDS - g.round_number)
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
    total += w[DWELLING] * built[D] + w[HOUSE] * built[TP] + w[TEMPLE] * built[TE] + w[SANCTUARY] * built[SA]
    total += built[SH] * (w[STRONGHOLD] + w[STRONGHOLD_ROUND] * left)
    levels = w[SHIPPING] * g.ship[seat] + w[DIGGING] * g.dig[seat]
    return total + levels * (1.0 + w[LEVEL_ROUND] * left)


@rule
def cult_value(g, t, seat):
    """Prizes as the tracks stand, steps, and what the scoring tiles of this and later rounds give for them."""
    w = t.weights
    total = 0.0
    for track in range(4):
        steps = np.int64(g.cult[seat, track])
        total += cult_prize(g, seat, track) * (w[CULT_PRIZE] + w[CULT_HIGH] * steps) + w[CULT_STEP] * steps
    for k in range(max(np.int64(g.round_number), 1) - 1, ROUNDS - 1):
        tile = np.int64(g.scoring[k])
        track, every = np.int64(t.score_cult[tile]), np.int64(t.score_every[tile])
        steps = np.float64(g.priests_away[seat]) if track < 0 else np.float64(g.cult[seat, track])
        reward = t.score_reward[tile]
        gain = stream_value(t, reward) + w[SPADE_] * reward[SPADE]
        near = min(steps / every, np.floor(steps / every) + 0.3) if every > 1 else steps
        total += w[CULT_BONUS] * gain * near
    return total


@rule
def tiles_value(g, t, seat, left):
    """Favor tiles, and the bonus card: the one in hand until passing, the best free one afterwards."""
    w = t.weights
    built, favors = g.built[seat], g.favors[seat]
    total = 0.0
    if favors[FAV5]:
        total += w[FAVOR_TOWN] * left
    if favors[FAV6]:
        total += (left + (g.specials_used[seat, S_FAV6] == 0) * (not g.passed[seat])) * w[STEP_DUE]
    if favors[FAV10]:
        total += w[FAVOR_HOUSE] * min(left, np.float64(PIECES[TP] - built[TP] + 1))
    if favors[FAV11]:
        total += w[FAVOR_DWELLING] * min(left, np.float64(PIECES[D] - built[D] + 1))
    if favors[FAV12]:
        total += np.float64(t.favor_pass[built[TP]]) * (left + 1.0 - g.passed[seat])
    return total + card_value(g, t, seat)


@rule
def card_value(g, t, seat):
    """The points a card in hand will give for passing, and its action; after passing all that it will bring."""
    if g.card[seat] == NONE:
        return 0.0
    held = np.int64(g.card[seat])
    if g.passed[seat]:
        return card_worth(g, t, seat, held)
    return np.float64(pass_points(g, t, seat, held)) + action_worth(g, t, seat, held)


@rule
def next_card(g, t, seat):
    """The best card that lies free, for a seat that has still to pass: so passing alone is no gain."""
    if g.over != 0 or g.card[seat] == NONE or g.passed[seat] or g.round_number == ROUNDS:
        return 0.0
    best = 0.0
    for card in range(g.card_place.shape[0]):
        if g.card_place[card] == FREE:
            best = max(best, card_worth(g, t, seat, card) + t.weights[COIN_] * g.card_coins[card])
    return best + 0.05


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
    if (card == BON1 and not g.specials_used[seat, S_BON1]) or (card == BON2 and not g.specials_used[seat, S_BON2]):
        return t.weights[CARD_ACTION]
    return 0.0


@rule
def card_worth(g, t, seat, card):
    """What a card brings that is taken now: income, action, points."""
    worth = stream_value(t, t.bonus_income[card]) + t.weights[CARD_POINTS] * pass_points(g, t, seat, card)
    if card == BON1 or card == BON2:
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
        total += t.weights[SITE + WHEEL[colour, home]] * spaces
    return total


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
        power = min(value_of(g, group_low, group_high) / needed, 1.0)
        count = min((count_bits(group_low) + count_bits(group_high)) / 4.0, 1.0)
        total += w[TOWN_POWER] * power * power + w[TOWN_COUNT] * count * count
        low, high = low & ~group_low, high & ~group_high
    return total
