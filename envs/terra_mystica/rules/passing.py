"""Passing: points, the exchange of bonus cards, and the order of the next round (§6.8)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import PASS, PASS_WITH
from theogony.envs.terra_mystica.components import ENGINEERS, FAV12, ROUNDS, SH, TP
from theogony.envs.terra_mystica.rules.bits import holds
from theogony.envs.terra_mystica.rules.power import gain_vp
from theogony.envs.terra_mystica.state import FREE, NONE, V_FACTION, V_FAVOR, V_PASS

SHIP_PLACE = 6  # place of the shipping level in `bonus_pass`


@rule
def legal_pass(g, mask):
    """A card that lies free; in the last round no card."""
    if g.round_number == ROUNDS:
        mask[PASS] = 1
    else:
        legal_cards(g, mask)


@rule
def legal_cards(g, mask):
    """Bonus cards that nobody holds."""
    for card in range(g.card_place.shape[0]):
        mask[PASS_WITH + card] = g.card_place[card] == FREE


@rule
def pass_vp(g, t, seat):
    """Points for passing: the card in hand, FAV12, the Engineers' stronghold."""
    card, points = np.int64(g.card[seat]), 0
    for kind in range(1, 6):
        points += np.int64(t.bonus_pass[card, kind]) * np.int64(g.built[seat, kind])
    if t.skips[g.faction[seat]] == 0:
        points += np.int64(t.bonus_pass[card, SHIP_PLACE]) * np.int64(g.ship[seat])
    gain_vp(g, seat, points, V_PASS)
    if g.favors[seat, FAV12]:
        gain_vp(g, seat, np.int64(t.favor_pass[g.built[seat, TP]]), V_FAVOR)
    if g.faction[seat] == ENGINEERS and g.built[seat, SH]:
        gain_vp(g, seat, 3 * anchored_bridges(g, t, seat), V_FACTION)


@rule
def anchored_bridges(g, t, seat):
    """Own bridges with own structures at both ends."""
    count = 0
    for site in range(t.ends.shape[0]):
        if g.bridge_owner[site] == seat:
            own = g.own[seat]
            count += holds(own, np.int64(t.ends[site, 0])) and holds(own, np.int64(t.ends[site, 1]))
    return count


@rule
def take_card(g, seat, card):
    """A bonus card with the coins on it."""
    g.card[seat] = card
    g.card_place[card] = seat
    g.coins[seat] += g.card_coins[card]
    g.card_coins[card] = 0


@rule
def pass_round(g, t, action):
    """Pass: score, give the card back, take another, and queue for the next round."""
    seat = np.int64(g.actor)
    pass_vp(g, t, seat)
    g.card_place[g.card[seat]] = FREE
    g.card[seat] = NONE
    if action != PASS:
        take_card(g, seat, action - PASS_WITH)
    g.passed[seat] = 1
    g.next_order[g.passed_count] = seat
    g.passed_count += 1
    g.turns_left = 0


@rule
def set_order(g, t):
    """Turn order of the next round: clockwise from the first to pass, or as they passed."""
    players = np.int64(g.players)
    for k in range(players):
        g.order[k] = g.next_order[k] if t.passing_order else (np.int64(g.next_order[0]) + k) % players
    g.passed_count = 0
    g.next_order[:] = NONE
