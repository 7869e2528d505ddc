"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.orbis.components import COLOURS, DISPLAY, GODS, LEVELS, REGIONS
from theogony.envs.orbis.components.tables import CELL, CELL_COLUMNS, CELL_SCALES, FACE, FACE_COLUMNS, FACE_SCALES
from theogony.envs.orbis.rules.pyramid import PYRAMID, count_bits
from theogony.envs.orbis.rules.scoring import (
    HIGHEST,
    active_forests,
    mythology_below,
    points_but_token,
    temple_points,
)
from theogony.envs.orbis.state import DECISIONS, NONE

CELLS_IN_ORDER = np.array(PYRAMID)
IS_WILDERNESS = np.array([1] * (COLOURS + 1) + [0] * (CELL - COLOURS - 1), np.uint8)  # it counts as every colour
ACTIVE, CANCELLED = COLOURS + 1, COLOURS + 2  # columns of a cell

# scales
POINT = 25
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
    )


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
    f.wilderness[row] = count_bits(g.wild[seat])


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
