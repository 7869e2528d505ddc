"""The course of a turn (rules §3): what a decision does, and what follows from it by itself."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.orbis import actions, state
from theogony.envs.orbis.components import ANY, COLOURS, DISPLAY, REGIONS
from theogony.envs.orbis.rules import effects
from theogony.envs.orbis.rules.pyramid import lay


@rule
def apply(g, t, action):
    """One decision, and on to the next one."""
    decide(g, t, action)
    while g.decision >= state.GENERATE:
        proceed(g, t)


@rule
def decide(g, t, action):
    """One decision; the phase that follows may be one that needs none."""
    seat = np.int64(g.actor)
    if action < actions.TAKE_GOD:
        take_tile(g, action - actions.TAKE_TILE)
    elif action < actions.EXCHANGE:
        take_god(g, t, seat, action - actions.TAKE_GOD)
    elif action < actions.FACE_UP:
        effects.exchange(g, seat, (action - actions.EXCHANGE) // COLOURS, (action - actions.EXCHANGE) % COLOURS)
        if g.decision == state.FINISH:
            g.decision = state.TRIM
    elif action < actions.PAY_COLOUR:
        choose_face(g, t, seat, action == actions.FACE_UP)
    elif action < actions.PLACE_AT:
        g.realm[seat, action - actions.PAY_COLOUR] -= 1
        g.due[ANY] -= 1
        if g.due[ANY] == 0:
            g.decision = state.PLACE
    elif action < actions.GAIN_COLOUR:
        g.cell = lay(g, t, seat, np.int64(g.hand), np.int64(g.face), np.int64(action) - actions.PLACE_AT)
        g.decision = effects.effect_due(g, t)
    elif action < actions.DECLINE:
        move_worshipper(g, t, seat, action)
    elif action == actions.DECLINE:
        effects.decline(g, t)
    else:
        g.decision = after_limit(g)


@rule
def take_tile(g, position):
    """§3.2: the tile leaves the display; what lies on it waits for step 2."""
    g.source = position
    g.hand = g.display[position]
    g.display[position] = state.NONE
    g.decision = state.GENERATE


@rule
def take_god(g, t, seat, god):
    """§3.3: a god turn; the offer is not refilled."""
    g.god[seat] = god
    g.offer &= ~(1 << god)
    g.decision = state.EFFECT if t.on_take[god] != 0 else state.TRIM


@rule
def choose_face(g, t, seat, up):
    """Step 3: the tile stays face-up and its named parts are paid, or it is turned over and nothing is paid."""
    g.decision = state.PLACE
    if up:
        g.face = state.UP
        effects.pay_named(g, t, seat, np.int64(g.hand))
        if g.due[ANY] > 0:
            g.decision = state.PAY_ANY
    else:
        g.face = state.WILDERNESS


@rule
def move_worshipper(g, t, seat, action):
    """One worshipper gained, given or destroyed in step 5, or discarded in step 6."""
    if action < actions.DISCARD:
        colour = action - actions.GAIN_COLOUR
        g.realm[seat, colour] += 1
        if effects.spend_due(g, colour):
            effects.end_effect(g)
    elif action < actions.DESTROY_AT:
        colour = action - actions.DISCARD
        g.realm[seat, colour] -= 1
        if g.decision == state.FINISH:
            g.begun = 1  # the discard closes the window for exchanges (A44)
            g.decision = state.TRIM
        elif effects.spend_due(g, colour):
            effects.fulfil(g, t)
    else:
        colour, position = (action - actions.DESTROY_AT) // DISPLAY, (action - actions.DESTROY_AT) % DISPLAY
        g.lying[position, colour] -= 1
        if effects.spend_due(g, colour):
            effects.fulfil(g, t)


@rule
def proceed(g, t):
    """One step that needs no decision."""
    if g.decision == state.GENERATE:
        effects.generate(g, t)
        g.decision = state.COLLECT
    elif g.decision == state.COLLECT:
        effects.collect(g)
        g.decision = state.PAY
    elif g.decision == state.EFFECT:
        effects.begin_effect(g, t)
    elif g.decision == state.TRIM:
        trim(g, t)
    elif g.decision == state.REFILL:
        effects.refill(g)
        g.decision = state.END
    else:
        end_turn(g)


@rule
def trim(g, t):
    """Step 6: is there something to decide?"""
    seat = np.int64(g.actor)
    if effects.total(g.realm[seat]) > state.LIMIT or (
        g.begun == 0 and t.late_exchange and effects.can_exchange(g, seat)
    ):
        g.decision = state.FINISH
    else:
        g.decision = after_limit(g)


@rule
def after_limit(g):
    """A region turn ends with the refill, a god turn without."""
    return state.REFILL if g.hand != state.NONE else state.END


@rule
def end_turn(g):
    """The next seat clockwise, or the end after fifteen turns of everybody (§7)."""
    g.turns += 1
    g.source = state.NONE
    g.hand = state.NONE
    g.face = 0
    g.cell = state.NONE
    g.begun = 0
    g.decision = state.CHOOSE
    if g.turns == (REGIONS + 1) * np.int64(g.players):
        g.over = ENDED
    else:
        g.actor = (g.actor + 1) % g.players
        g.turn = g.actor
