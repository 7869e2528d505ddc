"""Rounds: preparation, hero and scene activations, the end of a round (§4)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war import codes, state
from theogony.envs.god_of_war.rules.activation import ACTIVATION_WINDOW
from theogony.envs.god_of_war.rules.agenda import ask, pop, push, stop
from theogony.envs.god_of_war.rules.cards import discard_all, hand_size, return_revealed
from theogony.envs.god_of_war.rules.figures import bodies_standing, seat_stands
from theogony.envs.god_of_war.rules.usable import ask_window, mimir_can_act

# The names of places and stages of its frames, see `codes.py`.
ROUND_BEGINS, ROUND_DRAWS, ROUND_TURNS, ROUND_EXTRA, ROUND_WINDOW, ROUND_DISCARDS, ROUND_ENDS = range(7)
DONE = 2  # seats done in this stage of a round
TURN_SEAT, TURN_ENDED, TURN_REFUSED = 1, 2, 3
MIMIR_ACTED = 1


@rule
def run_round(g, t, frame):
    """Preparation, activations, extra activation, last window, upgrade phase (§4) (F_ROUND)."""
    stage, done = np.int64(frame[codes.STAGE]), np.int64(frame[DONE])
    seat = (np.int64(g.starting_player) + done) % g.players
    if stage == ROUND_BEGINS:
        return begin_round(g, frame)
    if stage == ROUND_DRAWS:
        push(g, codes.F_DRAW, seat, g.hand_limit[seat] - hand_size(g, seat))
        next_stage(g, frame)
    elif stage == ROUND_TURNS:
        begin_turn(g, t, seat)
        next_stage(g, frame)
    elif stage == ROUND_EXTRA:
        g.active = g.starting_player
        frame[codes.STAGE] = ROUND_WINDOW
        push(g, codes.F_ACTIVATION, ACTIVATION_WINDOW, 0, 0, 0, state.IN_EXTRA_ACTIVATION)
    elif stage == ROUND_WINDOW:
        g.phase = state.IN_ROUND_END
        if ask_window(g, t, np.int64(g.starting_player), frame, state.END_WINDOW):
            return True
        next_stage(g, frame)
    elif stage == ROUND_DISCARDS:
        for other in range(g.players):
            discard_all(g, other, g.hand[other])
        frame[codes.STAGE] += 1
        g.phase = state.IN_UPGRADE
        push(g, codes.F_UPGRADE)
    else:
        end_round(g, t, frame)
    return False


@rule
def next_stage(g, frame):
    """The next seat of a stage that goes around the table, or the next stage."""
    if frame[DONE] < g.players:
        frame[DONE] += 1
    if frame[DONE] == g.players:
        frame[codes.STAGE] += 1
        frame[DONE] = 0


@rule
def begin_round(g, frame):
    """Mimir is hung on a hero before anybody draws (§4.1; rulings R51, R69)."""
    g.round_number += 1
    g.phase = state.IN_PREPARATION
    g.active = g.starting_player
    frame[codes.STAGE] = ROUND_DRAWS
    if g.seat_of[codes.MIMIR] == codes.NONE or not g.standing[codes.MIMIR]:
        return False
    g.bearer = codes.NONE
    g.column[codes.MIMIR] = codes.NONE
    return hang_mimir(g)


@rule
def begin_turn(g, t, seat):
    """A hero activation, except for Mimir's and knocked-out players, then a scene activation (§4.2)."""
    g.active = seat
    g.moved[:] = 0
    push(g, codes.F_ACTIVATION, ACTIVATION_WINDOW, 0, 0, 0, state.IN_SCENE_ACTIVATION)
    if g.heroes[seat] != codes.MIMIR_HERO and seat_stands(g, t, seat):
        push(g, codes.F_HERO_TURN, seat)


@rule
def end_round(g, t, frame):
    """Cards not taken go under the upgrade deck, the token passes (§4.4); the round limit is an option."""
    return_revealed(g)
    g.starting_player = (g.starting_player + 1) % g.players
    frame[codes.STAGE] = ROUND_BEGINS
    if 0 < t.max_rounds <= g.round_number:
        stop(g, CUT_OFF, state.ROUND_LIMIT)


@rule
def hang_mimir(g):
    """Mimir is hung on a standing hero (§4.1); nobody is asked when there is only one."""
    if bodies_standing(g) > 1:
        return ask(g, g.seat_of[codes.MIMIR], state.BEARER)
    for figure in range(g.standing.shape[0]):
        if g.standing[figure] and figure != codes.MIMIR:
            hang_on(g, figure)
    return False


@rule
def hang_on(g, figure):
    """Mimir hangs on this figure."""
    g.bearer = figure
    g.column[codes.MIMIR] = g.column[figure]


@rule
def hero_turn(g, t, frame):
    """A hero activation: action after action until the player ends it or has nobody who stands (§5, ruling R63)."""
    seat = np.int64(frame[TURN_SEAT])
    g.phase = state.IN_HERO_ACTIVATION
    if frame[TURN_ENDED] or not seat_stands(g, t, seat):
        pop(g)
        return False
    return ask(g, seat, state.TURN)


@rule
def mimir_turn(g, t):
    """Mimir's player acts in his bearer's activation, until done or until there is nothing to do (ruling R46)."""
    if not mimir_can_act(g, t):
        pop(g)
        return False
    return ask(g, g.seat_of[codes.MIMIR], state.MIMIR_TURN)


@rule
def note_action(g, frame):
    """Something is done in an activation: Mimir's player may be asked again, or did something when asked."""
    if g.decision == state.TURN:
        frame[TURN_REFUSED] = 0
    elif g.decision == state.MIMIR_TURN:
        frame[MIMIR_ACTED] = 1


@rule
def end_turn(frame):
    """The activation ends."""
    frame[TURN_ENDED] = 1


@rule
def ask_mimir(g):
    """Mimir's player is asked within the activation of its bearer."""
    push(g, codes.F_MIMIR)


@rule
def mimir_done(g, frame):
    """Mimir's player is done. One who did nothing is not asked again before the bearer's player did something."""
    if frame[MIMIR_ACTED] == 0:
        g.agenda[g.depth - 2, TURN_REFUSED] = 1
    pop(g)
