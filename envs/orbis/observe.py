"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.orbis.actions import SLOTS
from theogony.envs.orbis.components import (
    ANY,
    COLOURS,
    DISPLAY,
    FOREST,
    GODS,
    IRRIGATION,
    LEVELS,
    REGIONS,
    VILLAGE,
    VOLCANO,
)
from theogony.envs.orbis.components.tables import CELL, CELL_COLUMNS, CELL_SCALES, FACE, FACE_COLUMNS, FACE_SCALES
from theogony.envs.orbis.rules import pyramid
from theogony.envs.orbis.rules.effects import BESIDE, named_due
from theogony.envs.orbis.rules.scoring import HIGHEST, active_forests, mythology_below, points_but_token, temple_points
from theogony.envs.orbis.state import CHOOSE, DECISIONS, NONE, PAY, PLACE, STRIDE, WILDERNESS

CELLS_IN_ORDER = np.array(pyramid.PYRAMID)
IS_WILDERNESS = np.array([1] * (COLOURS + 1) + [0] * (CELL - COLOURS - 1), np.uint8)  # it counts as every colour
ACTIVE, CANCELLED = COLOURS + 1, COLOURS + 2  # columns of a cell

# scales
POINT = 25
NEEDS = 2
REACH_COLUMNS = (
    "worshippers that the observer lacks to pay it, exchanges not counted, whether it could be placed, whether its "
    "condition can be met now, whether it could help a forest"
)
REACH_SCALES = (5, 1, 1, 1)
SLOT_COLUMNS = (
    "whether it fits, whether its condition is met there, neighbours that match it as a forest, forests that it helps, "
    "points of those that lack no more"
)
SLOT_SCALES = (1, 1, 3, 2, 5)
LYING, DUE, REALM, COUNT, ICONS, MYTHOLOGY, TOKEN = 4, 6, 5, 5, 6, 13, 11


def layout(players: int, tiles: int) -> FeatureLayout:
    """The features for a player count and a number of tiles in the tile list."""
    return FeatureLayout(
        Feature("decision", (len(DECISIONS),), f"kind of the decision that is due: {', '.join(DECISIONS)}"),
        Feature("my_turn", (1,), "whether the observer decides"),
        Feature("begun", (1,), "whether an effect or the discard at the end of the turn was begun"),
        Feature("turns", (1,), "share of all turns that are over", scale=(REGIONS + 1) * players),
        Feature("display", (DISPLAY, FACE), f"tile in each position: {FACE_COLUMNS}", 0, 10, FACE_SCALES),
        Feature("lying", (DISPLAY, COLOURS), "worshippers on each position by colour", 0, 14, LYING),
        Feature("hand", (FACE,), "the tile taken in this turn, described as in the display", 0, 10, FACE_SCALES),
        Feature("face", (2,), "its face: up, wilderness"),
        Feature("due", (COLOURS + 1,), "worshippers still to pay, gain or give, by colour and any", 0, 2, DUE),
        Feature("unseen", (tiles,), "which tiles of the list are still in the piles"),
        Feature("next_level", (LEVELS,), "level of the next tile"),
        Feature("offer", (GODS,), "gods on offer"),
        Feature("realm", (players, COLOURS), "worshippers by colour", 0, 20, REALM),
        Feature("farms", (players, COLOURS), "colours that farms waive"),
        Feature("god", (players, GODS), "the god of each seat"),
        Feature("discard_done", (players,), "whether the god's discard was done"),
        Feature("placed", (players,), "share of the pyramid that is placed", scale=REGIONS),
        Feature("points", (players,), "points if the game ended now", -1, 4, POINT),
        Feature("active", (players, 4), "active villages, volcanoes, irrigation and forests", 0, 3, COUNT),
        Feature("icons", (players,), "temples", 0, 4, ICONS),
        Feature("mythology", (players,), "highest mythology value that breaks a tie", 0, 8, MYTHOLOGY),
        Feature("temple_token", (players,), "temple token if the game ended now", 0, 5, TOKEN),
        Feature("wilderness", (players,), "wildernesses", scale=REGIONS),
        Feature(
            "pyramid", (players, REGIONS, CELL), f"cells by rows from the bottom: {CELL_COLUMNS}", 0, 10, CELL_SCALES
        ),
        Feature("right_end", (CELL,), "the last tile of the observer's bottom row, as a cell", 0, 10, CELL_SCALES),
        Feature("missing", (REGIONS + 1,), "neighbours that the observer's forests lack, by cell and at the right end",
                0, 3, NEEDS),
        Feature("reach", (DISPLAY + 1, 4), f"the tiles that may be taken, and the one in hand: {REACH_COLUMNS}", 0, 3,
                REACH_SCALES),
        Feature("slots", (SLOTS, 5), f"the tile in hand at each slot, before it is placed: {SLOT_COLUMNS}", 0, 10,
                SLOT_SCALES),
    )  # fmt: skip


