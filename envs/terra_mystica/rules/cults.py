"""Cult tracks: steps, the power they give, keys, and priests on the cult board (§10, §6.5)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import SEND, STEP
from theogony.envs.terra_mystica.components import TOP
from theogony.envs.terra_mystica.rules.power import gain_power, priest_room
from theogony.envs.terra_mystica.state import NONE

POWER_AT = np.array((0, 0, 0, 1, 0, 2, 0, 2, 0, 0, 3), np.int64)  # on reaching or passing a space
SPOT_STEPS = np.array((3, 2, 2, 2), np.int64)


@rule
def top_taken(g, track):
    """Whether somebody stands on 10: only one may (§10)."""
    for seat in range(np.int64(g.players)):
        if g.cult[seat, track] == TOP:
            return True
    return False


@rule
def advance_cult(g, seat, track, steps):
    """Steps on a track, as far as they go. A step to 10 that lacks only a key is noted in `stopped`."""
    for _ in range(steps):
        place = np.int64(g.cult[seat, track])
        if place == TOP - 1:
            if top_taken(g, track):
                return
            if g.keys[seat] == 0:
                g.stopped[track] = 1
                return
            g.keys[seat] -= 1
        elif place == TOP:
            return
        g.cult[seat, track] = place + 1
        gain_power(g, seat, POWER_AT[place + 1])


@rule
def waiting_tracks(g, seat):
    """Number of tracks where a step to 10 was stopped this turn and could still be made."""
    count = 0
    for track in range(4):
        if g.stopped[track]:
            if g.cult[seat, track] != TOP - 1 or top_taken(g, track):
                g.stopped[track] = 0
            count += np.int64(g.stopped[track])
    return count


@rule
def use_keys(g, seat):
    """A key that arrives in the turn completes stopped steps; with more tracks than keys the player chooses (R11)."""
    waiting = waiting_tracks(g, seat)
    g.key_choice = waiting > g.keys[seat] > 0
    if 0 < waiting <= g.keys[seat]:
        for track in range(4):
            if g.stopped[track]:
                g.stopped[track] = 0
                advance_cult(g, seat, track, np.int64(1))


@rule
def legal_steps(g, mask):
    """The tracks for steps of choice; when keys are short, those that wait for one."""
    for track in range(4):
        if g.key_choice:
            mask[STEP + track] = g.stopped[track]
        else:
            mask[STEP + track] = 1


@rule
def take_steps(g, track):
    """The track chosen: for a key, or for the steps that are due."""
    seat = np.int64(g.actor)
    if g.key_choice:
        g.stopped[track] = 0
        advance_cult(g, seat, track, np.int64(1))
        use_keys(g, seat)
    else:
        advance_cult(g, seat, track, np.int64(g.steps_due))
        g.steps_due = 0


# ---------------------------------------------------------------------------------------------------- priests


@rule
def free_spot(g, track, steps):
    """The first free order space worth so many steps, or NONE."""
    for spot in range(4):
        if SPOT_STEPS[spot] == steps and g.spots[track, spot] == NONE:
            return spot
    return NONE


@rule
def own_spot(g, seat, track):
    """The lowest order space with an own priest, or NONE."""
    for spot in range(3, -1, -1):
        if g.spots[track, spot] == seat:
            return spot
    return NONE


@rule
def legal_priests(g, t, mask):
    """A priest onto a free order space, or back to the supply for one step, also where no step can be made (R9)."""
    seat = np.int64(g.actor)
    for track in range(4):
        first = SEND + 3 * track
        if g.priests[seat] > 0:
            mask[first] = free_spot(g, track, SPOT_STEPS[0]) != NONE
            mask[first + 1] = free_spot(g, track, SPOT_STEPS[1]) != NONE
            mask[first + 2] = 1
        if t.priest_back:
            mask[first + 2] = own_spot(g, seat, track) != NONE


@rule
def send_priest(g, t, track, steps):
    """Action 5 (§6). In the Chinese text the single step takes an own priest off the cult board (R25)."""
    seat = np.int64(g.actor)
    if steps == 1 and t.priest_back:
        g.spots[track, own_spot(g, seat, track)] = NONE
        g.priests_away[seat] -= 1
    else:
        if priest_room(g, seat) == 0:
            g.brought = 1  # room for a priest: power may be turned into one
        g.priests[seat] -= 1
        if steps > 1:
            g.spots[track, free_spot(g, track, steps)] = seat
            g.priests_away[seat] += 1
    advance_cult(g, seat, track, steps)
