"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field.

Everything lies open on the table, so all seats see the same; fields by space are in the order of the codec.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout, row_of
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array, write_bits
from theogony.envs.terra_mystica.components import (
    BRIDGES,
    LAND,
    LIMITS,
    NO_STRUCTURE,
    POWER_VALUE,
    PRIESTS,
    RIVER,
    ROUNDS,
    SA,
    SITES,
    TOP,
    TP,
    WHEEL,
)
from theogony.envs.terra_mystica.rules.bits import ZERO, lowest, mark, split, without_lowest
from theogony.envs.terra_mystica.rules.legal import can_take
from theogony.envs.terra_mystica.rules.reach import neighbours
from theogony.envs.terra_mystica.rules.towns import group_of, linking_rivers
from theogony.envs.terra_mystica.state import DECISIONS, FREE, LEECH, NONE, NOT_IN_GAME

# scales
COINS, WORKERS, POINTS, INCOME, OFFER, BOWL, KEYS, SPADES = 40, 20, 200, 20, 10, 12, 4, 3
CARD_COINS, TOWN_COPIES, FAVOR_COPIES = 6, 2, 3
LEVELS = (6, 2)  # shipping, digging
DUES = (2, 2, 2, 1, 1, 1, 3, 1, 1)
GROUP, COST, SCORED, EVERY, REWARD_GOODS = (7, 4, 1), (8, 4, 2), 5, 4, 4
PRICED = ("D", "TP", "TE", "SH", "SA", "a TP without neighbours", "a spade", "shipping", "digging")
LONE_HOUSE, A_SPADE, SHIPPING, DIGGING = range(5, 9)

LANE = np.uint64(0xFFFF)
NO_HOME = len(WHEEL)
STEPS = np.vstack([WHEEL, np.zeros_like(WHEEL[:1])]).astype(np.uint8)  # [home, colour]: spades; none without a home


