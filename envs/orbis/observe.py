"""The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.jit import rule
from theogony.envs.orbis.components import COLOURS, DISPLAY, FACE, FACE_COLUMNS, GODS, LEVELS, REGIONS
from theogony.envs.orbis.rules.pyramid import PYRAMID, count_bits
from theogony.envs.orbis.rules.scoring import HIGHEST, active_forests, mythology_below, points, temple_points
from theogony.envs.orbis.state import DECISIONS, NONE

CELLS_IN_ORDER = np.array(PYRAMID)
CELL = 15  # numbers that describe a cell of a pyramid
PARTS = FACE - 8  # first column of the effect's parts in the description of a tile


def layout(players: int, tiles: int) -> FeatureLayout:
    """The features for a player count and a number of tiles in the tile list."""
    return FeatureLayout(
        Feature("decision", (len(DECISIONS),), f"kind of the decision that is due: {', '.join(DECISIONS)}"),
        Feature("my_turn", (1,), "whether the observer decides"),
        Feature("begun", (1,), "whether an effect or the discard at the end of the turn was begun"),
        Feature("turns", (1,), "share of all turns that are over"),
        Feature("display", (DISPLAY, FACE), f"tile in each position: {FACE_COLUMNS}", 0, 10),
        Feature("lying", (DISPLAY, COLOURS), "worshippers on each position by colour, over 4", 0, 14),
        Feature("hand", (FACE,), "the tile that was taken in this turn, described as in the display", 0, 10),
        Feature("face", (2,), "its face: up, wilderness"),
        Feature("due", (COLOURS + 1,), "worshippers still to pay, gain or give, by colour and any, over 6", 0, 2),
        Feature("unseen", (tiles,), "which tiles of the list are still in the piles"),
        Feature("next_level", (LEVELS,), "level of the next tile"),
        Feature("offer", (GODS,), "gods on offer"),
        Feature("realm", (players, COLOURS), "worshippers by colour, over 5", 0, 20),
        Feature("farms", (players, COLOURS), "colours that farms waive"),
        Feature("god", (players, GODS), "the god of each seat"),
        Feature("discard_done", (players,), "whether the god's discard was done"),
        Feature("placed", (players,), "share of the pyramid that is placed"),
        Feature("points", (players,), "points if the game ended now, over 25", -1, 4),
        Feature("active", (players, 4), "active villages, volcanoes, irrigation and forests, over 5", 0, 3),
        Feature("icons", (players,), "temples, over 6", 0, 4),
        Feature("mythology", (players,), "highest mythology value that breaks a tie, over 13", 0, 8),
        Feature("temple_token", (players,), "temple token if the game ended now, over 11", 0, 5),
        Feature("wilderness", (players,), "wildernesses, over 14"),
        Feature(
            "pyramid",
            (players, REGIONS, CELL),
            "cells by rows from the bottom: counts as colour 5, is wilderness, active, cancelled, a forest's "
            "condition by colour and any over 6, its CP / 5",
            0,
            10,
        ),
    )


@rule
def observe(g, t, seat, f):
    """What a seat may know: everything but the order of the piles (A30)."""
    players = np.int64(g.players)
    f.decision[g.decision] = 1.0
    f.my_turn[0] = 1.0 if g.actor == seat else 0.0
    f.begun[0] = g.begun
    f.turns[0] = g.turns / ((REGIONS + 1.0) * g.players)
    observe_display(g, t, f)
    if g.hand != NONE:
        f.hand[:] = t.face[g.hand]
        if g.face != 0:
            f.face[g.face - 1] = 1.0
        for colour in range(COLOURS + 1):
            f.due[colour] = g.due[colour] / np.float32(6.0)
    elif g.due[COLOURS] != 0:
        f.due[COLOURS] = g.due[COLOURS] / np.float32(6.0)
    to_come = np.int64(t.deck) - DISPLAY
    for k in range(np.int64(g.drawn), to_come):
        f.unseen[g.pile[k]] = 1.0
    if g.drawn < to_come:
        f.next_level[t.level[g.pile[g.drawn]] - 1] = 1.0
    for god in range(GODS):
        f.offer[god] = (g.offer >> god) & 1
    for row in range(players):
        other = (np.int64(seat) + row) % players
        observe_seat(g, t, other, row, f)
        observe_pyramid(g, t, other, f.pyramid[row])


@rule
def observe_display(g, t, f):
    """Tiles and worshippers of the display."""
    for position in range(DISPLAY):
        if g.display[position] != NONE:
            f.display[position, :] = t.face[g.display[position]]
        for colour in range(COLOURS):
            f.lying[position, colour] = g.lying[position, colour] * np.float32(0.25)


@rule
def observe_seat(g, t, seat, row, f):
    """Worshippers, farms, god and counts of a seat."""
    for colour in range(COLOURS):
        f.realm[row, colour] = g.realm[seat, colour] * np.float32(0.2)
        f.farms[row, colour] = (g.farms[seat] >> colour) & 1
    if g.god[seat] != NONE:
        f.god[row, g.god[seat]] = 1.0
    f.discard_done[row] = g.taken[seat]
    f.placed[row] = g.placed[seat] / np.float32(REGIONS)
    f.points[row] = min(max(points(g, t, seat) / 25.0, -1.0), 4.0)
    for kind in range(3):
        f.active[row, kind] = g.counts[seat, kind] * np.float32(0.2)
    f.active[row, 3] = active_forests(g, t, seat) * np.float32(0.2)
    f.icons[row] = min(g.icons[seat] / 6.0, 4.0)
    f.mythology[row] = mythology_below(g, t, seat, HIGHEST)[0] / 13.0
    f.temple_token[row] = min(temple_points(g, t, seat) / 11.0, 5.0)
    f.wilderness[row] = count_bits(g.wild[seat]) / np.float32(REGIONS)


@rule
def observe_pyramid(g, t, seat, f):
    """A pyramid cell by cell."""
    for k in range(REGIONS):
        cell = CELLS_IN_ORDER[k]
        tile = g.tiles[seat, cell]
        if tile == NONE:
            continue
        if (g.wild[seat] >> cell) & 1:
            f[k, 0:6] = 1.0
            continue
        f[k, t.colour[tile]] = 1.0
        f[k, 6] = (g.active[seat] >> cell) & 1
        f[k, 7] = (g.cancelled[seat] >> cell) & 1
        if (g.forests[seat] >> cell) & 1:
            f[k, 8:14] = t.face[tile, PARTS : PARTS + 6]
            f[k, 14] = t.face[tile, PARTS + 6]
