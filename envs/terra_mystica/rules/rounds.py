"""Round phases without decisions: income, cult bonus, clean-up, and whose turn is next (§5)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.components import SPADE
from theogony.envs.terra_mystica.rules.bits import ZERO
from theogony.envs.terra_mystica.rules.passing import set_order
from theogony.envs.terra_mystica.rules.power import can_convert, gain
from theogony.envs.terra_mystica.rules.spades import gain_spades
from theogony.envs.terra_mystica.rules.targets import any_open_target
from theogony.envs.terra_mystica.state import CULT_PHASE, CULT_SPADES, FREE, MAIN, NO_SPADES, NONE, PHASE_SPADES


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
    g.spade_use = NO_SPADES
    g.target = NONE
    g.first = NONE
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
    g.decision = MAIN


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
    return NONE


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
    g.decision = CULT_PHASE


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
    g.decision = CULT_PHASE
    return False


@rule
def ask_for_spades(g, seat):
    """A seat decides on its spades of the cult bonus."""
    g.spades = g.spades_due[seat]
    g.spade_use = PHASE_SPADES
    g.actor = seat
    g.decision = CULT_SPADES


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
        if g.card_place[card] == FREE:
            g.card_coins[card] += 1
