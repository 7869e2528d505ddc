"""The decisions of a turn: what is legal, what each action does, and how the game runs on (rules §5, §6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.terra_mystica.actions import (
    ACT,
    ADVANCE,
    BRIDGE,
    BUILD,
    BURN,
    CONNECT,
    CONVERT,
    DONE,
    PARTLY,
    PASS,
    PASS_WITH,
    S_ACTC,
    SEND,
    SPECIAL,
    STEP,
    TAKE_FAVOR,
    TAKE_TOWN,
    TO,
    TO_PRIEST,
    TRANSFORM,
    UPGRADE,
)  # fmt: skip
from theogony.envs.terra_mystica.components import ALCHEMISTS, GOODS, MERMAIDS, ROUNDS, WORKER
from theogony.envs.terra_mystica.rules.actions import (
    advance,
    build_bridge,
    legal_advances,
    legal_bridges,
    legal_favors,
    legal_power_actions,
    legal_specials,
    power_action,
    special_action,
    take_favor,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.bits import ZERO, holds, mark
from theogony.envs.terra_mystica.rules.building import (
    build_dwelling,
    can_dwell,
    legal_dwellings,
    legal_free_house,
    legal_upgrades,
    may_dwell,
    upgrade,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.cults import legal_priests, legal_steps, send_priest, take_steps
from theogony.envs.terra_mystica.rules.offers import answer, legal_answers, next_offer
from theogony.envs.terra_mystica.rules.passing import legal_cards, legal_pass, pass_round
from theogony.envs.terra_mystica.rules.power import (
    burn,
    convert,
    could_pay,
    legal_conversions,
    legal_priests_for_workers,
    priest_room,
    turn_into_priests,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.rounds import begin_turn, clean_up, cult_bonus, next_cult_spades, next_seat
from theogony.envs.terra_mystica.rules.scoring import final_scoring
from theogony.envs.terra_mystica.rules.setup import legal_factions, legal_settle, setup_action
from theogony.envs.terra_mystica.rules.spades import (
    aim,
    any_open_target,
    legal_colours,
    legal_transforms,
    pay_tunnel,
    transform,
    transform_home,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.towns import connect, legal_connect, legal_towns, take_town, tile_left
from theogony.envs.terra_mystica.state import (
    ACTION_SPADES,
    CARD,
    COLOUR,
    CULT_PHASE,
    CULT_SPADES,
    DRAFT,
    LEECH,
    MAIN,
    NEXT,
    NONE,
    OFFERS,
    PHASE_SPADES,
    REWARD,
    SANDSTORM,
    SETTLE,
    TURN,
)  # fmt: skip

A_WORKER = np.zeros(len(GOODS), np.int64)  # as a cost
A_WORKER[WORKER] = 1

# ---------------------------------------------------------------------------------------------------- legal


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


# ---------------------------------------------------------------------------------------------------- apply


@rule
def apply(g, t, action):
    """One decision, then on to the next."""
    decide(g, t, action)
    run_on(g, t)


@rule
def decide(g, t, action):
    """What one decision changes. `run_on` goes on from there."""
    if g.decision == DRAFT or g.decision == SETTLE or g.decision == CARD:
        setup_action(g, t, action)
    elif CONVERT <= action < TAKE_FAVOR:
        apply_conversion(g, action)
    elif g.decision == LEECH:
        answer(g, t, action)
        g.decision = OFFERS
    elif g.decision == REWARD:
        take_steps(g, action - STEP)
        g.decision = NEXT
    elif g.spade_use == PHASE_SPADES:
        apply_cult_spades(g, t, action)
    else:
        apply_turn(g, t, action)
    if g.decision == TURN and not goes_on(g, t):
        g.decision = OFFERS


@rule
def apply_conversion(g, action):
    """Conversions change no decision."""
    if action >= BURN:
        burn(g, np.int64(g.actor), action - BURN + 1)
    elif action >= TO_PRIEST:
        turn_into_priests(g, action - TO_PRIEST + 1)
    else:
        convert(g, action - CONVERT)


@rule
def apply_cult_spades(g, t, action):
    """A space and its colour, or giving the spades of the cult bonus up (§5.3)."""
    seat = np.int64(g.actor)
    if action == DONE:
        g.spades = 0
    elif PARTLY <= action < TO:
        aim(g, t, action - PARTLY)
        g.decision = COLOUR
        return
    elif TO <= action < UPGRADE:
        transform(g, t, action - TO)
    else:
        transform_home(g, t, action - TRANSFORM)
    g.spades_due[seat] = g.spades
    g.decision = CULT_PHASE


@rule
def apply_turn(g, t, action):
    """A main action, or a part of one that is going on."""
    if action == DONE:
        g.decision = OFFERS
    elif TRANSFORM <= action < PARTLY:
        transform_home(g, t, action - TRANSFORM)
        g.decision = TURN
    elif PARTLY <= action < TO:
        aim(g, t, action - PARTLY)
        g.decision = COLOUR
    elif TO <= action < UPGRADE:
        transform(g, t, action - TO)
        g.decision = TURN
    elif CONNECT <= action < ADVANCE:
        connect(g, t, action - CONNECT)
        if g.decision == MAIN:
            g.connecting = 1  # founding is no action: the turn goes on when the tile is taken
        g.decision = TURN
    elif PASS_WITH <= action <= PASS:
        pass_round(g, t, action)
        g.decision = OFFERS
    else:
        apply_action(g, t, action)
        take_up(g, action)


@rule
def take_up(g, action):
    """The turn goes on; before a main action when only a river town was founded or a double turn began."""
    g.decision = TURN
    if action == SPECIAL + S_ACTC:
        g.decision = MAIN
    if g.connecting and not compulsory(g):
        g.connecting = 0
        g.brought = 0
        g.decision = MAIN


@rule
def apply_action(g, t, action):
    """All actions that leave the turn to go on."""
    seat = np.int64(g.actor)
    if BUILD <= action < TRANSFORM:
        space = action - BUILD
        if g.decision == MAIN and t.skips[g.faction[seat]] and not holds(g.near[seat], space):
            pay_tunnel(g, t, seat)
        build_dwelling(g, t, space)
    elif UPGRADE <= action < BRIDGE:
        upgrade(g, t, (action - UPGRADE) // 4, (action - UPGRADE) % 4)
    elif BRIDGE <= action < CONNECT:
        build_bridge(g, t, action - BRIDGE)
    elif ADVANCE <= action < SEND:
        advance(g, t, action - ADVANCE)
    elif SEND <= action < ACT:
        send_priest(g, t, (action - SEND) // 3, 3 - (action - SEND) % 3)
    elif ACT <= action < SPECIAL:
        power_action(g, t, action - ACT)
    elif SPECIAL <= action < CONVERT:
        special_action(g, t, action - SPECIAL)
    elif TAKE_FAVOR <= action < TAKE_TOWN:
        take_favor(g, t, action - TAKE_FAVOR)
    elif TAKE_TOWN <= action < STEP:
        take_town(g, t, action - TAKE_TOWN)
    else:
        take_steps(g, action - STEP)


# ---------------------------------------------------------------------------------------------------- running on


@rule
def run_on(g, t):
    """Power offers, the next seat, the end of a round: on to the next decision or the end of the game."""
    while g.decision >= OFFERS:
        if g.decision == OFFERS:
            next_offer(g, t)
        elif g.decision == NEXT:
            next_turn(g, t)
        elif not next_cult_spades(g, t):
            clean_up(g, t)


@rule
def next_turn(g, t):
    """The second action of a double turn, the next seat's turn, or the end of the round."""
    g.turns_left -= 1
    if g.turns_left > 0 and not g.passed[g.turn]:
        begin_turn(g, np.int64(g.turn))
        return
    seat = next_seat(g)
    if seat != NONE:
        g.turns_left = 1
        begin_turn(g, seat)
    elif g.round_number < ROUNDS:
        cult_bonus(g, t)
    else:
        final_scoring(g, t)
        g.over = ENDED
        g.decision = MAIN
