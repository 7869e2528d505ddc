"""What each decision does, and how the game runs on (§5, §6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.terra_mystica import actions, state
from theogony.envs.terra_mystica.components import ROUNDS
from theogony.envs.terra_mystica.rules import rounds
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
from theogony.envs.terra_mystica.rules.scoring import final_scoring
from theogony.envs.terra_mystica.rules.setup import setup_action
from theogony.envs.terra_mystica.rules.targets import pay_tunnel, transform, transform_home, transform_partly
from theogony.envs.terra_mystica.rules.towns import connect, take_town


@rule
def apply(g, t, action):
    """One decision, then on to the next."""
    decide(g, t, action)
    run_on(g, t)


@rule
def decide(g, t, action):
    """What one decision changes. `run_on` goes on from there."""
    if g.decision == state.DRAFT or g.decision == state.SETTLE or g.decision == state.CARD:
        setup_action(g, t, action)
    elif actions.CONVERT <= action < actions.TAKE_FAVOR:
        apply_conversion(g, action)
        if g.decision == state.CULT_SPADES:
            g.decision = state.CULT_PHASE
    elif g.decision == state.LEECH:
        answer(g, t, action)
        g.decision = state.OFFERS
    elif g.decision == state.REWARD:
        take_steps(g, action - actions.STEP)
        g.decision = state.NEXT
    elif g.spade_use == state.PHASE_SPADES:
        apply_cult_spades(g, t, action)
    else:
        apply_turn(g, t, action)
    if g.decision == state.TURN and not goes_on(g, t):
        g.decision = state.OFFERS


@rule
def apply_conversion(g, action):
    """Conversions change no decision."""
    if action >= actions.BURN:
        burn(g, np.int64(g.actor), action - actions.BURN + 1)
    elif action >= actions.TO_PRIEST:
        turn_into_priests(g, action - actions.TO_PRIEST + 1)
    else:
        convert(g, action - actions.CONVERT)


@rule
def apply_cult_spades(g, t, action):
    """A space and its colour, or giving the spades of the cult bonus up (§5.3)."""
    seat = np.int64(g.actor)
    if action == actions.DONE:
        g.spades = 0
    elif actions.PARTLY <= action < actions.TO:
        if not transform_partly(g, t, action - actions.PARTLY):
            g.decision = state.COLOUR
            return
    elif actions.TO <= action < actions.UPGRADE:
        transform(g, t, action - actions.TO)
    else:
        transform_home(g, t, action - actions.TRANSFORM)
    g.spades_due[seat] = g.spades
    g.decision = state.CULT_PHASE


@rule
def apply_turn(g, t, action):
    """A main action, or a part of one that is going on."""
    if action == actions.DONE:
        g.decision = state.OFFERS
    elif actions.TRANSFORM <= action < actions.PARTLY:
        transform_home(g, t, action - actions.TRANSFORM)
        g.decision = state.TURN
    elif actions.PARTLY <= action < actions.TO:
        g.decision = state.TURN if transform_partly(g, t, action - actions.PARTLY) else state.COLOUR
    elif actions.TO <= action < actions.UPGRADE:
        transform(g, t, action - actions.TO)
        g.decision = state.TURN
    elif actions.CONNECT <= action < actions.ADVANCE:
        connect(g, t, action - actions.CONNECT)
        if g.decision == state.MAIN:
            g.connecting = 1  # founding is no action: the turn goes on when the tile is taken
        g.decision = state.TURN
    elif actions.PASS_WITH <= action <= actions.PASS:
        rounds.pass_round(g, t, action)
        g.decision = state.OFFERS
    else:
        apply_action(g, t, action)
        take_up(g, action)


@rule
def take_up(g, action):
    """The turn goes on; before a main action when only a river town was founded or a double turn began."""
    g.decision = state.TURN
    if action == actions.SPECIAL + S_ACTC:
        g.decision = state.MAIN
    if g.connecting and not compulsory(g):
        g.connecting = 0
        g.brought = 0
        g.decision = state.MAIN


@rule
def apply_action(g, t, action):
    """All actions that leave the turn to go on."""
    seat = np.int64(g.actor)
    if actions.BUILD <= action < actions.TRANSFORM:
        space = action - actions.BUILD
        if g.decision == state.MAIN and t.skips[g.faction[seat]] and not holds(g.near[seat], space):
            pay_tunnel(g, seat)
        build_dwelling(g, t, space)
    elif actions.UPGRADE <= action < actions.BRIDGE:
        upgrade(g, t, (action - actions.UPGRADE) // 4, (action - actions.UPGRADE) % 4)
    elif actions.BRIDGE <= action < actions.CONNECT:
        build_bridge(g, t, action - actions.BRIDGE)
    elif actions.ADVANCE <= action < actions.SEND:
        advance(g, t, action - actions.ADVANCE)
    elif actions.SEND <= action < actions.ACT:
        send_priest(g, t, (action - actions.SEND) // 3, 3 - (action - actions.SEND) % 3)
    elif actions.ACT <= action < actions.SPECIAL:
        power_action(g, t, action - actions.ACT)
    elif actions.SPECIAL <= action < actions.CONVERT:
        special_action(g, t, action - actions.SPECIAL)
    elif actions.TAKE_FAVOR <= action < actions.TAKE_TOWN:
        take_favor(g, t, action - actions.TAKE_FAVOR)
    elif actions.TAKE_TOWN <= action < actions.STEP:
        take_town(g, t, action - actions.TAKE_TOWN)
    else:
        take_steps(g, action - actions.STEP)


# ---------------------------------------------------------------------------------------------------- running on


@rule
def run_on(g, t):
    """On to the next decision or the end of the game."""
    while g.decision >= state.OFFERS:
        next_station(g, t)


@rule
def next_station(g, t):
    """Power offers, the next seat, the spades at the end of a round."""
    if g.decision == state.OFFERS:
        next_offer(g, t)
    elif g.decision == state.NEXT:
        next_turn(g, t)
    elif not rounds.next_cult_spades(g, t):
        rounds.clean_up(g, t)


@rule
def next_turn(g, t):
    """The second action of a double turn, the next seat's turn, or the end of the round."""
    g.turns_left -= 1
    if g.turns_left > 0 and not g.passed[g.turn]:
        rounds.begin_turn(g, np.int64(g.turn))
        return
    seat = rounds.next_seat(g)
    if seat != state.NONE:
        g.turns_left = 1
        rounds.begin_turn(g, seat)
    elif g.round_number < ROUNDS:
        rounds.cult_bonus(g, t)
    else:
        final_scoring(g, t)
        g.over = ENDED
        g.decision = state.MAIN
