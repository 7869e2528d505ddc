"""The course of a turn (rules §3): what a decision does, and what follows from it by itself."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.orbis.actions import (
    DECLINE,
    DESTROY_AT,
    DISCARD,
    EXCHANGE,
    FACE_UP,
    GAIN_COLOUR,
    PAY_COLOUR,
    PLACE_AT,
    TAKE_GOD,
    TAKE_TILE,
)
from theogony.envs.orbis.components import ANY, COLOURS, DISPLAY, REGIONS
from theogony.envs.orbis.rules.effects import (
    begin_effect,
    can_exchange,
    collect,
    decline,
    effect_due,
    end_effect,
    exchange,
    fulfil,
    generate,
    pay_named,
    refill,
    spend_due,
    total,
)
from theogony.envs.orbis.rules.pyramid import lay
from theogony.envs.orbis.state import (
    CHOOSE,
    COLLECT,
    EFFECT,
    END,
    FINISH,
    GENERATE,
    LIMIT,
    NONE,
    PAY,
    PAY_ANY,
    PLACE,
    REFILL,
    TRIM,
    UP,
    WILDERNESS,
)


@rule
def apply(g, t, action):
    """One decision, and on to the next one."""
    decide(g, t, action)
    while g.decision >= GENERATE:
        proceed(g, t)


@rule
def decide(g, t, action):
    """One decision; the phase that follows may be one that needs none."""
    seat = np.int64(g.actor)
    if action < TAKE_GOD:
        take_tile(g, action - TAKE_TILE)
    elif action < EXCHANGE:
        take_god(g, t, seat, action - TAKE_GOD)
    elif action < FACE_UP:
        exchange(g, seat, (action - EXCHANGE) // COLOURS, (action - EXCHANGE) % COLOURS)
        if g.decision == FINISH:
            g.decision = TRIM
    elif action < PAY_COLOUR:
        choose_face(g, t, seat, action == FACE_UP)
    elif action < PLACE_AT:
        g.realm[seat, action - PAY_COLOUR] -= 1
        g.due[ANY] -= 1
        if g.due[ANY] == 0:
            g.decision = PLACE
    elif action < GAIN_COLOUR:
        g.cell = lay(g, t, seat, np.int64(g.hand), np.int64(g.face), np.int64(action) - PLACE_AT)
        g.decision = effect_due(g, t)
    elif action < DECLINE:
        move_worshipper(g, t, seat, action)
    elif action == DECLINE:
        decline(g, t)
    else:
        g.decision = after_limit(g)


@rule
def take_tile(g, position):
    """§3.2: the tile leaves the display; what lies on it waits for step 2."""
    g.source = position
    g.hand = g.display[position]
    g.display[position] = NONE
    g.decision = GENERATE


@rule
def take_god(g, t, seat, god):
    """§3.3: a god turn; the offer is not refilled."""
    g.god[seat] = god
    g.offer &= ~(1 << god)
    g.decision = EFFECT if t.on_take[god] != 0 else TRIM


@rule
def choose_face(g, t, seat, up):
    """Step 3: the tile stays face-up and its named parts are paid, or it is turned over and nothing is paid."""
    g.decision = PLACE
    if up:
        g.face = UP
        pay_named(g, t, seat, np.int64(g.hand))
        if g.due[ANY] > 0:
            g.decision = PAY_ANY
    else:
        g.face = WILDERNESS


@rule
def move_worshipper(g, t, seat, action):
    """One worshipper gained, given or destroyed in step 5, or discarded in step 6."""
    if action < DISCARD:
        colour = action - GAIN_COLOUR
        g.realm[seat, colour] += 1
        if spend_due(g, colour):
            end_effect(g)
    elif action < DESTROY_AT:
        colour = action - DISCARD
        g.realm[seat, colour] -= 1
        if g.decision == FINISH:
            g.begun = 1  # the discard closes the window for exchanges (A44)
            g.decision = TRIM
        elif spend_due(g, colour):
            fulfil(g, t)
    else:
        colour, position = (action - DESTROY_AT) // DISPLAY, (action - DESTROY_AT) % DISPLAY
        g.lying[position, colour] -= 1
        if spend_due(g, colour):
            fulfil(g, t)


@rule
def proceed(g, t):
    """One step that needs no decision."""
    if g.decision == GENERATE:
        generate(g, t)
        g.decision = COLLECT
    elif g.decision == COLLECT:
        collect(g)
        g.decision = PAY
    elif g.decision == EFFECT:
        begin_effect(g, t)
    elif g.decision == TRIM:
        trim(g, t)
    elif g.decision == REFILL:
        refill(g)
        g.decision = END
    else:
        end_turn(g)


@rule
def trim(g, t):
    """Step 6: is there something to decide?"""
    seat = np.int64(g.actor)
    if total(g.realm[seat]) > LIMIT or (g.begun == 0 and t.late_exchange and can_exchange(g, seat)):
        g.decision = FINISH
    else:
        g.decision = after_limit(g)


@rule
def after_limit(g):
    """A region turn ends with the refill, a god turn without."""
    return REFILL if g.hand != NONE else END


@rule
def end_turn(g):
    """The next seat clockwise, or the end after fifteen turns of everybody (§7)."""
    g.turns += 1
    g.source = NONE
    g.hand = NONE
    g.face = 0
    g.cell = NONE
    g.begun = 0
    g.decision = CHOOSE
    if g.turns == (REGIONS + 1) * np.int64(g.players):
        g.over = ENDED
    else:
        g.actor = (g.actor + 1) % g.players
        g.turn = g.actor