@rule
def observe(g, t, seat, f):
    """What a seat may know: everything but the order of the piles (A30)."""
    players = np.int64(g.players)
    f.decision[g.decision] = 1
    f.my_turn[0] = g.actor == seat
    f.begun[0] = g.begun
    f.turns[0] = g.turns
    observe_display(g, t, f)
    if g.hand != NONE:
        copy_array(f.hand, t.face[g.hand])
        if g.face != 0:
            f.face[g.face - 1] = 1
        copy_array(f.due, g.due)
    else:
        f.due[COLOURS] = g.due[COLOURS]
    to_come = np.int64(t.deck) - DISPLAY
    for k in range(np.int64(g.drawn), to_come):
        f.unseen[g.pile[k]] = 1
    if g.drawn < to_come:
        f.next_level[t.level[g.pile[g.drawn]] - 1] = 1
    for god in range(GODS):
        f.offer[god] = (g.offer >> god) & 1
    for row in range(players):
        other = np.int64(seat) + row
        if other >= players:
            other -= players
        observe_seat(g, t, other, row, f)
        observe_pyramid(g, t, other, f.pyramid[row])
    observe_own(g, t, np.int64(seat), f)


@rule
def observe_display(g, t, f):
    """Tiles and worshippers of the display."""
    for position in range(DISPLAY):
        if g.display[position] != NONE:
            copy_array(f.display[position], t.face[g.display[position]])
    copy_array(f.lying, g.lying)


@rule
def observe_seat(g, t, seat, row, f):
    """Worshippers, farms, god and counts of a seat."""
    copy_array(f.realm[row], g.realm[seat])
    for colour in range(COLOURS):
        f.farms[row, colour] = (g.farms[seat] >> colour) & 1
    if g.god[seat] != NONE:
        f.god[row, g.god[seat]] = 1
    f.discard_done[row] = g.taken[seat]
    f.placed[row] = g.placed[seat]
    token = temple_points(g, t, seat)
    f.points[row] = min(max(points_but_token(g, t, seat) + token, -POINT), 4 * POINT) + POINT
    for kind in range(3):
        f.active[row, kind] = g.counts[seat, kind]
    f.active[row, 3] = active_forests(g, t, seat)
    f.icons[row] = min(np.int64(g.icons[seat]), 4 * ICONS)
    f.mythology[row] = mythology_below(g, t, seat, HIGHEST)[0]
    f.temple_token[row] = min(token, 5 * TOKEN)
    f.wilderness[row] = pyramid.count_bits(g.wild[seat])


@rule
def observe_pyramid(g, t, seat, f):
    """A pyramid cell by cell."""
    wild, active, cancelled = np.int64(g.wild[seat]), np.int64(g.active[seat]), np.int64(g.cancelled[seat])
    for k in range(REGIONS):
        cell = CELLS_IN_ORDER[k]
        tile = g.tiles[seat, cell]
        if tile == NONE:
            continue
        if (wild >> cell) & 1:
            copy_array(f[k], IS_WILDERNESS)
            continue
        copy_array(f[k], t.laid[tile])
        f[k, ACTIVE] = (active >> cell) & 1
        f[k, CANCELLED] = (cancelled >> cell) & 1


# ------------------------------------------------------------------------- what could be done


@rule
def observe_own(g, t, seat, f):
    """What the observer's forests lack, and what it could do with the tiles that it may take or has in hand."""
    width = pyramid.bottom_width(g, seat)
    forests, hungry = np.int64(g.forests[seat]), np.int64(0)
    if forests:
        for k in range(REGIONS):
            cell = CELLS_IN_ORDER[k]
            if (forests >> cell) & 1:
                missing = np.int64(t.number[g.tiles[seat, cell]]) - pyramid.forest_matches(g, t, seat, cell)
                if missing > 0:
                    f.missing[k] = missing
                    hungry |= np.int64(1) << cell
    if width > 0:
        copy_array(f.right_end, f.pyramid[0, width - 1])
        f.missing[REGIONS] = f.missing[width - 1]
    if g.decision == CHOOSE:
        for position in range(DISPLAY):
            observe_reach(g, t, seat, np.int64(g.display[position]), position, width, hungry, f.reach[position])
    elif seat == g.actor and (g.decision == PAY or g.decision == PLACE):
        if g.decision == PAY:
            observe_reach(g, t, seat, np.int64(g.hand), DISPLAY, width, hungry, f.reach[DISPLAY])
        observe_slots(g, t, seat, width, hungry, f)


