"""A value of a position, for the greedy and the searching player: finish the turn by rules of thumb, then estimate."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.orbis import actions
from theogony.envs.orbis.components import ANY, COLOURS, DISPLAY, FOREST, IRRIGATION, MOST, REGIONS
from theogony.envs.orbis.rules import pyramid
from theogony.envs.orbis.rules.effects import RATE, named_due, payable, total
from theogony.envs.orbis.rules.scoring import count, forest_matches, god_points, temple_points, wilderness_points
from theogony.envs.orbis.rules.turn import apply
from theogony.envs.orbis.state import CELLS, CHOOSE, FINISH, GAIN, GIVE, LIMIT, NONE, PAY, PAY_ANY, PLACE, STRIDE, UP

# In creation points; found by trying (docs/games/orbis.md).
WORSHIPPER = np.array([0.0, 0.75, 1.3, 1.65, 1.9, 2.05, 2.15, 2.2, 2.25, 2.3, 2.35])  # so many of one colour
FARM_A_TURN = 0.12  # what a farm saves in each turn to come
FIT = 0.25  # a colour that could be placed now
GOD_TO_COME = 1.8  # the god that is still to be taken
TEMPLE = 1.3  # a temple, while the ranking is open
# What is left of a forest's points for each neighbour that it still needs; powers of a system's library could differ.
MISSING = np.array([float(Fraction(0.55) ** k) for k in range(7)])


@rule
def value(g, t, seat):
    """The margin in expected points to the best other, over the scale of the game."""
    seat = np.int64(seat)
    while g.over == 0 and g.actor == seat and g.decision != CHOOSE:
        apply(g, t, by_thumb(g, t, seat))
    best = -1000.0
    for other in range(np.int64(g.players)):
        if other != seat:
            best = max(best, prospect(g, t, other))
    return (prospect(g, t, seat) - best) / t.scale


# ---------------------------------------------------------------------------------------------------- estimate


@rule
def prospect(g, t, seat):
    """Points a seat may expect: what is certain, and what tiles, worshippers and colours promise."""
    left = (REGIONS - np.int64(g.placed[seat])) / REGIONS
    expected = np.float64(g.cp[seat]) + wilderness_points(g, t, seat) + forests_expected(g, t, seat)
    expected += (1.0 - left) * temple_points(g, t, seat) + left * TEMPLE * np.float64(g.icons[seat])
    expected += god_expected(g, t, seat, left)
    if left > 0.0:
        turns = REGIONS - np.int64(g.placed[seat])
        expected += min(1.0, turns / 4.0) * realm_value(g, seat) + turns * FARM_A_TURN * farms(g, seat)
        expected += min(1.0, turns / 4.0) * FIT * fitting_colours(g, seat)
    return expected


@rule
def realm_value(g, seat):
    """Worshippers buy points; many of one colour less than some of each."""
    found = 0.0
    for colour in range(COLOURS):
        found += WORSHIPPER[min(np.int64(g.realm[seat, colour]), LIMIT)]
    return found


@rule
def farms(g, seat):
    """Number of colours that are waived."""
    return pyramid.count_bits(np.int64(g.farms[seat]))


@rule
def fitting_colours(g, seat):
    """Colours of which a tile could be placed face-up."""
    fitting = 0
    for colour in range(COLOURS):
        fitting += pyramid.has_slot(g, seat, colour)
    return fitting


@rule
def forests_expected(g, t, seat):
    """Active forests in full; others by how many neighbours they need and have room for."""
    expected = 0.0
    full = pyramid.occupied(g, seat)
    for cell in range(CELLS):
        if (g.forests[seat] >> cell) & 1:
            tile = g.tiles[seat, cell]
            missing = np.int64(t.number[tile]) - forest_matches(g, t, seat, cell)
            if missing <= pyramid.count_bits(pyramid.NEIGHBOURS[cell] & ~full):
                expected += t.cp[tile] * MISSING[max(missing, 0)]
    return expected


@rule
def god_expected(g, t, seat, left):
    """A god in hand by how its condition stands, one to come by a mean; nothing is lost by waiting."""
    god = g.god[seat]
    if god == NONE:
        return GOD_TO_COME
    end = t.end[god]
    now = np.float64(god_points(g, t, seat))
    if end != MOST:
        return now
    what = np.int64(t.what[god])
    own, best = count(g, t, seat, what), np.int64(0)
    for other in range(np.int64(g.players)):
        if other != seat:
            best = max(best, count(g, t, other, what))
    chance = min(max(0.5 + 0.2 * (own - best), 0.1), 0.9)
    return (1.0 - left) * now + left * chance * t.god_cp[god]


# ---------------------------------------------------------------------------------------------------- rules of thumb


@rule
def by_thumb(g, t, seat):
    """A sensible action for every decision but the choice of the tile or god."""
    if g.decision == PAY:
        return thumb_face(g, t, seat)
    if g.decision == PAY_ANY:
        return actions.PAY_COLOUR + most(g, seat)
    if g.decision == PLACE:
        return actions.PLACE_AT + thumb_slot(g, t, seat)
    if g.decision == GAIN:
        return actions.GAIN_COLOUR + fewest(g, seat)
    if g.decision == GIVE:
        return actions.DISCARD + most(g, seat) if total(g.realm[seat]) >= g.due[ANY] else actions.DECLINE
    if g.decision == FINISH:
        return actions.DISCARD + most(g, seat) if total(g.realm[seat]) > LIMIT else actions.END_TURN
    return thumb_target(g)


@rule
def most(g, seat):
    """The colour of which the seat has most."""
    best = 0
    for colour in range(1, COLOURS):
        if g.realm[seat, colour] > g.realm[seat, best]:
            best = colour
    return best


@rule
def fewest(g, seat):
    """The colour of which the seat has fewest, among those that are due."""
    best = -1
    for colour in range(COLOURS):
        if g.due[colour] > 0 or g.due[ANY] > 0:
            if best < 0 or g.realm[seat, colour] < g.realm[seat, best]:
                best = colour
    return best


@rule
def thumb_face(g, t, seat):
    """Face-up if it can be paid, if need be after exchanges of colours that are not due."""
    hand = np.int64(g.hand)
    if not pyramid.has_slot(g, seat, np.int64(t.colour[hand])):
        return actions.TURN_OVER
    if payable(g, t, seat, hand):
        return actions.FACE_UP
    missing, give = -1, -1
    for colour in range(COLOURS):
        spare = g.realm[seat, colour] - named_due(g, t, seat, hand, colour)
        if spare < 0:
            missing = colour
        elif spare >= RATE:
            give = colour
    if missing >= 0 and give >= 0:
        return actions.EXCHANGE + COLOURS * give + missing
    return actions.TURN_OVER


@rule
def thumb_slot(g, t, seat):
    """Where irrigation is fed and forests match, else as low as possible."""
    colour = np.int64(t.colour[g.hand])
    best, best_worth = -1, -100.0
    for slot in range(actions.SLOTS):
        if pyramid.slot_open(g, seat, colour if g.face == UP else np.int64(ANY), slot):
            cell = np.int64(
                pyramid.SLOT_CELLS[slot]
                if slot > pyramid.RIGHT
                else 0
                if slot < pyramid.RIGHT
                else pyramid.bottom_width(g, seat)
            )
            worth = slot_worth(g, t, seat, colour, cell)
            if worth > best_worth:
                best, best_worth = slot, worth
    return best


@rule
def slot_worth(g, t, seat, colour, cell):
    """Points a tile in hand may make in a cell, roughly."""
    worth = -0.05 * (cell // STRIDE)
    bit = np.int64(1) << cell
    for forest in range(CELLS):
        if (g.forests[seat] >> forest) & 1 and pyramid.NEIGHBOURS[forest] & bit:
            tile = g.tiles[seat, forest]
            fits = t.parts[tile, ANY] > 0 or t.parts[tile, colour] > 0 or g.face != UP
            if fits and forest_matches(g, t, seat, forest) < t.number[tile]:
                worth += 0.3 * t.cp[tile]
    if g.face != UP:
        return worth
    effect = t.effect[g.hand]
    if effect == IRRIGATION and pyramid.irrigated(g, t, seat, np.int64(g.hand), cell):
        worth += t.cp[g.hand]
    elif effect == FOREST:
        worth += 0.5 * pyramid.count_bits(pyramid.wanted(g, t, seat, g.hand) & pyramid.NEIGHBOURS[cell])
    return worth


@rule
def thumb_target(g):
    """A worshipper that a volcano may destroy, from where most lie."""
    best, best_lying = actions.DECLINE, 0
    for colour in range(COLOURS):
        if g.due[colour] > 0 or g.due[ANY] > 0:
            for position in range(DISPLAY):
                if g.lying[position, colour] > 0 and total(g.lying[position]) > best_lying:
                    best, best_lying = actions.DESTROY_AT + DISPLAY * colour + position, total(g.lying[position])
    return best
