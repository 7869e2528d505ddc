"""What the acting seat may do (rules §3), by the kind of decision that is due."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.orbis import actions
from theogony.envs.orbis.components import ANY, COLOURS, DISPLAY, GODS, REGIONS
from theogony.envs.orbis.rules.effects import RATE, payable, total
from theogony.envs.orbis.rules.pyramid import LEFT, RIGHT, SLOT_CELLS, bottom_width, has_slot, open_cells
from theogony.envs.orbis.state import CHOOSE, FINISH, GAIN, GIVE, LIMIT, NONE, PAY, PAY_ANY, PLACE, STRIDE, UP


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    seat = np.int64(g.actor)
    if g.decision == CHOOSE:
        legal_choice(g, mask, seat)
    elif g.decision == PAY:
        legal_faces(g, t, mask, seat)
    elif g.decision == PLACE:
        legal_slots(g, t, mask, seat)
    elif g.decision == PAY_ANY:
        legal_colours(g, mask, seat, np.int64(actions.PAY_COLOUR))
    elif g.decision == FINISH:
        legal_finish(g, t, mask, seat)
    else:
        legal_effect(g, t, mask, seat)


@rule
def legal_choice(g, mask, seat):
    """§3: a region while the pyramid has room, a god while the seat has none (A17)."""
    if g.placed[seat] < REGIONS:
        mask[actions.TAKE_TILE : actions.TAKE_TILE + DISPLAY] = 1
    if g.god[seat] == NONE:
        for god in range(GODS):
            mask[actions.TAKE_GOD + god] = (g.offer >> god) & 1


@rule
def legal_faces(g, t, mask, seat):
    """Step 3: exchange; keep the tile face-up if it can be paid and placed (A5); turn it over (A4)."""
    legal_exchanges(g, t, mask, seat)
    face_up = payable(g, t, seat, np.int64(g.hand)) and has_slot(g, seat, np.int64(t.colour[g.hand]))
    if face_up:
        mask[actions.FACE_UP] = 1
    if t.free_wilderness or not face_up:
        mask[actions.TURN_OVER] = 1


@rule
def legal_exchanges(g, t, mask, seat):
    """§3.1: three of a colour for one of another (A45)."""
    for give in range(COLOURS):
        if g.realm[seat, give] >= RATE:
            first = actions.EXCHANGE + COLOURS * give
            mask[first : first + COLOURS] = 1
            if t.same_colour_exchange == 0:
                mask[first + give] = 0


@rule
def legal_colours(g, mask, seat, first):
    """One of each colour in the realm."""
    for colour in range(COLOURS):
        if g.realm[seat, colour] > 0:
            mask[first + colour] = 1


@rule
def legal_slots(g, t, mask, seat):
    """Step 4: the ends of the bottom row, and the open cells above (§4)."""
    width = bottom_width(g, seat)
    if width < STRIDE:
        mask[actions.PLACE_AT + RIGHT] = 1
        if width > 0:
            mask[actions.PLACE_AT + LEFT] = 1
    cells = open_cells(g, seat, np.int64(t.colour[g.hand]) if g.face == UP else np.int64(ANY))
    for slot in range(RIGHT + 1, actions.SLOTS):
        if (cells >> SLOT_CELLS[slot]) & 1:
            mask[actions.PLACE_AT + slot] = 1


@rule
def legal_effect(g, t, mask, seat):
    """Step 5: gain, give or destroy one by one. Before the first an exchange is possible, and mostly a no."""
    if g.begun == 0:
        legal_exchanges(g, t, mask, seat)
        if g.decision != GAIN or (t.optional_gains and g.hand != NONE):
            mask[actions.DECLINE] = 1
    if g.decision == GAIN:
        for colour in range(COLOURS):
            if g.due[colour] > 0 or g.due[ANY] > 0:
                mask[actions.GAIN_COLOUR + colour] = 1
    elif g.decision == GIVE:
        if total(g.realm[seat]) >= g.due[ANY]:  # an exchange may have cost too many
            legal_colours(g, mask, seat, np.int64(actions.DISCARD))
    else:
        for colour in range(COLOURS):
            if g.due[colour] > 0 or g.due[ANY] > 0:
                for position in range(DISPLAY):
                    if g.lying[position, colour] > 0:
                        mask[actions.DESTROY_AT + DISPLAY * colour + position] = 1


@rule
def legal_finish(g, t, mask, seat):
    """Step 6: exchange, or discard down to the limit (A44, A46), or end the turn."""
    if g.begun == 0:
        legal_exchanges(g, t, mask, seat)
    if total(g.realm[seat]) > LIMIT:
        legal_colours(g, mask, seat, np.int64(actions.DISCARD))
    else:
        mask[actions.END_TURN] = 1
