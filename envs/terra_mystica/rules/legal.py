"""What is legal, by the kind of decision, and whether a turn leaves anything to choose (§5, §6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica import state
from theogony.envs.terra_mystica.actions import BUILD, DECLINE, DONE, LEECH_FROM, LEECH_MORE, NAMED_OFFERS
from theogony.envs.terra_mystica.components import ALCHEMISTS, CULTISTS, GOODS, MERMAIDS, WORKER
from theogony.envs.terra_mystica.rules import actions, building
from theogony.envs.terra_mystica.rules.bits import ZERO, mark
from theogony.envs.terra_mystica.rules.power import (
    could_pay,
    gain_power,
    gain_vp,
    legal_conversions,
    legal_priests,
    legal_priests_for_workers,
    legal_steps,
    power_room,
    priest_room,
)
from theogony.envs.terra_mystica.rules.rounds import legal_cards, legal_pass
from theogony.envs.terra_mystica.rules.setup import FACTION_COUNT, legal_factions, legal_settle
from theogony.envs.terra_mystica.rules.targets import any_open_target, legal_colours, legal_transforms
from theogony.envs.terra_mystica.rules.towns import legal_connect, legal_towns, tile_left


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
    gain_vp(g, seat, -price_of(g, t, seat, offer, gained), state.V_POWER)
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
            g.decision = state.LEECH
            return True
        g.offer_next += 1
    rewarded = g.faction[g.turn] == CULTISTS and g.offer_taken != 0
    if g.faction[g.turn] == CULTISTS and g.offer_declined and not g.offer_taken and t.cultists_power:
        gain_power(g, np.int64(g.turn), np.int64(1))
    clear_offers(g)
    if rewarded:
        g.actor = g.turn
        g.decision = state.REWARD
        g.steps_due = 1
        return True
    g.decision = state.NEXT
    return False


# ---- What is legal, by the kind of decision, and whether a turn leaves anything to choose (§5, §6) ---------------

A_WORKER = np.zeros(len(GOODS), np.int64)  # as a cost
A_WORKER[WORKER] = 1


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    kind = g.decision
    if kind == state.MAIN:
        legal_main(g, t, mask)
    elif kind == state.TURN:
        legal_turn(g, t, mask)
    elif kind == state.COLOUR:
        legal_colours(g, t, mask)
    elif kind == state.LEECH:
        legal_answers(g, t, mask)
    elif kind == state.REWARD:
        legal_steps(g, mask)
    elif kind == state.CULT_SPADES:
        legal_transforms(g, t, mask)
        mask[DONE] = 1
    elif kind == state.DRAFT:
        legal_factions(g, t, mask)
    elif kind == state.SETTLE:
        legal_settle(g, t, mask)
    else:
        legal_cards(g, mask)
    if t.convert_always and (kind == state.LEECH or kind == state.REWARD or kind == state.CULT_SPADES):
        legal_conversions(g, mask)


@rule
def legal_main(g, t, mask):
    """The eight actions, and what may be done before them."""
    seat = np.int64(g.actor)
    legal_conversions(g, mask)
    building.legal_dwellings(g, t, mask)
    legal_transforms(g, t, mask)
    building.legal_upgrades(g, t, mask)
    actions.legal_advances(g, t, mask)
    legal_priests(g, t, mask)
    actions.legal_power_actions(g, t, mask)
    actions.legal_specials(g, t, mask)
    legal_pass(g, mask)
    if g.faction[seat] == MERMAIDS:
        legal_connect(g, mask)


@rule
def legal_turn(g, t, mask):
    """All that the action still asks for or allows, and `done` when nothing compulsory is left."""
    seat = np.int64(g.actor)
    legal_conversions(g, mask)
    if g.faction[seat] == MERMAIDS:
        legal_connect(g, mask)
    legal_transforms(g, t, mask)
    if g.free_dwelling or building.can_dwell(g, t, seat):
        mark(mask, BUILD, g.sites[0], g.sites[1])
    if g.favors_due > 0:
        actions.legal_favors(g, mask)
    if g.towns_due > 0:
        legal_towns(g, mask)
    if g.steps_due > 0 or g.key_choice:
        legal_steps(g, mask)
    if g.bridge_due:
        actions.legal_bridges(g, t, mask)
    if g.free_house:
        building.legal_free_house(g, mask)
    if g.priests_due > 0:
        legal_priests_for_workers(g, mask)
    mask[DONE] = not compulsory(g) and not first_spades_wait(g, t, seat)


@rule
def compulsory(g):
    """Whether the action asks for something that cannot be left out."""
    tiles = g.favors_due > 0 or g.towns_due > 0 or g.steps_due > 0 or g.key_choice != 0
    return tiles or g.bridge_due != 0 or g.free_house != 0 or g.free_dwelling != 0


@rule
def first_spades_wait(g, t, seat):
    """Whether an action's spades, or the sandstorm, have still to be used on a first space: it is not optional (R2)."""
    if g.first != state.NONE or not (g.spade_use == state.ACTION_SPADES or g.spade_use == state.SANDSTORM):
        return False
    return any_open_target(g, t, seat)


@rule
def goes_on(g, t):
    """Whether the turn still asks for something or leaves something to choose; else it ends without `done` (R7)."""
    seat = np.int64(g.actor)
    if compulsory(g) or any_open_target(g, t, seat) or building.may_dwell(g, t, seat):
        return True
    if g.brought and (g.bowls[seat, 2] > 0 or g.faction[seat] == ALCHEMISTS):
        return True
    if g.priests_due > 0 and priest_room(g, seat) > 0 and could_pay(g, seat, A_WORKER):
        return True
    return g.faction[seat] == MERMAIDS and g.river_sites != ZERO and tile_left(g)
