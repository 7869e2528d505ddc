"""Transforming a space: its price, its new colour, and the dwelling that may follow (§6.1, §7)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.rules.bits import add, holds, remove
from theogony.envs.terra_mystica.rules.power import gain_vp
from theogony.envs.terra_mystica.rules.reach import tunnel_priests, tunnel_workers
from theogony.envs.terra_mystica.rules.spades import buy_spades
from theogony.envs.terra_mystica.rules.targets import distance, only_colour
from theogony.envs.terra_mystica.state import (
    ACTION_SPADES,
    MAIN,
    NONE,
    PHASE_SPADES,
    SANDSTORM,
    STRONGHOLD_SPADES,
    V_FACTION,
)

COLOURS = 7
SKIP_VP = np.int64(4)


@rule
def aim(g, t, space):
    """Choose the space to transform, paying for a tunnel or carpet flight; 4 points each time (§12)."""
    seat = np.int64(g.actor)
    skips = t.skips[g.faction[seat]] and not holds(g.near[seat], space) and space != g.first
    if g.spade_use < STRONGHOLD_SPADES and skips:
        pay_tunnel(g, seat)
    if g.decision == MAIN:
        g.spade_use = ACTION_SPADES
    g.target = space


@rule
def pay_tunnel(g, seat):
    """The price and the points of skipping spaces."""
    g.workers[seat] -= tunnel_workers(g, seat)
    g.priests[seat] -= tunnel_priests(g, seat)
    g.tunnelled = 1
    gain_vp(g, seat, SKIP_VP, V_FACTION)


@rule
def transform_home(g, t, space):
    """Turn a space to the own colour, by spades or by the Nomads' sandstorm."""
    seat = np.int64(g.actor)
    home = np.int64(t.home[g.faction[seat]])
    aim(g, t, space)
    if g.spade_use == SANDSTORM:
        recolour(g, t, seat, space, home)
        g.target = NONE
    else:
        transform(g, t, home)


@rule
def transform_partly(g, t, space):
    """Turn a space to another colour than the own. Returns whether that is done, or has yet to be chosen (R18)."""
    aim(g, t, space)
    colour = only_colour(g, t)
    if colour == NONE:
        return False
    transform(g, t, colour)
    return True


@rule
def transform(g, t, colour):
    """Turn the chosen space to a colour: free spades first, the others bought."""
    seat, space = np.int64(g.actor), np.int64(g.target)
    steps = distance(g, t, seat, space, colour)
    free = min(steps, np.int64(g.spades))
    g.spades -= free
    if steps > free:
        buy_spades(g, t, seat, steps - free)
    note_turn(g, t, seat, space, colour, steps)
    recolour(g, t, seat, space, colour)
    g.target = NONE


@rule
def note_turn(g, t, seat, space, colour, steps):
    """How far an action has turned its first space, while that has not the own colour (ruling R5)."""
    if g.spade_use != ACTION_SPADES or not (g.first == NONE or g.first == space):
        return
    up = (colour - np.int64(g.terrain[space])) % COLOURS == steps
    g.turned += steps if up else -steps
    if colour == t.home[g.faction[seat]]:
        g.turned = 0


@rule
def recolour(g, t, seat, space, colour):
    """The space has a new colour; on an own-coloured one the action may still build a dwelling (§6.1)."""
    remove(g.colour[g.terrain[space]], space)
    g.terrain[space] = colour
    add(g.colour[colour], space)
    if colour == t.home[g.faction[seat]] and g.spade_use != PHASE_SPADES:
        if g.first == NONE or g.first == space or g.spade_use == STRONGHOLD_SPADES:
            add(g.sites, space)
    if g.first == NONE:
        g.first = space
