"""The legal actions of every kind of decision (§5)."""

from __future__ import annotations

from theogony.envs.core.jit import rule
from theogony.envs.push_of_faith.actions import CENTRE, PLACE_AT, PUSH, REFILL_FROM, TOKEN
from theogony.envs.push_of_faith.components import FRAME, MAP_CELLS
from theogony.envs.push_of_faith.state import PLACE, STACKS, TAKE


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    if g.decision == TAKE:
        legal_pushes(g, mask)
        if not g.spent[g.actor]:
            legal_token(g, t, mask)
    elif g.decision == PLACE:
        legal_places(g, t, mask)
    else:
        for stack in range(STACKS):  # ruling R12b: among the stacks that are not empty
            if g.heights[stack] > 0:
                mask[REFILL_FROM + stack] = 1


@rule
def legal_pushes(g, mask):
    """A marker must move, and never to face the marker opposite (§5.1 A)."""
    for side in range(4):
        for index in range(3):
            mask[PUSH + 3 * side + index] = (index != g.markers[side]) & (index != g.markers[side ^ 1])


@rule
def legal_token(g, t, mask):
    """A token takes any map tile with its god's statue or terrain (§5.1 B)."""
    god = g.tokens[g.actor]
    for cell in range(MAP_CELLS):
        mask[TOKEN + cell] = t.shows[g.map[cell // 3, cell % 3], god]


@rule
def legal_places(g, t, mask):
    """An empty cell that shares an edge with a tile and keeps the world within 3x3 (§5.2)."""
    seat = g.actor
    occupied = g.occupied[seat]
    if occupied == 0:  # ruling R17b: the first tile lies in the centre of the frame
        mask[PLACE_AT + 4 * CENTRE : PLACE_AT + 4 * CENTRE + 4] = 1
        return
    top, bottom, left, right = g.box[seat, 0], g.box[seat, 1], g.box[seat, 2], g.box[seat, 3]
    for row in range(max(bottom - 2, 0), min(top + 2, FRAME - 1) + 1):
        for column in range(max(right - 2, 0), min(left + 2, FRAME - 1) + 1):
            cell = FRAME * row + column
            first = PLACE_AT + 4 * cell
            mask[first : first + 4] = ((occupied >> cell) & 1 == 0) & (occupied & t.beside[cell] != 0)
