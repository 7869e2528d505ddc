"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field.

Everything lies open on the table, so all seats see the same; fields by space are in the order of the codec.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.components import (
    BRIDGES,
    LAND,
    LIMITS,
    NO_STRUCTURE,
    PRIESTS,
    RIVER,
    ROUNDS,
    SITES,
    TOP,
    WHEEL,
)
from theogony.envs.terra_mystica.rules.bits import ZERO, lowest, without_lowest
from theogony.envs.terra_mystica.rules.offers import can_take
from theogony.envs.terra_mystica.rules.rounds import income_of
from theogony.envs.terra_mystica.state import DECISIONS, FREE, LEECH, NONE, NOT_IN_GAME

PIECES = np.array(LIMITS, np.int64)
COIN_SCALE, WORKER_SCALE, VP_SCALE, INCOME_SCALE, OFFER_SCALE = 40.0, 20.0, 200.0, 20.0, 10.0


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
        Feature("card_coins", (10,), "coins on each bonus card, over 6"),
        Feature("town_supply", (8,), "copies of each town tile in the supply, over 2"),
        Feature("favor_supply", (12,), "copies of each favor tile in the supply, over 3"),
        Feature("power_used", (6,), "power actions taken this round"),
        Feature("spots", (4, 4, players), "whose priest stands on the 3, 2, 2, 2 spaces of each cult"),
        Feature("terrain", (LAND, 7), "colour of each space, in the order of the wheel"),
        Feature("structure", (LAND, 5), "structure on each space: D, TP, TE, SH, SA"),
        Feature("owner", (LAND, players), "whose structure it is"),
        Feature("in_town", (LAND,), "spaces that belong to a town"),
        Feature("spades_needed", (LAND,), "spades from a free space's colour to the observer's, over 3"),
        Feature("reach", (players, LAND), "spaces a seat touches or reaches by ship, tunnel or carpet"),
        Feature("bridges", (SITES, players), "whose bridge stands on each site"),
        Feature("river_towns", (RIVER,), "river spaces with a town tile of the Mermaids"),
        Feature("river_sites", (RIVER,), "river spaces over which they could found a town"),
        Feature("faction", (players, 14), "faction of each seat"),
        Feature("passed", seats, "who has passed"),
        Feature("points", seats, "victory points, over 200"),
        Feature("coins", seats, "coins, over 40"),
        Feature("workers", seats, "workers, over 20"),
        Feature("priests", (players, 2), "priests at hand and on the cult board, over 7"),
        Feature("bowls", (players, 3), "power in each bowl, over 12"),
        Feature("income", (players, 4), "next income of coins, workers, priests and power without a card, over 20"),
        Feature("cult", (players, 4), "place on each cult track, over 10"),
        Feature("keys", seats, "unused keys, over 4"),
        Feature("levels", (players, 2), "shipping (or spaces that may be skipped) over 6, digging over 2"),
        Feature("built", (players, 5), "share of each kind of structure that stands on the map"),
        Feature("bridges_left", seats, "bridges left, over 3"),
        Feature("favors", (players, 12), "favor tiles"),
        Feature("towns", (players, 8), "town tiles, over 2"),
        Feature("specials_used", (players, 10), "special actions used this round"),
        Feature("spades_due", seats, "spades of the cult bonus still to be used, over 4"),
        Feature("offers", seats, "power offered to a seat and not yet answered, over 10"),
        Feature("offer_gain", (1,), "power that the seat which decides would really gain, over 10"),
        Feature("spades", (1,), "free spades at hand, over 3"),
        Feature("spade_use", (5,), "what they are for: nothing, an action, a stronghold, the cult bonus, a sandstorm"),
        Feature("target", (LAND,), "space that is being transformed"),
        Feature("turned", (2,), "steps the first space of the action was turned so far, up and down the wheel, over 3"),
        Feature("sites", (LAND,), "spaces on which this action may still build a dwelling"),
        Feature("dues", (9,), "what the action still asks for: favor tiles, town tiles, cult steps, a bridge, a free "
                "trading house, a free dwelling, priests for workers (over 3), a choice of track, a second action"),
        Feature("stopped", (4,), "cult tracks where a step to 10 lacks a key"),
    )  # fmt: skip


@rule
def observe(g, t, seat, f):
    """The table as a seat sees it."""
    seat = np.int64(seat)
    f.decision[min(np.int64(g.decision), f.decision.shape[0] - 1)] = 1.0
    f.round_number[g.round_number] = 1.0
    for k in range(ROUNDS):
        f.scoring[k, g.scoring[k]] = 1.0
    observe_tiles(g, seat, f)
    observe_map(g, t, seat, f)
    observe_turn(g, t, f)
    for row in range(np.int64(g.players)):
        observe_seat(g, t, (seat + row) % np.int64(g.players), row, f)
    for k in range(np.int64(g.players)):
        f.place[row_of(g, seat, np.int64(g.order[k])), k] = 1.0
        if g.next_order[k] != NONE:
            f.next_place[row_of(g, seat, np.int64(g.next_order[k])), k] = 1.0
    f.actor[row_of(g, seat, np.int64(g.actor))] = 1.0
    f.turn[row_of(g, seat, np.int64(g.turn))] = 1.0
    for k in range(np.int64(g.offer_next), np.int64(g.offer_count)):
        row = row_of(g, seat, np.int64(g.offer_seat[k]))
        f.offers[row] = min(f.offers[row] + g.offer_power[k] / OFFER_SCALE, 1.0)


@rule
def row_of(g, seat, other):
    """The row of a seat as the observer sees it."""
    return (other - seat) % np.int64(g.players)