def layout(players: int) -> FeatureLayout:
    """The features for a player count."""
    seats = (players,)
    return FeatureLayout(
        Feature("decision", (len(DECISIONS),), f"kind of the decision that is due: {', '.join(DECISIONS)}"),
        Feature("actor", seats, "who decides"),
        Feature("turn", seats, "whose turn it is"),
        Feature("round_number", (ROUNDS + 1,), "0 during setup, then the round"),
        Feature("place", (players, players), "place of each seat in turn order"),
        Feature("next_place", (players, players), "place of each seat among those that have passed"),
        Feature("scoring", (ROUNDS, 9), "scoring tile of each round"),
        Feature("cards", (10, 2 + players), "each bonus card: not in the game, free, or the seat that holds it"),
        Feature("card_coins", (10,), "coins on each bonus card", scale=CARD_COINS),
        Feature("town_supply", (8,), "copies of each town tile in the supply", scale=TOWN_COPIES),
        Feature("favor_supply", (12,), "copies of each favor tile in the supply", scale=FAVOR_COPIES),
        Feature("power_used", (6,), "power actions taken this round"),
        Feature("spots", (4, 4, players), "whose priest stands on the 3, 2, 2, 2 spaces of each cult"),
        Feature("terrain", (LAND, 7), "colour of each space, in the order of the wheel"),
        Feature("structure", (LAND, 5), "structure on each space: D, TP, TE, SH, SA"),
        Feature("owner", (LAND, players), "whose structure it is"),
        Feature("in_town", (LAND,), "spaces that belong to a town"),
        Feature("spades_needed", (LAND,), "spades from a free space's colour to the observer's", scale=3),
        Feature("reach", (players, LAND), "spaces a seat touches or reaches by ship, tunnel or carpet"),
        Feature("bridges", (SITES, players), "whose bridge stands on each site"),
        Feature("river_towns", (RIVER,), "river spaces with a town tile of the Mermaids"),
        Feature("river_sites", (RIVER,), "river spaces over which they could found a town"),
        Feature("faction", (players, 14), "faction of each seat"),
        Feature("passed", seats, "who has passed"),
        Feature("points", seats, "victory points", scale=POINTS),
        Feature("coins", seats, "coins", scale=COINS),
        Feature("workers", seats, "workers", scale=WORKERS),
        Feature("priests", (players, 2), "priests at hand and on the cult board", scale=PRIESTS),
        Feature("bowls", (players, 3), "power in each bowl", scale=BOWL),
        Feature("income", (players, 4), "next income of coins, workers, priests, power without a card", scale=INCOME),
        Feature("cult", (players, 4), "place on each cult track", scale=TOP),
        Feature("keys", seats, "unused keys", scale=KEYS),
        Feature("levels", (players, 2), "shipping (or spaces that may be skipped) and digging", scale=LEVELS),
        Feature("built", (players, 5), "share of each kind of structure that stands on the map", scale=LIMITS[1:]),
        Feature("bridges_left", seats, "bridges left", scale=BRIDGES),
        Feature("favors", (players, 12), "favor tiles"),
        Feature("towns", (players, 8), "town tiles", scale=TOWN_COPIES),
        Feature("specials_used", (players, 10), "special actions used this round"),
        Feature("spades_due", seats, "spades of the cult bonus still to be used", scale=4),
        Feature("offers", seats, "power offered to a seat and not yet answered", scale=OFFER),
        Feature("offer_gain", (1,), "power that the seat which decides would really gain", scale=OFFER),
        Feature("spades", (1,), "free spades at hand", scale=SPADES),
        Feature("spade_use", (5,), "what they are for: nothing, an action, a stronghold, the cult bonus, a sandstorm"),
        Feature("target", (LAND,), "space that is being transformed"),
        Feature("turned", (2,), "steps the first space of the action was turned, up and down the wheel", scale=3),
        Feature("sites", (LAND,), "spaces on which this action may still build a dwelling"),
        Feature("dues", (9,), "what the action still asks for: favor tiles, town tiles, cult steps, a bridge, a free "
                "trading house, a free dwelling, priests for workers, a choice of track, a second action", scale=DUES),
        Feature("stopped", (4,), "cult tracks where a step to 10 lacks a key"),
        Feature("group", (LAND, 3), "groups of the observer's structures outside towns, at each of its spaces and at "
                "each free one beside them: their power value, their number, and whether a town is there", 0, 3, GROUP),
        Feature("costs", (len(PRICED), 3), f"what the observer pays in coins, workers and priests: {', '.join(PRICED)}",
                0, 3, COST),
        Feature("scored", (7,), "points of the round's tile for a D, TP, TE, SH, SA, spade and town", 0, 3, SCORED),
        Feature("reward_for", (5,), "steps on each cult track, or priests, for a reward of the round", 0, 3, EVERY),
        Feature("reward", (5,), "that reward: coins, workers, priests, power, spades", 0, 3, REWARD_GOODS),
    )  # fmt: skip


@rule
def observe(g, t, seat, f):
    """The table as a seat sees it."""
    seat = np.int64(seat)
    f.decision[min(np.int64(g.decision), f.decision.shape[0] - 1)] = 1
    f.round_number[g.round_number] = 1
    for k in range(ROUNDS):
        f.scoring[k, g.scoring[k]] = 1
    observe_tiles(g, seat, f)
    observe_map(g, t, seat, f)
    observe_turn(g, t, f)
    for row in range(np.int64(g.players)):
        observe_seat(g, t, (seat + row) % np.int64(g.players), row, f)
    for k in range(np.int64(g.players)):
        f.place[row_of(g, seat, np.int64(g.order[k])), k] = 1
        if g.next_order[k] != NONE:
            f.next_place[row_of(g, seat, np.int64(g.next_order[k])), k] = 1
    f.actor[row_of(g, seat, np.int64(g.actor))] = 1
    f.turn[row_of(g, seat, np.int64(g.turn))] = 1
    for k in range(np.int64(g.offer_next), np.int64(g.offer_count)):
        row = row_of(g, seat, np.int64(g.offer_seat[k]))
        f.offers[row] = min(np.int64(f.offers[row]) + np.int64(g.offer_power[k]), OFFER)
    observe_round(g, t, f)
    if g.faction[seat] != NONE:
        observe_costs(g, t, seat, f.costs)
        observe_groups(g, t, seat, f.group)


