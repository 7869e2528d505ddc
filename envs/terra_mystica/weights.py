"""What the heuristic counts, in victory points, and how much more goods are worth early."""

from __future__ import annotations

from theogony.envs.core.jit import rule

WEIGHTS = {
    "coin": 0.285, "worker": 0.488, "priest": 1.53, "power": 0.0697,  # of goods to come; in this order, as goods are
    "token": 0.0345, "bowl_2": 0.0864, "bowl_3": 0.401, "deep_power": 0.161,
    "early": 0.258,  # how much more goods are worth for each round that is left
    "last_goods": 0.11,  # and in the last round, as a share
    "income": 0.981,  # income of a later round, as a share of the goods
    "dwelling": 1.7, "trading_house": 3.41, "temple": 2.39, "stronghold": 3.19, "sanctuary": 3.62,
    "stronghold_round": 1.4,  # a stronghold's power, for each round
    "area": 0.536, "town_power": 6.94, "town_count": 3.62,
    "site_0": 0.803, "site_1": 0.379, "site_2": 0.217, "site_3": 0.0413,  # room: spaces in reach, by their distance
    "room": 14.6,  # sites beyond this are worth half
    "neighbour": 0.242, "spade": 1.59,
    "shipping": 0.613, "digging": 2.88, "level_round": 0.661,
    "cult_step": 0.217, "cult_prize": 0.12, "cult_high": 0.0351, "cult_bonus": 1.38, "key": 0.734,
    "favor_due": 4.72, "town_due": 12.8, "step_due": 0.958, "bridge_due": 1.03, "house_due": 2.94,
    "favor_town": 1.01, "favor_house": 2.54, "favor_dwelling": 3.52, "card_action": 1.0, "card_points": 0.526,
    # points that greedy players make with a faction, above or below the mean
    "alchemists": -18.0, "auren": 1.0, "chaosmagicians": -7.0, "cultists": 8.0, "darklings": 18.0, "dwarves": 6.0,
    "engineers": -12.0, "fakirs": -1.0, "giants": -11.0, "halflings": 10.0, "mermaids": -3.0, "nomads": -1.0,
    "swarmlings": 6.0, "witches": 5.0,
}  # fmt: skip
NAMES = list(WEIGHTS)
(COIN_, WORKER_, PRIEST_, POWER_, TOKEN, BOWL_2, BOWL_3, DEEP, EARLY, LAST, INCOME, DWELLING, HOUSE, TEMPLE,
 STRONGHOLD, SANCTUARY, STRONGHOLD_ROUND, AREA, TOWN_POWER, TOWN_COUNT, SITE, SITE_1, SITE_2, SITE_3, ROOM,
 NEIGHBOUR, SPADE_, SHIPPING, DIGGING, LEVEL_ROUND, CULT_STEP, CULT_PRIZE, CULT_HIGH, CULT_BONUS, KEY,
 FAVOR_DUE, TOWN_DUE, STEP_DUE, BRIDGE_DUE, HOUSE_DUE, FAVOR_TOWN, FAVOR_HOUSE, FAVOR_DWELLING, CARD_ACTION,
 CARD_POINTS,
 FACTION) = range(len(NAMES) - 13)  # fmt: skip


@rule
def share_of(t, left):
    """What goods are worth now, compared with their weights: more early, less in the last round."""
    return 1.0 + t.weights[EARLY] * (left - 1.0) if left > 0.0 else t.weights[LAST]


@rule
def incomes(t, left):
    """How often an income will still come, later ones being worth less."""
    return t.weights[INCOME] * (left + t.weights[EARLY] * 0.5 * (left - 1.0) * (left - 2.0))
