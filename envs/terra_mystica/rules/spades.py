"""Spades and terraforming: the wheel, who pays what, and the spaces that may be transformed (rules §7)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import PARTLY, TO, TRANSFORM
from theogony.envs.terra_mystica.components import (
    ALCHEMISTS,
    DARKLINGS,
    GIANTS,
    HALFLINGS,
    PRIEST,
    SCORE_SPADE,
    SH,
    WORKER,
)  # fmt: skip
from theogony.envs.terra_mystica.geometry import WHEEL
from theogony.envs.terra_mystica.rules.bits import BIT, ZERO, add, holds, mark, remove
from theogony.envs.terra_mystica.rules.power import gain_power, gain_vp
from theogony.envs.terra_mystica.rules.reach import (
    beside_own,
    can_tunnel,
    reached,
    tunnel_priests,
    tunnel_workers,
    tunnelled,
)  # fmt: skip
from theogony.envs.terra_mystica.state import (
    ACTION_SPADES,
    MAIN,
    NONE,
    PHASE_SPADES,
    SANDSTORM,
    STRONGHOLD_SPADES,
    V_FACTION,
    V_SCORING,
)  # fmt: skip

COLOURS, FARTHEST = 7, 3
NOTHING, SKIP_VP = np.int64(0), np.int64(4)


@rule
def gain_spades(g, t, seat, spades):
    """Points and power for spades gained: scoring tile, Halflings, the Alchemists' stronghold (rules §7)."""
    gain_vp(g, seat, spades * np.int64(t.score_vp[g.scoring[g.round_number - 1], SCORE_SPADE]), V_SCORING)
    if g.faction[seat] == HALFLINGS:
        gain_vp(g, seat, spades, V_FACTION)
    if g.faction[seat] == ALCHEMISTS and g.built[seat, SH]:
        gain_power(g, seat, 2 * spades)


@rule
def spades_for_sale(g, t, seat, workers_kept, priests_kept):
    """Spades a seat can buy when it keeps some workers and priests."""
    cost = t.spade_cost[g.faction[seat], g.dig[seat]]
    if cost[PRIEST] > 0:
        return (np.int64(g.priests[seat]) - priests_kept) // np.int64(cost[PRIEST])
    return (np.int64(g.workers[seat]) - workers_kept) // np.int64(cost[WORKER])


@rule
def buy_spades(g, t, seat, spades):
    """Pay for spades; the Darklings get 2 points for each (rules §12)."""
    cost = t.spade_cost[g.faction[seat], g.dig[seat]]
    g.workers[seat] -= spades * np.int64(cost[WORKER])
    g.priests[seat] -= spades * np.int64(cost[PRIEST])
    if g.faction[seat] == DARKLINGS:
        gain_vp(g, seat, 2 * spades, V_FACTION)
    gain_spades(g, t, seat, spades)


@rule
def fewest(g, seat):
    """The fewest spades that transform a space: the Giants always take two."""
    return 2 if g.faction[seat] == GIANTS else 1


@rule
def may_top_up(g, t, space):
    """Spades may be bought for the first space of an action only (§7); the Chinese text allows it for the second."""
    return g.spade_use <= ACTION_SPADES and (
        g.first == NONE or space == g.first or (t.free_spades != 0 and g.spades > 0)
    )


# ---------------------------------------------------------------------------------------------------- spaces


@rule
def foreign(g, t, seat, low, high):
    """The spaces of a set that have not the own colour."""
    home = g.colour[t.home[g.faction[seat]]]
    return low & ~home[0], high & ~home[1]


@rule
def sandstorm_targets(g, t, seat):
    """Free spaces of a foreign colour that share an edge with an own structure."""
    low, high = beside_own(g, t, seat)
    return foreign(g, t, seat, low & ~g.taken[0], high & ~g.taken[1])


@rule
def near_targets(g, t, seat):
    """Spaces in reach without an extra price that spades may turn."""
    low, high = reached(g, t, seat)
    return foreign(g, t, seat, low, high)


@rule
def skipped_targets(g, t, seat):
    """The same over a tunnel or by carpet."""
    low, high = tunnelled(g, t, seat)
    return foreign(g, t, seat, low, high)


@rule
def spades_within_reach(g, t, seat, free, top_up):
    """Most spades that a seat can use on one space: the free ones, and those it can buy."""
    return free + max(spades_for_sale(g, t, seat, NOTHING, NOTHING), 0) if top_up else free


@rule
def spades_beyond(g, t, seat, free, top_up):
    """The same on a space over a tunnel or by carpet, whose price is paid first; -1 when it cannot be paid."""
    if not can_tunnel(g, t, seat):
        return -1
    kept, priests = tunnel_workers(g, t, seat), tunnel_priests(g, seat)
    return free + max(spades_for_sale(g, t, seat, kept, priests), 0) if top_up else free


@rule
def any_target(g, t, seat, spades):
    """Whether an action with free spades would find a space."""
    if spades_within_reach(g, t, seat, spades, True) >= fewest(g, seat):
        low, high = near_targets(g, t, seat)
        if low | high != ZERO:
            return True
    if spades_beyond(g, t, seat, spades, True) >= fewest(g, seat):
        low, high = skipped_targets(g, t, seat)
        return low | high != ZERO
    return False


@rule
def can_turn_on(g, t, seat):
    """Whether more spades may be bought for a first space that has not yet the own colour (ruling R5)."""
    if g.turned == 0 or abs(np.int64(g.turned)) == FARTHEST:
        return False
    return spades_within_reach(g, t, seat, np.int64(g.spades), True) > 0


