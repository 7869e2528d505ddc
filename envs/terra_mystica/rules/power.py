"""Goods: victory points, coins, workers, priests and the three bowls of power (§1, §3)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import BURN, CONVERSIONS, CONVERT, SEND, STEP, TO_PRIEST
from theogony.envs.terra_mystica.components import ALCHEMISTS, COIN, POWER, PRIEST, PRIESTS, TOP, WORKER
from theogony.envs.terra_mystica.state import NONE, V_EXCHANGE

# Conversions in the order of the codec: coins, workers, priests, power, victory points given and taken (§3).
UNITS = ("C", "W", "P", "PW", "VP")
GIVEN, TAKEN = np.zeros((2, len(CONVERSIONS), len(UNITS)), np.int64)
for _k, _text in enumerate(CONVERSIONS):
    for _side, _words in zip((GIVEN, TAKEN), _text.split(" to "), strict=True):
        _digits = _words.rstrip("CWPV")
        _side[_k, UNITS.index(_words[len(_digits) :])] = int(_digits)
TO_PRIESTS, PRIEST_TO_WORKER = CONVERSIONS.index("5PW to 1P"), CONVERSIONS.index("1P to 1W")
POWER_OF_WORKER = 3
VP = UNITS.index("VP")
VP_TO_COIN = CONVERSIONS.index("1VP to 1C")  # this one and the last are the Alchemists'


@rule
def gain_vp(g, seat, points, source):
    """Victory points, noted by where they come from. May be negative."""
    g.vp[seat] += points
    g.vp_from[seat, source] += points


@rule
def power_room(g, seat):
    """Power that the bowls can still take (§8)."""
    return 2 * np.int64(g.bowls[seat, 0]) + np.int64(g.bowls[seat, 1])


@rule
def gain_power(g, seat, power):
    """Token by token: from bowl I to II, then from II to III; the rest is lost (§3)."""
    bowls = g.bowls[seat]
    first = min(np.int64(power), np.int64(bowls[0]))
    bowls[0] -= first
    bowls[1] += first
    second = min(np.int64(power) - first, np.int64(bowls[1]))
    bowls[1] -= second
    bowls[2] += second
    if second > 0:
        g.brought = 1


@rule
def spend_power(g, seat, power):
    """Tokens go from bowl III to bowl I."""
    g.bowls[seat, 2] -= power
    g.bowls[seat, 0] += power


@rule
def priest_room(g, seat):
    """Priests that may still be gained (§1)."""
    return PRIESTS - np.int64(g.priests_away[seat]) - np.int64(g.priests[seat])


@rule
def gain(g, seat, goods):
    """Coins, workers, priests (up to the limit) and power of an array of goods."""
    g.coins[seat] += goods[COIN]
    g.workers[seat] += goods[WORKER]
    g.priests[seat] += min(np.int64(goods[PRIEST]), priest_room(g, seat))
    gain_power(g, seat, np.int64(goods[POWER]))
    if goods[COIN] > 0 and g.faction[seat] == ALCHEMISTS:
        g.brought = 1


@rule
def affordable(g, seat, cost):
    """Whether a seat has the coins, workers and priests of a cost."""
    return g.coins[seat] >= cost[COIN] and g.workers[seat] >= cost[WORKER] and g.priests[seat] >= cost[PRIEST]


@rule
def pay(g, seat, cost):
    """Pay coins, workers and priests."""
    if cost[PRIEST] > 0 and priest_room(g, seat) == 0:
        g.brought = 1  # room for a priest: power may be turned into one
    g.coins[seat] -= cost[COIN]
    g.workers[seat] -= cost[WORKER]
    g.priests[seat] -= cost[PRIEST]


@rule
def legal_conversions(g, mask):
    """Free conversions and burning, any number in the own turn (§3, ruling R8)."""
    seat = np.int64(g.actor)
    power, room = np.int64(g.bowls[seat, 2]), priest_room(g, seat)
    for k in range(PRIEST_TO_WORKER):
        if power >= GIVEN[k, POWER] and room >= TAKEN[k, PRIEST]:
            mask[CONVERT + k] = 1
    mask[CONVERT + PRIEST_TO_WORKER] = g.priests[seat] >= 1
    mask[CONVERT + PRIEST_TO_WORKER + 1] = g.workers[seat] >= 1
    if g.faction[seat] == ALCHEMISTS:
        mask[CONVERT + VP_TO_COIN] = g.vp[seat] >= 1
        mask[CONVERT + VP_TO_COIN + 1] = g.coins[seat] >= 2
    for k in range(np.int64(g.bowls[seat, 1]) // 2):
        mask[BURN + k] = 1


@rule
def can_convert(g, seat):
    """Whether there is something to convert or to burn."""
    exchanges = g.faction[seat] == ALCHEMISTS and (g.vp[seat] >= 1 or g.coins[seat] >= 2)
    return g.bowls[seat, 2] > 0 or g.bowls[seat, 1] > 1 or g.priests[seat] > 0 or g.workers[seat] > 0 or exchanges


@rule
def convert(g, k):
    """Conversion number k."""
    seat = np.int64(g.actor)
    given, taken = GIVEN[k], TAKEN[k]
    g.coins[seat] += taken[COIN] - given[COIN]
    g.workers[seat] += taken[WORKER] - given[WORKER]
    g.priests[seat] += taken[PRIEST] - given[PRIEST]
    spend_power(g, seat, given[POWER])
    if k >= VP_TO_COIN:
        gain_vp(g, seat, taken[VP] - given[VP], V_EXCHANGE)


@rule
def legal_priests_for_workers(g, mask):
    """What the Darklings' stronghold may still turn into priests (§12)."""
    seat = np.int64(g.actor)
    for k in range(min(np.int64(g.priests_due), np.int64(g.workers[seat]), priest_room(g, seat))):
        mask[TO_PRIEST + k] = 1


@rule
def turn_into_priests(g, number):
    """So many workers become priests, once."""
    seat = np.int64(g.actor)
    g.workers[seat] -= number
    g.priests[seat] += number
    g.priests_due = 0


@rule
def burn(g, seat, tokens):
    """So many tokens of bowl II leave the game, and as many move to bowl III (§3)."""
    bowls = g.bowls[seat]
    bowls[1] -= 2 * tokens
    bowls[2] += tokens


@rule
def power_within_reach(g, seat):
    """Tokens in bowl III when all that can be is burned."""
    return np.int64(g.bowls[seat, 2]) + np.int64(g.bowls[seat, 1]) // 2


@rule
def could_pay(g, seat, cost):
    """Whether conversions and burning could bring what a cost in coins, workers and priests lacks."""
    power = power_within_reach(g, seat)
    priests = np.int64(g.priests[seat]) - np.int64(cost[PRIEST])
    power += min(priests, 0) * GIVEN[TO_PRIESTS, POWER]
    workers = np.int64(g.workers[seat]) + max(priests, 0) - np.int64(cost[WORKER])
    power += min(workers, 0) * POWER_OF_WORKER
    coins = np.int64(g.coins[seat]) + max(workers, 0) + max(power, 0)
    if g.faction[seat] == ALCHEMISTS:
        coins += np.int64(g.vp[seat])
    return power >= 0 and coins >= np.int64(cost[COIN])


# ---- Cult tracks: steps, the power they give, keys, and priests on the cult board (§10, §6.5) --------------------

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