@rule
def observe_tiles(g, seat, f):
    """Bonus cards, supplies, power actions and the cult board."""
    for card in range(g.card_place.shape[0]):
        place = np.int64(g.card_place[card])
        if place == NOT_IN_GAME:
            f.cards[card, 0] = 1
        elif place == FREE:
            f.cards[card, 1] = 1
        else:
            f.cards[card, 2 + row_of(g, seat, place)] = 1
        f.card_coins[card] = min(np.int64(g.card_coins[card]), CARD_COINS)
    copy_array(f.town_supply, g.town_supply)
    copy_array(f.favor_supply, g.favor_supply)
    copy_array(f.power_used, g.power_used)
    copy_array(f.stopped, g.stopped)
    for track in range(4):
        for spot in range(4):
            if g.spots[track, spot] != NONE:
                f.spots[track, spot, row_of(g, seat, np.int64(g.spots[track, spot]))] = 1


@rule
def observe_map(g, t, seat, f):
    """Spaces, bridges and the Mermaids' rivers."""
    home = np.int64(t.home[g.faction[seat]]) if g.faction[seat] != NONE else NO_HOME
    for space in range(LAND):
        colour, building = np.int64(g.terrain[space]), np.int64(g.building[space])
        f.terrain[space, colour] = 1
        if building != NO_STRUCTURE:
            f.structure[space, building - 1] = 1
        else:
            f.spades_needed[space] = STEPS[home, colour]
    for site in range(SITES):
        if g.bridge_owner[site] != NONE:
            f.bridges[site, row_of(g, seat, np.int64(g.bridge_owner[site]))] = 1
    mark(f.river_towns, 0, g.river_towns, ZERO)
    mark(f.river_sites, 0, g.river_sites, ZERO)


@rule
def observe_turn(g, t, f):
    """What the running turn is in the middle of."""
    f.spades[0] = min(np.int64(g.spades), SPADES)
    f.spade_use[g.spade_use] = 1
    if g.target != NONE:
        f.target[g.target] = 1
    f.turned[0] = max(np.int64(g.turned), 0)
    f.turned[1] = max(-np.int64(g.turned), 0)
    write_bits(f.sites, g.sites[0], g.sites[1])
    f.dues[0] = g.favors_due
    f.dues[1] = min(np.int64(g.towns_due), DUES[1])
    f.dues[2] = g.steps_due
    f.dues[3] = g.bridge_due
    f.dues[4] = g.free_house
    f.dues[5] = g.free_dwelling
    f.dues[6] = g.priests_due
    f.dues[7] = g.key_choice
    f.dues[8] = g.turns_left > 1
    if g.decision == LEECH:
        gained = can_take(g, t, np.int64(g.actor), np.int64(g.offer_power[g.offer_next]))
        f.offer_gain[0] = min(gained, OFFER)


@rule
def observe_seat(g, t, seat, row, f):
    """One seat: its faction board, goods, tiles, structures and reach."""
    f.passed[row] = g.passed[seat]
    f.points[row] = min(np.int64(g.vp[seat]), POINTS)
    f.coins[row] = min(np.int64(g.coins[seat]), COINS)
    f.workers[row] = min(np.int64(g.workers[seat]), WORKERS)
    f.priests[row, 0] = g.priests[seat]
    f.priests[row, 1] = g.priests_away[seat]
    copy_array(f.bowls[row], g.bowls[seat])
    copy_array(f.cult[row], g.cult[seat])
    f.keys[row] = min(np.int64(g.keys[seat]), KEYS)
    f.levels[row, 0] = g.ship[seat]
    f.levels[row, 1] = g.dig[seat]
    f.bridges_left[row] = g.bridges_left[seat]
    f.spades_due[row] = min(np.int64(g.spades_due[seat]), 4)
    if g.faction[seat] == NONE:
        return
    f.faction[row, g.faction[seat]] = 1
    observe_income(g, t, seat, f.income[row])
    observe_pieces(g, seat, row, f)


@rule
def observe_income(g, t, seat, row):
    """The next income without the bonus card; four goods are added up at once."""
    faction = np.int64(g.faction[seat])
    total = t.income_word[faction, 0, 0]
    for kind in range(1, 6):
        total += t.income_word[faction, kind, g.built[seat, kind]]
    for k in range(g.favors.shape[1]):
        if g.favors[seat, k]:
            total += t.favor_word[k]
    for good in range(4):
        row[good] = min(np.int64((total >> np.uint64(16 * good)) & LANE), INCOME)


