"""What each decision does, and how the game runs on (§5, §6)."""

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
    SEND,
    SPECIAL,
    STEP,
    TAKE_FAVOR,
    TAKE_TOWN,
    TO,
    TO_PRIEST,
    TRANSFORM,
    UPGRADE,
)
from theogony.envs.terra_mystica.components import ROUNDS
from theogony.envs.terra_mystica.rules.actions import (
    S_ACTC,
    advance,
    build_bridge,
    power_action,
    special_action,
    take_favor,
)
from theogony.envs.terra_mystica.rules.bits import holds
from theogony.envs.terra_mystica.rules.building import build_dwelling, upgrade
from theogony.envs.terra_mystica.rules.legal import answer, compulsory, goes_on, next_offer
from theogony.envs.terra_mystica.rules.power import burn, convert, send_priest, take_steps, turn_into_priests
from theogony.envs.terra_mystica.rules.rounds import (
    begin_turn,
    clean_up,
    cult_bonus,
    next_cult_spades,
    next_seat,
    pass_round,
)
from theogony.envs.terra_mystica.rules.scoring import final_scoring
from theogony.envs.terra_mystica.rules.setup import setup_action
from theogony.envs.terra_mystica.rules.targets import pay_tunnel, transform, transform_home, transform_partly
from theogony.envs.terra_mystica.rules.towns import connect, take_town
from theogony.envs.terra_mystica.state import (
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
    SETTLE,
    TURN,
)


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
        if g.decision == CULT_SPADES:
            g.decision = CULT_PHASE
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
        if not transform_partly(g, t, action - PARTLY):
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
        g.decision = TURN if transform_partly(g, t, action - PARTLY) else COLOUR
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
            pay_tunnel(g, seat)
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
    """On to the next decision or the end of the game."""
    while g.decision >= OFFERS:
        next_station(g, t)


@rule
def next_station(g, t):
    """Power offers, the next seat, the spades at the end of a round."""
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
