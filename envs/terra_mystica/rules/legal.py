"""What is legal, by the kind of decision, and whether a turn leaves anything to choose (§5, §6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import BUILD, DONE
from theogony.envs.terra_mystica.components import ALCHEMISTS, GOODS, MERMAIDS, WORKER
from theogony.envs.terra_mystica.rules.actions import (
    legal_advances,
    legal_bridges,
    legal_favors,
    legal_power_actions,
    legal_specials,
)
from theogony.envs.terra_mystica.rules.bits import ZERO, mark
from theogony.envs.terra_mystica.rules.building import (
    can_dwell,
    legal_dwellings,
    legal_free_house,
    legal_upgrades,
    may_dwell,
)
from theogony.envs.terra_mystica.rules.cults import legal_priests, legal_steps
from theogony.envs.terra_mystica.rules.offers import legal_answers
from theogony.envs.terra_mystica.rules.passing import legal_cards, legal_pass
from theogony.envs.terra_mystica.rules.power import could_pay, legal_conversions, legal_priests_for_workers, priest_room
from theogony.envs.terra_mystica.rules.setup import legal_factions, legal_settle
from theogony.envs.terra_mystica.rules.targets import any_open_target, legal_colours, legal_transforms
from theogony.envs.terra_mystica.rules.towns import legal_connect, legal_towns, tile_left
from theogony.envs.terra_mystica.state import (
    ACTION_SPADES,
    COLOUR,
    CULT_SPADES,
    DRAFT,
    LEECH,
    MAIN,
    NONE,
    REWARD,
    SANDSTORM,
    SETTLE,
    TURN,
)

A_WORKER = np.zeros(len(GOODS), np.int64)  # as a cost
A_WORKER[WORKER] = 1


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    kind = g.decision
    if kind == MAIN:
        legal_main(g, t, mask)
    elif kind == TURN:
        legal_turn(g, t, mask)
    elif kind == COLOUR:
        legal_colours(g, t, mask)
    elif kind == LEECH:
        legal_answers(g, t, mask)
    elif kind == REWARD:
        legal_steps(g, mask)
    elif kind == CULT_SPADES:
        legal_transforms(g, t, mask)
        mask[DONE] = 1
    elif kind == DRAFT:
        legal_factions(g, t, mask)
    elif kind == SETTLE:
        legal_settle(g, t, mask)
    else:
        legal_cards(g, mask)
    if t.convert_always and (kind == LEECH or kind == REWARD or kind == CULT_SPADES):
        legal_conversions(g, mask)


@rule
def legal_main(g, t, mask):
    """The eight actions, and what may be done before them."""
    seat = np.int64(g.actor)
    legal_conversions(g, mask)
    legal_dwellings(g, t, mask)
    legal_transforms(g, t, mask)
    legal_upgrades(g, t, mask)
    legal_advances(g, t, mask)
    legal_priests(g, t, mask)
    legal_power_actions(g, t, mask)
    legal_specials(g, t, mask)
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
    if g.free_dwelling or can_dwell(g, t, seat):
        mark(mask, BUILD, g.sites[0], g.sites[1])
    if g.favors_due > 0:
        legal_favors(g, mask)
    if g.towns_due > 0:
        legal_towns(g, mask)
    if g.steps_due > 0 or g.key_choice:
        legal_steps(g, mask)
    if g.bridge_due:
        legal_bridges(g, t, mask)
    if g.free_house:
        legal_free_house(g, mask)
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
    if g.first != NONE or not (g.spade_use == ACTION_SPADES or g.spade_use == SANDSTORM):
        return False
    return any_open_target(g, t, seat)


@rule
def goes_on(g, t):
    """Whether the turn still asks for something or leaves something to choose; else it ends without `done` (R7)."""
    seat = np.int64(g.actor)
    if compulsory(g) or any_open_target(g, t, seat) or may_dwell(g, t, seat):
        return True
    if g.brought and (g.bowls[seat, 2] > 0 or g.faction[seat] == ALCHEMISTS):
        return True
    if g.priests_due > 0 and priest_room(g, seat) > 0 and could_pay(g, seat, A_WORKER):
        return True
    return g.faction[seat] == MERMAIDS and g.river_sites != ZERO and tile_left(g)