@rule
def observe_tiles(g, seat, f):
    """Bonus cards, supplies, power actions and the cult board."""
    for card in range(g.card_place.shape[0]):
        place = np.int64(g.card_place[card])
        if place == NOT_IN_GAME:
            f.cards[card, 0] = 1.0
        elif place == FREE:
            f.cards[card, 1] = 1.0
        else:
            f.cards[card, 2 + row_of(g, seat, place)] = 1.0
        f.card_coins[card] = min(g.card_coins[card] / 6.0, 1.0)
    for k in range(8):
        f.town_supply[k] = g.town_supply[k] / 2.0
    for k in range(12):
        f.favor_supply[k] = g.favor_supply[k] / 3.0
    for k in range(6):
        f.power_used[k] = g.power_used[k]
    for track in range(4):
        f.stopped[track] = g.stopped[track]
        for spot in range(4):
            if g.spots[track, spot] != NONE:
                f.spots[track, spot, row_of(g, seat, np.int64(g.spots[track, spot]))] = 1.0


@rule
def observe_map(g, t, seat, f):
    """Spaces, bridges and the Mermaids' rivers."""
    chosen = g.faction[seat] != NONE
    for space in range(LAND):
        f.terrain[space, g.terrain[space]] = 1.0
        if g.building[space] != NO_STRUCTURE:
            f.structure[space, g.building[space] - 1] = 1.0
        elif chosen:
            f.spades_needed[space] = WHEEL[g.terrain[space], t.home[g.faction[seat]]] / 3.0
    for site in range(SITES):
        if g.bridge_owner[site] != NONE:
            f.bridges[site, row_of(g, seat, np.int64(g.bridge_owner[site]))] = 1.0
    rivers = g.river_towns
    while rivers != ZERO:
        f.river_towns[lowest(rivers)] = 1.0
        rivers = without_lowest(rivers)
    rivers = g.river_sites
    while rivers != ZERO:
        f.river_sites[lowest(rivers)] = 1.0
        rivers = without_lowest(rivers)


@rule
def observe_turn(g, t, f):
    """What the running turn is in the middle of."""
    f.spades[0] = min(g.spades / 3.0, 1.0)
    f.spade_use[g.spade_use] = 1.0
    if g.target != NONE:
        f.target[g.target] = 1.0
    f.turned[0] = max(g.turned, 0) / 3.0
    f.turned[1] = max(-g.turned, 0) / 3.0
    paint(f.sites, g.sites)
    f.dues[0] = g.favors_due / 2.0
    f.dues[1] = min(g.towns_due / 2.0, 1.0)
    f.dues[2] = g.steps_due / 2.0
    f.dues[3] = g.bridge_due
    f.dues[4] = g.free_house
    f.dues[5] = g.free_dwelling
    f.dues[6] = g.priests_due / 3.0
    f.dues[7] = g.key_choice
    f.dues[8] = 1.0 if g.turns_left > 1 else 0.0
    if g.decision == LEECH:
        gained = can_take(g, t, np.int64(g.actor), np.int64(g.offer_power[g.offer_next]))
        f.offer_gain[0] = min(gained / OFFER_SCALE, 1.0)


@rule
def paint(row, pair):
    """Ones at the spaces of a set."""
    for w in range(2):
        word = pair[w]
        while word != ZERO:
            row[64 * w + lowest(word)] = 1.0
            word = without_lowest(word)


@rule
def observe_seat(g, t, seat, row, f):
    """One seat: its faction board, goods, tiles, structures and reach."""
    f.passed[row] = g.passed[seat]
    f.points[row] = min(g.vp[seat] / VP_SCALE, 1.0)
    f.coins[row] = min(g.coins[seat] / COIN_SCALE, 1.0)
    f.workers[row] = min(g.workers[seat] / WORKER_SCALE, 1.0)
    f.priests[row, 0] = g.priests[seat] / PRIESTS
    f.priests[row, 1] = g.priests_away[seat] / PRIESTS
    for k in range(3):
        f.bowls[row, k] = g.bowls[seat, k] / 12.0
    for track in range(4):
        f.cult[row, track] = g.cult[seat, track] / TOP
    f.keys[row] = min(g.keys[seat] / 4.0, 1.0)
    f.levels[row, 0] = g.ship[seat] / 6.0
    f.levels[row, 1] = g.dig[seat] / 2.0
    f.bridges_left[row] = g.bridges_left[seat] / BRIDGES
    f.spades_due[row] = min(g.spades_due[seat] / 4.0, 1.0)
    if g.faction[seat] == NONE:
        return
    f.faction[row, g.faction[seat]] = 1.0
    for good in range(4):
        f.income[row, good] = min(income_of(g, t, seat, good) / INCOME_SCALE, 1.0)
    observe_pieces(g, t, seat, row, f)


@rule
def observe_pieces(g, t, seat, row, f):
    """Structures, tiles and reach of a seat."""
    for kind in range(1, 6):
        f.built[row, kind - 1] = g.built[seat, kind] / PIECES[kind]
    for k in range(12):
        f.favors[row, k] = g.favors[seat, k]
    for k in range(8):
        f.towns[row, k] = min(g.towns[seat, k] / 2.0, 1.0)
    for k in range(10):
        f.specials_used[row, k] = g.specials_used[seat, k]
    for w in range(2):
        own, near = g.own[seat, w], g.near[seat, w] | g.far[seat, 0, w]
        while own != ZERO:
            f.owner[64 * w + lowest(own), row] = 1.0
            own = without_lowest(own)
        while near != ZERO:
            f.reach[row, 64 * w + lowest(near)] = 1.0
            near = without_lowest(near)
    paint(f.in_town, g.in_town[seat])