@rule
def observe_reach(g, t, seat, tile, position, width, hungry, row):
    """A tile for a seat, as REACH_COLUMNS says; at position DISPLAY it is in hand."""
    named, spare, free = 0, 0, np.int64(t.cost[tile, ANY])
    for colour in range(COLOURS):
        have = np.int64(g.realm[seat, colour])
        if position < DISPLAY:
            have += np.int64(g.lying[position, colour])
        due = named_due(g, t, seat, tile, colour)
        named += max(due - have, 0)
        spare += max(have - due, 0)
    row[0] = min(named + max(free - spare, 0), 3 * REACH_SCALES[0])
    cells = places_for(g, seat, np.int64(t.colour[tile]), width)
    row[1] = cells != 0
    effect = t.effect[tile]
    if effect == VILLAGE:
        row[2] = spare - free >= t.number[tile]
    elif effect == VOLCANO:
        row[2] = could_erupt(g, t, tile, position)
    else:
        row[2] = fed_somewhere(g, t, seat, tile, cells, width)
    row[3] = helped(g, t, seat, np.int64(t.colour[tile]), cells, width, hungry)[0] > 0


@rule
def places_for(g, seat, colour, width):
    """Cells where a tile of a colour could lie, but for the left end of the bottom row, where it could if at its right
    end."""
    cells = pyramid.open_cells(g, seat, colour)
    return cells | (1 << width) if width < STRIDE else cells


@rule
def could_erupt(g, t, tile, position):
    """Whether a volcano at a position of the display, or in hand, could be fed by what will lie on the others."""
    there = 0
    for colour in range(COLOURS):
        lying = 0
        for other in range(DISPLAY):
            if other != position:
                lying += np.int64(g.lying[other, colour])
        if colour == t.colour[tile] and position < DISPLAY:
            for k in range(BESIDE.shape[1]):
                lying += BESIDE[position, k] != NONE
        if lying < t.parts[tile, colour]:
            return False
        there += lying
    return there >= t.number[tile]


@rule
def fed_somewhere(g, t, seat, tile, cells, width):
    """Whether the condition of a tile, if it has one that goes by its place, is met in one of the cells now."""
    effect = t.effect[tile]
    if effect != IRRIGATION and effect != FOREST:
        return True
    if (
        effect == FOREST
        and width < STRIDE
        and pyramid.count_bits(pyramid.wanted(g, t, seat, tile) & 1) >= t.number[tile]
    ):
        return True  # at the left end
    cell = 0
    while cells:
        if cells & 1 and fed(g, t, seat, tile, cell, np.int64(pyramid.NEIGHBOURS[cell])):
            return True
        cells >>= 1
        cell += 1
    return False


@rule
def fed(g, t, seat, tile, cell, around):
    """Whether the condition of a tile, if it has one that goes by its place, is met in a cell that touches others."""
    effect = t.effect[tile]
    if effect == IRRIGATION:
        return pyramid.irrigated(g, t, seat, tile, cell)
    return effect != FOREST or pyramid.count_bits(pyramid.wanted(g, t, seat, tile) & around) >= t.number[tile]


@rule
def helped(g, t, seat, colour, cells, width, hungry):
    """Forests beside one of the cells that lack a neighbour of a colour (or any), and the points of those that lack
    just one. The left end of the bottom row, if it is not full, is beside the first cell."""
    number, points, cell = 0, 0, 0
    while hungry:
        if hungry & 1 and (pyramid.NEIGHBOURS[cell] & cells or (cell == 0 and width < STRIDE)):
            tile = g.tiles[seat, cell]
            if colour == ANY or t.parts[tile, colour] > 0 or t.parts[tile, ANY] > 0:
                number += 1
                if pyramid.forest_matches(g, t, seat, cell) + 1 == t.number[tile]:
                    points += np.int64(t.cp[tile])
        hungry >>= 1
        cell += 1
    return number, points


@rule
def observe_slots(g, t, seat, width, hungry, f):
    """The tile in hand at each slot, as SLOT_COLUMNS says; before it has a face, as if it stayed up."""
    hand, up = np.int64(g.hand), g.face != WILDERNESS
    colour = np.int64(t.colour[hand]) if up else np.int64(ANY)
    cells = places_for(g, seat, colour, width)
    for slot in range(SLOTS):
        cell = np.int64(pyramid.SLOT_CELLS[slot]) if slot > pyramid.RIGHT else width
        if (cells >> cell) & 1 == 0 or (slot == pyramid.LEFT and width == 0):
            continue
        row = f.slots[slot]
        left = slot == pyramid.LEFT
        around = np.int64(1) if left else np.int64(pyramid.NEIGHBOURS[cell])
        row[0] = 1
        if up:
            row[1] = fed(g, t, seat, hand, cell, around)
            if t.effect[hand] == FOREST:
                row[2] = pyramid.count_bits(pyramid.wanted(g, t, seat, hand) & around)
        here = np.int64(0) if left else np.int64(1) << cell
        number, points = helped(g, t, seat, colour, here, width if left else np.int64(STRIDE), hungry)
        row[3] = number
        row[4] = min(points, 10 * SLOT_SCALES[4])
