"""Setup: tiles and cards, factions, first dwellings, first bonus cards (§4)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.core.rng import next_u64, shuffle
from theogony.envs.terra_mystica.actions import BUILD, PASS_WITH, SETUP
from theogony.envs.terra_mystica.components import BON10, BRIDGES, SCORE1, SCORE9, TW6
from theogony.envs.terra_mystica.rules.bits import add, mark
from theogony.envs.terra_mystica.rules.building import DWELLING, set_structure
from theogony.envs.terra_mystica.rules.power import gain, gain_vp
from theogony.envs.terra_mystica.rules.reach import set_ship
from theogony.envs.terra_mystica.rules.rounds import coins_on_cards, start_round, take_card
from theogony.envs.terra_mystica.state import CARD, DRAFT, FREE, NONE, NOT_IN_GAME, SETTLE, V_START

FIRST_VP = np.int64(20)
FACTION_COUNT = 14
COLOURS = np.int64(7)


@rule
def setup(g, t):
    """A new game: tiles and cards are drawn, then the first seat chooses a faction."""
    g.faction[:] = NONE
    g.card[:] = NONE
    g.spots[:, :] = NONE
    g.bridge_owner[:] = NONE
    g.next_order[:] = NONE
    g.target = NONE
    g.first = NONE
    copy_array(g.terrain, t.terrain)
    for space in range(t.terrain.shape[0]):
        add(g.colour[t.terrain[space]], space)
    copy_array(g.favor_supply, t.favor_copies)
    copy_array(g.town_supply, t.town_copies)
    if not t.extra_towns:
        g.town_supply[TW6:] = 0
    draw_scoring(g, t)
    draw_cards(g, t)
    first = np.int64(next_u64(g.rng) % np.uint64(g.players)) if t.random_first else 0
    for k in range(g.order.shape[0]):
        g.order[k] = (first + k) % np.int64(g.players) if k < g.players else NONE
    if not t.draft:
        deal_factions(g, t)
    next_setup(g, t)


@rule
def draw_scoring(g, t):
    """Six scoring tiles; SCORE1 lies on no round after the fourth."""
    tiles = np.int64(9 if t.temple_tile else SCORE9)
    drawn = g.vp_from[0]  # scratch of this rule, cleared below
    for k in range(tiles):
        drawn[k] = k
    while True:
        shuffle(g.rng, drawn, tiles)
        if drawn[4] != SCORE1 and drawn[5] != SCORE1:
            break
    for k in range(6):
        g.scoring[k] = drawn[k]
    drawn[:] = 0


@rule
def draw_cards(g, t):
    """One bonus card more than players and two: the others stay out of the game."""
    cards = np.int64(10 if t.ship_card else BON10)
    drawn = g.vp_from[0]  # scratch of this rule, cleared below
    for k in range(cards):
        drawn[k] = k
    shuffle(g.rng, drawn, cards)
    g.card_place[:] = NOT_IN_GAME
    for k in range(np.int64(g.players) + 3):
        g.card_place[drawn[k]] = FREE
    drawn[:] = 0


@rule
def deal_factions(g, t):
    """Distinct colours at random, and one of the two factions of each."""
    drawn = g.vp_from[0]
    for k in range(COLOURS):
        drawn[k] = k
    shuffle(g.rng, drawn, COLOURS)
    for seat in range(np.int64(g.players)):
        colour, which = np.int64(drawn[seat]), np.int64(next_u64(g.rng) & np.uint64(1))
        for f in range(FACTION_COUNT):
            if t.home[f] == colour:
                if which == 0:
                    g.faction[seat] = f
                    break
                which -= 1
    drawn[:] = 0
    for seat in range(np.int64(g.players)):
        start_faction(g, t, seat, np.int64(g.faction[seat]))
    g.setup_step = g.players


@rule
def start_faction(g, t, seat, f):
    """A seat takes a faction board with its starting goods (§4.4)."""
    g.faction[seat] = f
    gain_vp(g, seat, FIRST_VP, V_START)
    gain(g, seat, t.start[f])
    copy_array(g.bowls[seat], t.bowls[f])
    copy_array(g.cult[seat], t.cults[f])
    g.bridges_left[seat] = BRIDGES
    set_ship(g, t, seat, np.int64(t.ship_start[f]))


@rule
def legal_factions(g, t, mask):
    """Factions of the colours that are still free."""
    for f in range(FACTION_COUNT):
        mask[SETUP + f] = 1
        for seat in range(np.int64(g.players)):
            if g.faction[seat] != NONE and t.home[g.faction[seat]] == t.home[f]:
                mask[SETUP + f] = 0


@rule
def legal_settle(g, t, mask):
    """Any free space of the own colour."""
    home = g.colour[t.home[g.faction[g.actor]]]
    mark(mask, BUILD, home[0] & ~g.taken[0], home[1] & ~g.taken[1])


@rule
def settle(g, t, space):
    """A first dwelling: free, without points and power offers."""
    set_structure(g, t, np.int64(g.actor), space, DWELLING)


@rule
def setup_place(g, t):
    """The place in turn order of the next step of setup, or NONE where a step falls out.

    Blocks of as many steps as players: factions, dwellings forward, dwellings back, the third ones (Nomads), the only
    ones (Chaos Magicians), bonus cards back.
    """
    players = np.int64(g.players)
    block, k = np.int64(g.setup_step) // players, np.int64(g.setup_step) % players
    if block == 0:
        return k
    place = players - 1 - k if block == 2 or block == 5 else k
    dwellings = t.first_dwellings[g.faction[g.order[place]]]
    if (block <= 2 and dwellings == 1) or (block == 3 and dwellings < 3) or (block == 4 and dwellings > 1):
        return NONE
    return place


@rule
def next_setup(g, t):
    """Whose step of setup is next; after the last one round 1 begins."""
    players = np.int64(g.players)
    while g.setup_step < 6 * players:
        place = setup_place(g, t)
        if place != NONE:
            g.actor = g.order[place]
            g.turn = g.actor
            block = np.int64(g.setup_step) // players
            g.decision = DRAFT if block == 0 else CARD if block == 5 else SETTLE
            return
        g.setup_step += 1
    if not t.lean_setup:
        coins_on_cards(g)
    start_round(g, t)


@rule
def setup_action(g, t, action):
    """One step of setup."""
    seat = np.int64(g.actor)
    if g.decision == DRAFT:
        start_faction(g, t, seat, action - SETUP)
    elif g.decision == SETTLE:
        settle(g, t, action - BUILD)
    else:
        take_card(g, seat, action - PASS_WITH)
    g.setup_step += 1
    next_setup(g, t)