@rule
def skips_too(g, t, seat):
    """Whether the spades at hand may go over a tunnel or by carpet: not those of a stronghold or the cult bonus."""
    return t.skips[g.faction[seat]] != 0 and g.spade_use <= ACTION_SPADES


@rule
def open_targets(g, t, seat):
    """The spaces that may be transformed now, by what the spades at hand are."""
    low, high = ZERO, ZERO
    if g.spade_use == SANDSTORM:
        return sandstorm_targets(g, t, seat) if g.first == NONE else (low, high)
    if g.decision == MAIN or g.spades > 0:
        free, top_up = np.int64(g.spades), may_top_up(g, t, NONE)
        if spades_within_reach(g, t, seat, free, top_up) >= fewest(g, seat):
            low, high = near_targets(g, t, seat)
        if skips_too(g, t, seat) and spades_beyond(g, t, seat, free, top_up) >= fewest(g, seat):
            more_low, more_high = skipped_targets(g, t, seat)
            low, high = low | more_low, high | more_high
    if can_turn_on(g, t, seat):
        low |= BIT[g.first] if g.first < 64 else ZERO
        high |= BIT[g.first - 64] if g.first >= 64 else ZERO
    return low, high


@rule
def any_open_target(g, t, seat):
    """Whether there is one."""
    low, high = open_targets(g, t, seat)
    return low | high != ZERO


@rule
def legal_transforms(g, t, mask):
    """Mark the spaces that may be turned to the own colour, and those that may be turned part of the way."""
    seat, free = np.int64(g.actor), np.int64(g.spades)
    if g.spade_use == SANDSTORM:
        low, high = open_targets(g, t, seat)
        mark(mask, TRANSFORM, low, high)
        return
    if g.decision == MAIN or free > 0:
        top_up = may_top_up(g, t, NONE)
        low, high = near_targets(g, t, seat)
        mark_targets(g, t, mask, low, high, spades_within_reach(g, t, seat, free, top_up))
        if skips_too(g, t, seat):
            low, high = skipped_targets(g, t, seat)
            mark_targets(g, t, mask, low, high, spades_beyond(g, t, seat, free, top_up))
    if can_turn_on(g, t, seat):
        mark_again(g, t, mask)


@rule
def mark_again(g, t, mask):
    """The first space once more: to the own colour where that is paid for, or one step on to another one."""
    seat, space = np.int64(g.actor), np.int64(g.first)
    home = np.int64(t.home[g.faction[seat]])
    steps = distance(g, t, seat, space, home)
    mask[TRANSFORM + space] = 0 < steps <= spades_within_reach(g, t, seat, np.int64(g.spades), True)
    mask[PARTLY + space] = steps != 1


@rule
def mark_targets(g, t, mask, low, high, most):
    """Spaces of a set: with the own colour as goal where so many spades suffice, and with another one."""
    f = np.int64(g.faction[g.actor])
    if most < fewest(g, np.int64(g.actor)):
        return
    if f == GIANTS:
        mark(mask, TRANSFORM, low, high)
        return
    mark(mask, PARTLY, low, high)
    for colour in range(COLOURS):
        if WHEEL[colour, t.home[f]] <= most:
            mark(mask, TRANSFORM, low & g.colour[colour, 0], high & g.colour[colour, 1])


# ---------------------------------------------------------------------------------------------------- colours


@rule
def distance(g, t, seat, space, colour):
    """Spades from a space's colour to another; 0 when the way leads past the own colour (ruling R4).

    A space that this action turned before is turned on in the same direction, three steps in all (ruling R5).
    """
    home, now = np.int64(t.home[g.faction[seat]]), np.int64(g.terrain[space])
    if g.faction[seat] == GIANTS:
        return 2 if colour == home and now != home else 0
    turned = np.int64(g.turned) if space == g.first else 0
    start = (now - turned) % COLOURS
    up, home_up = (colour - start) % COLOURS, (home - start) % COLOURS
    if up > COLOURS // 2:
        up, home_up, turned = COLOURS - up, COLOURS - home_up, -turned
    return up - turned if home_up >= up > turned >= 0 else 0


@rule
def legal_colours(g, t, mask):
    """Other colours than the own that the spades reach. Free spades are all used."""
    seat, space, free = np.int64(g.actor), np.int64(g.target), np.int64(g.spades)
    most = spades_within_reach(g, t, seat, free, may_top_up(g, t, space))
    loose = g.spade_use != ACTION_SPADES or t.free_spades != 0
    for colour in range(COLOURS):
        steps = distance(g, t, seat, space, colour)
        if 0 < steps <= most and (loose or steps >= free) and colour != t.home[g.faction[seat]]:
            mask[TO + colour] = 1


@rule
def aim(g, t, space):
    """Choose the space to transform, paying for a tunnel or carpet flight; 4 points each time (§12)."""
    seat = np.int64(g.actor)
    skips = t.skips[g.faction[seat]] and not holds(g.near[seat], space) and space != g.first
    if g.spade_use < STRONGHOLD_SPADES and skips:
        pay_tunnel(g, t, seat)
    if g.decision == MAIN:
        g.spade_use = ACTION_SPADES
    g.target = space


@rule
def pay_tunnel(g, t, seat):
    """The price and the points of skipping spaces."""
    g.workers[seat] -= tunnel_workers(g, t, seat)
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
