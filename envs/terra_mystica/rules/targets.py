"""The spaces that may be transformed, and the colours they may be turned to (§7)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica import state
from theogony.envs.terra_mystica.actions import PARTLY, TO, TRANSFORM
from theogony.envs.terra_mystica.components import GIANTS, WHEEL
from theogony.envs.terra_mystica.rules import reach
from theogony.envs.terra_mystica.rules.bits import BIT, ZERO, add, holds, mark, remove, split
from theogony.envs.terra_mystica.rules.power import gain_vp

COLOURS = 7


@rule
def foreign(g, t, seat, low, high):
    """The spaces of a set that have not the own colour, which nobody turns away (ruling R10)."""
    home = g.colour[t.home[g.faction[seat]]]
    return low & ~home[0], high & ~home[1]


@rule
def sandstorm_targets(g, t, seat):
    """Free spaces of a foreign colour that share an edge with an own structure."""
    low, high = reach.beside_own(g, t, seat)
    return foreign(g, t, seat, low & ~g.taken[0], high & ~g.taken[1])


@rule
def near_targets(g, t, seat):
    """Spaces in reach without an extra price that spades may turn."""
    low, high = reach.reached(g, t, seat)
    return foreign(g, t, seat, low, high)


@rule
def skipped_targets(g, t, seat):
    """Spaces in reach over a tunnel or by carpet that spades may turn."""
    low, high = reach.tunnelled(g, t, seat)
    return foreign(g, t, seat, low, high)


@rule
def any_target(g, t, seat, spades):
    """Whether an action with free spades would find a space."""
    need = reach.fewest(g, seat)
    low, high = near_targets(g, t, seat)
    if low | high != ZERO and (spades >= need or reach.spades_within_reach(g, t, seat, spades, True) >= need):
        return True
    if t.skips[g.faction[seat]] and reach.spades_beyond(g, t, seat, spades, True) >= need:
        low, high = skipped_targets(g, t, seat)
        return low | high != ZERO
    return False


@rule
def skips_too(g, t, seat):
    """Whether the spades at hand may go over a tunnel or by carpet: not those of a stronghold or the cult bonus."""
    return t.skips[g.faction[seat]] != 0 and g.spade_use <= state.ACTION_SPADES


@rule
def open_targets(g, t, seat):
    """The spaces that may be transformed now, by what the spades at hand are."""
    low, high = ZERO, ZERO
    if g.spade_use == state.SANDSTORM:
        return sandstorm_targets(g, t, seat) if g.first == state.NONE else (low, high)
    if g.decision == state.MAIN or g.spades > 0:
        free, top_up = np.int64(g.spades), reach.may_top_up(g, t, state.NONE)
        if reach.spades_within_reach(g, t, seat, free, top_up) >= reach.fewest(g, seat):
            low, high = near_targets(g, t, seat)
        if skips_too(g, t, seat) and reach.spades_beyond(g, t, seat, free, top_up) >= reach.fewest(g, seat):
            more_low, more_high = skipped_targets(g, t, seat)
            low, high = low | more_low, high | more_high
    if reach.can_turn_on(g, t, seat):
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
    if g.spade_use == state.SANDSTORM:
        low, high = open_targets(g, t, seat)
        mark(mask, TRANSFORM, low, high)
        return
    if g.decision == state.MAIN or free > 0:
        top_up = reach.may_top_up(g, t, state.NONE)
        low, high = near_targets(g, t, seat)
        mark_targets(g, t, mask, low, high, reach.spades_within_reach(g, t, seat, free, top_up))
        if skips_too(g, t, seat):
            low, high = skipped_targets(g, t, seat)
            mark_targets(g, t, mask, low, high, reach.spades_beyond(g, t, seat, free, top_up))
    if reach.can_turn_on(g, t, seat):
        mark_again(g, t, mask)


@rule
def mark_again(g, t, mask):
    """The first space once more: to the own colour where that is paid for, or one step on to another one."""
    seat, space = np.int64(g.actor), np.int64(g.first)
    home = np.int64(t.home[g.faction[seat]])
    steps = distance(g, t, seat, space, home)
    mask[TRANSFORM + space] = 0 < steps <= reach.spades_within_reach(g, t, seat, np.int64(g.spades), True)
    mask[PARTLY + space] = steps != 1


@rule
def mark_targets(g, t, mask, low, high, most):
    """Spaces of a set: with the own colour as goal where so many spades suffice, and with another one."""
    seat = np.int64(g.actor)
    if most < reach.fewest(g, seat):
        return
    home, partly = np.int64(t.home[g.faction[seat]]), g.faction[seat] != GIANTS
    while low != ZERO or high != ZERO:
        space, low, high = split(low, high)
        mask[PARTLY + space] = partly
        mask[TRANSFORM + space] = not partly or WHEEL[g.terrain[space], home] <= most


# ---------------------------------------------------------------------------------------------------- colours


@rule
def around(steps):
    """Steps up the wheel, 0 to 6, from a difference between -7 and 13."""
    if steps < 0:
        return steps + COLOURS
    return steps - COLOURS if steps >= COLOURS else steps


@rule
def distance(g, t, seat, space, colour):
    """Spades from a space's colour to another; 0 when the way leads past the own colour (ruling R4).

    A space that this action turned before is turned on in the same direction, three steps in all (ruling R5).
    """
    home, now = np.int64(t.home[g.faction[seat]]), np.int64(g.terrain[space])
    if g.faction[seat] == GIANTS:
        return 2 if colour == home and now != home else 0
    turned = np.int64(g.turned) if space == g.first else 0
    start = around(now - turned)
    up, home_up = around(colour - start), around(home - start)
    if up > COLOURS // 2:
        up, home_up, turned = COLOURS - up, COLOURS - home_up, -turned
    return up - turned if home_up >= up > turned >= 0 else 0


@rule
def most_on_target(g, t):
    """Most spades that the acting seat can use on the chosen space."""
    return reach.spades_within_reach(
        g, t, np.int64(g.actor), np.int64(g.spades), reach.may_top_up(g, t, np.int64(g.target))
    )


@rule
def can_become(g, t, colour, most):
    """Whether so many spades turn the chosen space to a colour that is not the own. Free spades are all used."""
    seat = np.int64(g.actor)
    steps = distance(g, t, seat, np.int64(g.target), colour)
    loose = g.spade_use != state.ACTION_SPADES or t.free_spades != 0
    return 0 < steps <= most and (loose or steps >= g.spades) and colour != t.home[g.faction[seat]]


@rule
def legal_colours(g, t, mask):
    """The colours to choose from."""
    most = most_on_target(g, t)
    for colour in range(COLOURS):
        mask[TO + colour] = can_become(g, t, colour, most)


@rule
def only_colour(g, t):
    """The colour that the chosen space takes where there is no choice; NONE where it has to be asked (ruling R18)."""
    only, most = np.int64(state.NONE), most_on_target(g, t)
    for colour in range(COLOURS):
        if can_become(g, t, colour, most):
            if only != state.NONE:
                return np.int64(state.NONE)
            only = np.int64(colour)
    return only


# ---- Transforming a space: its price, its new colour, and the dwelling that may follow (§6.1, §7) ----------------

SKIP_VP = np.int64(4)


@rule
def aim(g, t, space):
    """Choose the space to transform, paying for a tunnel or carpet flight; 4 points each time (§12)."""
    seat = np.int64(g.actor)
    skips = t.skips[g.faction[seat]] and not holds(g.near[seat], space) and space != g.first
    if g.spade_use < state.STRONGHOLD_SPADES and skips:
        pay_tunnel(g, seat)
    if g.decision == state.MAIN:
        g.spade_use = state.ACTION_SPADES
    g.target = space


@rule
def pay_tunnel(g, seat):
    """The price and the points of skipping spaces."""
    g.workers[seat] -= reach.tunnel_workers(g, seat)
    g.priests[seat] -= reach.tunnel_priests(g, seat)
    g.tunnelled = 1
    gain_vp(g, seat, SKIP_VP, state.V_FACTION)


@rule
def transform_home(g, t, space):
    """Turn a space to the own colour, by spades or by the Nomads' sandstorm."""
    seat = np.int64(g.actor)
    home = np.int64(t.home[g.faction[seat]])
    aim(g, t, space)
    if g.spade_use == state.SANDSTORM:
        recolour(g, t, seat, space, home)
        g.target = state.NONE
    else:
        transform(g, t, home)


@rule
def transform_partly(g, t, space):
    """Turn a space to another colour than the own. Returns whether that is done, or has yet to be chosen (R18)."""
    aim(g, t, space)
    colour = only_colour(g, t)
    if colour == state.NONE:
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
        reach.buy_spades(g, t, seat, steps - free)
    note_turn(g, t, seat, space, colour, steps)
    recolour(g, t, seat, space, colour)
    g.target = state.NONE


@rule
def note_turn(g, t, seat, space, colour, steps):
    """How far an action has turned its first space, while that has not the own colour (ruling R5)."""
    if g.spade_use != state.ACTION_SPADES or not (g.first == state.NONE or g.first == space):
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
    if colour == t.home[g.faction[seat]] and g.spade_use != state.PHASE_SPADES:
        if g.first == state.NONE or g.first == space or g.spade_use == state.STRONGHOLD_SPADES:
            add(g.sites, space)
    if g.first == state.NONE:
        g.first = space