@rule
def observe_pieces(g, seat, row, f):
    """Structures, tiles and reach of a seat."""
    for kind in range(1, 6):
        f.built[row, kind - 1] = g.built[seat, kind]
    copy_array(f.favors[row], g.favors[seat])
    for k in range(8):
        f.towns[row, k] = min(np.int64(g.towns[seat, k]), TOWN_COPIES)
    copy_array(f.specials_used[row], g.specials_used[seat])
    near, far = g.near[seat], g.far[seat, 0]
    write_bits(f.reach[row], near[0] | far[0], near[1] | far[1])
    mark(f.owner[:, row], 0, g.own[seat, 0], g.own[seat, 1])
    mark(f.in_town, 0, g.in_town[seat, 0], g.in_town[seat, 1])


# ------------------------------------------------------------------------- what actions would bring


@rule
def observe_round(g, t, f):
    """What the scoring tile of the round pays, or of the first round before it."""
    tile = np.int64(g.scoring[max(np.int64(g.round_number) - 1, 0)])
    for what in range(7):
        f.scored[what] = min(np.int64(t.score_vp[tile, what + 1]), 3 * SCORED)
    for good in range(5):
        f.reward[good] = min(np.int64(t.score_reward[tile, good]), 3 * REWARD_GOODS)
    f.reward_for[t.score_cult[tile] if t.score_cult[tile] != NONE else 4] = min(
        np.int64(t.score_every[tile]), 3 * EVERY
    )


@rule
def observe_costs(g, t, seat, rows):
    """What a seat pays for each thing of PRICED."""
    faction = np.int64(g.faction[seat])
    for kind in range(1, 6):
        write_cost(rows[kind - 1], t.cost[faction, kind])
    write_cost(rows[LONE_HOUSE], t.cost[faction, TP])
    rows[LONE_HOUSE, 0] = min(np.int64(t.lone_cost[faction]), 3 * COST[0])
    write_cost(rows[A_SPADE], t.spade_cost[faction, g.dig[seat]])
    if not t.skips[faction] and g.ship[seat] < t.ship_max[faction]:
        write_cost(rows[SHIPPING], t.ship_cost)
    if g.dig[seat] < t.dig_max[faction]:
        write_cost(rows[DIGGING], t.dig_cost[faction])


@rule
def write_cost(row, cost):
    """Coins, workers and priests of a cost."""
    for good in range(3):
        row[good] = min(np.int64(cost[good]), 3 * COST[good])


@rule
def observe_groups(g, t, seat, rows):
    """The groups of a seat at their own spaces, and at the free ones beside them, where several add up."""
    left_low, left_high = g.own[seat, 0], g.own[seat, 1]
    rivers = linking_rivers(g, seat)
    while left_low != ZERO or left_high != ZERO:
        start_low = left_low & ~without_lowest(left_low) if left_low != ZERO else ZERO
        start_high = left_high & ~without_lowest(left_high) if left_low == ZERO else ZERO
        low, high = group_of(g, t, seat, start_low, start_high, rivers)
        left_low, left_high = left_low & ~low, left_high & ~high
        town = g.in_town[seat, 0] & low != ZERO or g.in_town[seat, 1] & high != ZERO
        value, number, near_low, near_high = measured(g, t, low, high)
        add_group(rows, low | near_low & ~g.taken[0], 0, value, number, town)
        add_group(rows, high | near_high & ~g.taken[1], 64, value, number, town)


@rule
def measured(g, t, low, high):
    """Power value and number of the structures of a group, as towns count them, and the spaces beside them."""
    value, number, near_low, near_high = 0, 0, ZERO, ZERO
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        kind = np.int64(g.building[space])
        value += POWER_VALUE[kind]
        number += 2 if kind == SA and not t.town_of_six else 1
        beside_low, beside_high = neighbours(g, t, space)
        near_low, near_high = near_low | beside_low, near_high | beside_high
    return value, number, near_low, near_high


@rule
def add_group(rows, spaces, first, value, number, town):
    """Add a group to what is at spaces, a word of them."""
    while spaces != ZERO:
        row = rows[first + lowest(spaces)]
        spaces = without_lowest(spaces)
        if town:
            row[2] = 1
        else:
            row[0] = min(np.int64(row[0]) + value, 3 * GROUP[0])
            row[1] = min(np.int64(row[1]) + number, 3 * GROUP[1])
