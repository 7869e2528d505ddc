"""Round phases without decisions: income, cult bonus, clean-up, and whose turn is next (§5)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica import state
from theogony.envs.terra_mystica.actions import PASS, PASS_WITH
from theogony.envs.terra_mystica.components import ENGINEERS, FAV12, ROUNDS, SH, SPADE, TP
from theogony.envs.terra_mystica.rules.bits import ZERO, holds
from theogony.envs.terra_mystica.rules.power import can_convert, gain, gain_vp
from theogony.envs.terra_mystica.rules.reach import gain_spades
from theogony.envs.terra_mystica.rules.targets import any_open_target

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
        mask[PASS_WITH + card] = g.card_place[card] == state.FREE


@rule
def pass_vp(g, t, seat):
    """Points for passing: the card in hand, FAV12, the Engineers' stronghold."""
    gain_vp(g, seat, card_points(g, t, seat, np.int64(g.card[seat])), state.V_PASS)
    if g.favors[seat, FAV12]:
        gain_vp(g, seat, np.int64(t.favor_pass[g.built[seat, TP]]), state.V_FAVOR)
    if g.faction[seat] == ENGINEERS and g.built[seat, SH]:
        gain_vp(g, seat, 3 * anchored_bridges(g, t, seat), state.V_FACTION)


@rule
def card_points(g, t, seat, card):
    """Points of a bonus card when passing with the structures that stand now."""
    points = 0
    for kind in range(1, 6):
        points += np.int64(t.bonus_pass[card, kind]) * np.int64(g.built[seat, kind])
    if t.skips[g.faction[seat]] == 0:
        points += np.int64(t.bonus_pass[card, SHIP_PLACE]) * np.int64(g.ship[seat])
    return points


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
    g.card_place[g.card[seat]] = state.FREE
    g.card[seat] = state.NONE
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
    g.next_order[:] = state.NONE


# ---- Round phases without decisions: income, cult bonus, clean-up, and whose turn is next (§5) -------------------


@rule
def income(g, t):
    """Phase I: faction board, favor tiles and bonus card (§5.1)."""
    for seat in range(np.int64(g.players)):
        f = np.int64(g.faction[seat])
        gain(g, seat, t.income[f, 0, 0])
        for kind in range(1, 6):
            gain(g, seat, t.income[f, kind, np.int64(g.built[seat, kind])])
        for k in range(g.favors.shape[1]):
            if g.favors[seat, k]:
                gain(g, seat, t.favor_income[k])
        gain(g, seat, t.bonus_income[g.card[seat]])


@rule
def income_of(g, t, seat, good):
    """One good of the next income, without the bonus card."""
    f = np.int64(g.faction[seat])
    total = np.int64(t.income[f, 0, 0, good])
    for kind in range(1, 6):
        total += np.int64(t.income[f, kind, g.built[seat, kind], good])
    for k in range(g.favors.shape[1]):
        if g.favors[seat, k]:
            total += np.int64(t.favor_income[k, good])
    return total


@rule
def clear_turn(g):
    """Nothing is left over from an earlier turn."""
    g.spades = 0
    g.spade_use = state.NO_SPADES
    g.target = state.NONE
    g.first = state.NONE
    g.turned = 0
    g.tunnelled = 0
    g.sites[:] = ZERO
    g.free_dwelling = 0
    g.free_house = 0
    g.priests_due = 0
    g.stopped[:] = 0
    g.key_choice = 0
    g.connecting = 0
    g.brought = 0


@rule
def begin_turn(g, seat):
    """The main decision of a seat."""
    clear_turn(g)
    g.turn = seat
    g.actor = seat
    g.decision = state.MAIN


@rule
def start_round(g, t):
    """Income, then the first seat's turn."""
    g.round_number += 1
    income(g, t)
    g.turns_left = 1
    begin_turn(g, np.int64(g.order[0]))


@rule
def next_seat(g):
    """The next seat in turn order that has not passed, or NONE."""
    players = np.int64(g.players)
    place = 0
    while g.order[place] != g.turn:
        place += 1
    for k in range(1, players + 1):
        seat = np.int64(g.order[(place + k) % players])
        if not g.passed[seat]:
            return seat
    return state.NONE


@rule
def cult_bonus(g, t):
    """Phase III: what the round's scoring tile gives for cult steps, in the new turn order (§5.3)."""
    set_order(g, t)
    tile = np.int64(g.scoring[g.round_number - 1])
    track, every = np.int64(t.score_cult[tile]), np.int64(t.score_every[tile])
    for seat in range(np.int64(g.players)):
        steps = np.int64(g.priests_away[seat]) if track < 0 else np.int64(g.cult[seat, track])
        for _ in range(steps // every):
            gain(g, seat, t.score_reward[tile])
        g.spades_due[seat] = steps // every * np.int64(t.score_reward[tile, SPADE])
        if g.spades_due[seat] > 0:
            gain_spades(g, t, seat, np.int64(g.spades_due[seat]))
    clear_turn(g)
    g.decision = state.CULT_PHASE


@rule
def next_cult_spades(g, t):
    """The next seat with spades of the cult bonus to use. Where no space takes them they are given up (ruling R12).

    Returns whether a seat is asked.
    """
    for k in range(np.int64(g.players)):
        seat = np.int64(g.order[k])
        if g.spades_due[seat] > 0:
            ask_for_spades(g, seat)
            if any_open_target(g, t, seat) or (t.convert_always != 0 and can_convert(g, seat)):
                return True
            g.spades_due[seat] = 0
    g.decision = state.CULT_PHASE
    return False


@rule
def ask_for_spades(g, seat):
    """A seat decides on its spades of the cult bonus."""
    g.spades = g.spades_due[seat]
    g.spade_use = state.PHASE_SPADES
    g.actor = seat
    g.decision = state.CULT_SPADES


@rule
def clean_up(g, t):
    """Power actions and special actions are free again, a coin on each unused bonus card (§5.4)."""
    g.power_used[:] = 0
    g.specials_used[:, :] = 0
    g.passed[:] = 0
    coins_on_cards(g)
    start_round(g, t)


@rule
def coins_on_cards(g):
    """One coin on each bonus card that lies unused."""
    for card in range(g.card_place.shape[0]):
        if g.card_place[card] == state.FREE:
            g.card_coins[card] += 1
