"""Power from neighbours: decisions out of turn, and the Cultists' reward (§8, §12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import DECLINE, LEECH_FROM, LEECH_MORE, NAMED_OFFERS
from theogony.envs.terra_mystica.components import ALCHEMISTS, CULTISTS
from theogony.envs.terra_mystica.rules.power import gain_power, gain_vp, power_room
from theogony.envs.terra_mystica.state import LEECH, NEXT, REWARD, V_POWER

FACTION_COUNT = 14


@rule
def can_take(g, t, seat, offer):
    """Power a seat would really gain of an offer: limited by its points, then by its bowls (§8).

    The Chinese text reduces an offer only where neither suffices: else its price may be too high (R26).
    """
    room, points = power_room(g, seat), np.int64(g.vp[seat]) + 1
    if t.both_caps and points < offer <= room:
        return 0
    return min(offer, points, room)


@rule
def price_of(g, t, seat, offer, gained):
    """Victory points for power gained: one less than its number.

    In the Chinese text one less than that of the offer, or all points where there are fewer: these end at zero (R26).
    """
    if t.both_caps:
        return min(offer - 1, np.int64(g.vp[seat]))
    return gained - 1


@rule
def accept(g, t, seat, offer):
    """Take an offer."""
    gained = can_take(g, t, seat, offer)
    gain_vp(g, seat, -price_of(g, t, seat, offer, gained), V_POWER)
    gain_power(g, seat, gained)


@rule
def clear_offers(g):
    """No offers are open."""
    g.offer_seat[:] = 0
    g.offer_power[:] = 0
    g.offer_count = 0
    g.offer_next = 0
    g.offer_taken = 0
    g.offer_declined = 0


@rule
def is_asked(g, t, seat, offer):
    """Whether a neighbour has a choice: it gains power (R15), or could after conversions (R23)."""
    convertible = g.bowls[seat, 1] > 1 or g.bowls[seat, 2] > 0 or g.faction[seat] == ALCHEMISTS
    return can_take(g, t, seat, offer) > 0 or (t.convert_always != 0 and convertible)


@rule
def legal_answers(g, t, mask):
    """Take all of the offer or nothing."""
    power, builder = np.int64(g.offer_power[g.offer_next]), np.int64(g.faction[g.turn])
    taken = can_take(g, t, np.int64(g.actor), power) > 0
    if power <= NAMED_OFFERS:
        mask[LEECH_FROM + FACTION_COUNT * (power - 1) + builder] = taken
    else:
        mask[LEECH_MORE] = taken
    mask[DECLINE] = 1


@rule
def answer(g, t, action):
    """A neighbour answers; then the next one is asked."""
    seat = np.int64(g.actor)
    if action == DECLINE:
        g.offer_declined = 1
    else:
        accept(g, t, seat, np.int64(g.offer_power[g.offer_next]))
        g.offer_taken = 1
    g.offer_next += 1


@rule
def next_offer(g, t):
    """Ask the next neighbour who can gain power; then reward the Cultists. Returns whether somebody decides."""
    while g.offer_next < g.offer_count:
        seat = np.int64(g.offer_seat[g.offer_next])
        if is_asked(g, t, seat, np.int64(g.offer_power[g.offer_next])):
            g.actor = seat
            g.decision = LEECH
            return True
        g.offer_next += 1
    rewarded = g.faction[g.turn] == CULTISTS and g.offer_taken != 0
    if g.faction[g.turn] == CULTISTS and g.offer_declined and not g.offer_taken and t.cultists_power:
        gain_power(g, np.int64(g.turn), np.int64(1))
    clear_offers(g)
    if rewarded:
        g.actor = g.turn
        g.decision = REWARD
        g.steps_due = 1
        return True
    g.decision = NEXT
    return False
