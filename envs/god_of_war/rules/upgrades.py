"""The upgrade phase: take a revealed card or remove a discarded one (§4.4)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.frames import COUNT
from theogony.envs.god_of_war.rules.agenda import ask, pop
from theogony.envs.god_of_war.rules.cards import put_on_deck
from theogony.envs.god_of_war.state import UPGRADE


@rule
def upgrade_phase(g, frame):
    """Every player takes an upgrade card or removes a card; who can do neither is skipped (R31) (F_UPGRADE)."""
    while frame[COUNT] < g.players:
        seat = (np.int64(g.starting_player) + np.int64(frame[COUNT])) % g.players
        frame[COUNT] += 1
        g.active = seat
        if can_take(g) or can_remove(g, seat):
            return ask(g, seat, UPGRADE)
    pop(g)
    return False


@rule
def can_take(g):
    """Whether upgrade cards may be taken: enough must remain to be revealed (R30)."""
    return g.revealed_cards > 0 and np.int64(g.upgrade_cards) + np.int64(g.revealed_cards) > 2 * (g.players + 1)


@rule
def can_remove(g, seat):
    """Whether a discard pile has a card."""
    for design in range(g.discard.shape[1]):
        if g.discard[seat, design] > 0:
            return True
    return False


@rule
def take_upgrade(g, t, seat, card):
    """A revealed card goes on top of the own deck; its rune has no further meaning (§4.4)."""
    place = 0
    while g.revealed[place] != card:
        place += 1
    for k in range(place, g.revealed_cards - 1):
        g.revealed[k] = g.revealed[k + 1]
    g.revealed_cards -= 1
    g.revealed[g.revealed_cards] = 0
    put_on_deck(g, seat, t.upgrade_design[card])


@rule
def remove_card(g, t, seat, design):
    """A discarded card leaves the game, a status card returns to its supply (§4.4)."""
    g.discard[seat, design] -= 1
    if design >= t.status:
        g.supply[design - t.status] += 1
    else:
        g.box[design] += 1
