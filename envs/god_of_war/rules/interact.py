"""Interactions with scene cards (§5; §12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.frames import F_EFFECTS, F_INTERACT, PAY_FIGURE, PAY_INTERACTION, PAY_PAID, PAY_SLOT
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.conditions import all_hold
from theogony.envs.god_of_war.state import PAY


@rule
def payable(g, t, seat, first, end):
    """Whether a hand pays cost items first..end, one card an item (Hall's condition over the kinds of item)."""
    wanted = 0
    for k in range(first, end):
        wanted |= 1 << np.int64(t.cost_item[k])
    for kinds in range(1, wanted + 1):
        if kinds & ~wanted:
            continue
        needed = 0
        for k in range(first, end):
            needed += (kinds >> np.int64(t.cost_item[k])) & 1
        for design in range(g.hand.shape[1]):
            if t.pay_bits[design] & kinds:
                needed -= np.int64(g.hand[seat, design])
        if needed > 0:
            return False
    return True


@rule
def interaction_open(g, t, seat, figure, row, number):
    """Whether a figure may use an interaction of a card in its column: conditions hold, the cost can be paid."""
    slot = row * g.columns.shape[0] + np.int64(g.column[figure])
    side = g.side[slot]
    k = np.int64(t.interactions_first[g.scenario, slot, side]) + number
    if k >= t.interactions_end[g.scenario, slot, side]:
        return False
    if not all_hold(g, t, t.if_kind, t.if_slot, t.if_n, t.interaction_if_first[k], t.interaction_if_end[k]):
        return False
    return payable(g, t, seat, np.int64(t.interaction_cost_first[k]), np.int64(t.interaction_cost_end[k]))


@rule
def start_interaction(g, t, figure, row, number):
    """Name the interaction; the cards that pay it are named one by one."""
    slot = row * g.columns.shape[0] + np.int64(g.column[figure])
    interaction = np.int64(t.interactions_first[g.scenario, slot, g.side[slot]]) + number
    push(g, F_INTERACT, figure, slot, interaction)


@rule
def run_interaction(g, t, frame):
    """The payment, then the effect with the figure as the acting hero (R49) (F_INTERACT)."""
    figure, slot, interaction = np.int64(frame[PAY_FIGURE]), np.int64(frame[PAY_SLOT]), np.int64(frame[PAY_INTERACTION])
    if t.interaction_cost_first[interaction] + frame[PAY_PAID] < t.interaction_cost_end[interaction]:
        return ask(g, g.actor, PAY)
    pop(g)
    push(g, F_EFFECTS, t.interaction_first[interaction], t.interaction_end[interaction], slot, figure, 1)
    return False


@rule
def pay(g, frame, design):
    """One card of the payment is discarded before the effect (R49)."""
    seat = np.int64(g.seat_of[frame[PAY_FIGURE]])
    g.hand[seat, design] -= 1
    g.discard[seat, design] += 1
    frame[PAY_PAID] += 1
