"""Rounds: preparation, hero and scene activations, the end of a round (rules 4)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war.rules.agenda import ask, pop, push, stop
from theogony.envs.god_of_war.rules.cards import discard_hand, hand_size, return_revealed
from theogony.envs.god_of_war.rules.figures import bodies_standing, seat_stands
from theogony.envs.god_of_war.state import (
    BEARER,
    F_ACTIVATION,
    F_DRAW,
    F_HERO_TURN,
    F_UPGRADE,
    IN_EXTRA_ACTIVATION,
    IN_HERO_ACTIVATION,
    IN_PREPARATION,
    IN_SCENE_ACTIVATION,
    IN_UPGRADE,
    ROUND_LIMIT,
    TURN,
)
from theogony.envs.god_of_war.words import MIMIR, MIMIR_HERO, NONE


@rule
def run_round(g, t, frame):
    """Preparation, activations, extra activation, upgrade phase (rules 4) (F_ROUND)."""
    stage, done = np.int64(frame[1]), np.int64(frame[2])
    seat = (np.int64(g.starting_player) + done) % g.players
    if stage == 0:
        g.round_number += 1
        g.phase = IN_PREPARATION
        g.active = g.starting_player
        frame[1] = 1
        if g.seat_of[MIMIR] != NONE and g.standing[MIMIR]:
            g.bearer = NONE
            g.column[MIMIR] = NONE
            return hang_mimir(g)
    elif stage == 1:
        if seat_stands(g, t, seat):
            push(g, F_DRAW, seat, g.hand_limit[seat] - hand_size(g, seat))
        next_stage(g, frame)
    elif stage == 2:
        g.active = seat
        g.moved[:] = 0
        acts = g.heroes[seat] != MIMIR_HERO and seat_stands(g, t, seat)
        push(g, F_ACTIVATION, 0, 0, 0, 0, acts, IN_SCENE_ACTIVATION)
        if acts:
            push(g, F_HERO_TURN, seat)
        next_stage(g, frame)
    elif stage == 3:
        g.active = g.starting_player
        frame[1] = 4
        push(g, F_ACTIVATION, 0, 0, 0, 0, 0, IN_EXTRA_ACTIVATION)
    elif stage == 4:
        for other in range(g.players):
            discard_hand(g, other)
        frame[1] = 5
        g.phase = IN_UPGRADE
        push(g, F_UPGRADE)
    else:
        end_round(g, t, frame)
    return False


@rule
def next_stage(g, frame):
    """The next seat of a stage that goes around the table, or the next stage."""
    frame[2] += 1
    if frame[2] == g.players:
        frame[1] += 1
        frame[2] = 0


@rule
def end_round(g, t, frame):
    """Cards not taken go under the upgrade deck, the token passes (rules 4.4); the round limit is an option."""
    return_revealed(g)
    g.starting_player = (g.starting_player + 1) % g.players
    g.active = g.starting_player
    frame[1] = 0
    if 0 < t.max_rounds <= g.round_number:
        stop(g, CUT_OFF, ROUND_LIMIT)


@rule
def hang_mimir(g):
    """Mimir is hung on a standing hero (rules 4.1); nobody is asked when there is only one."""
    if bodies_standing(g) > 1:
        return ask(g, g.seat_of[MIMIR], BEARER)
    for figure in range(g.standing.shape[0]):
        if g.standing[figure] and figure != MIMIR:
            hang_on(g, figure)
    return False


@rule
def hang_on(g, figure):
    """Mimir hangs on this figure."""
    g.bearer = figure
    g.column[MIMIR] = g.column[figure]


@rule
def hero_turn(g, t, frame):
    """A hero activation: action after action until the player ends it or has no standing figure (rules 5, R63)."""
    seat = np.int64(frame[1])
    g.phase = IN_HERO_ACTIVATION
    if frame[2] or not seat_stands(g, t, seat):
        pop(g)
        return False
    return ask(g, seat, TURN)
