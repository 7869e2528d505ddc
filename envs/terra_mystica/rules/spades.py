"""Spades and terraforming: the wheel, who pays what, and the spaces that may be transformed (rules §7)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import TO, TRANSFORM
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
from theogony.envs.terra_mystica.rules.bits import ZERO, add, holds, mark, remove
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

COLOURS = 7
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
def may_top_up(g, t):
    """Spades may be bought for the first space of an action only (rules §7); the seed allows it for the second."""
    return g.spade_use <= ACTION_SPADES and (g.first == NONE or (t.free_spades and g.spades > 0))


# ---------------------------------------------------------------------------------------------------- spaces


@rule
def targets(g, t, seat, spades, top_up):
    """The spaces an action with so many free spades may transform."""
    need = fewest(g, seat) - spades
    low, high = ZERO, ZERO
    if need <= 0 or (top_up and spades_for_sale(g, t, seat, NOTHING, NOTHING) >= need):
        low, high = reached(g, t, seat)
    if can_tunnel(g, t, seat):
        kept, priests = tunnel_workers(g, t, seat), tunnel_priests(g, seat)
        if need <= 0 or (top_up and spades_for_sale(g, t, seat, kept, priests) >= need):
            more_low, more_high = tunnelled(g, t, seat)
            low, high = low | more_low, high | more_high
    home = g.colour[t.home[g.faction[seat]]]
    return low & ~home[0], high & ~home[1]


@rule
def plain_targets(g, t, seat, spades):
    """The same for spades without top-up and tunnel: the Halflings' stronghold and the cult bonus."""
    if spades < fewest(g, seat):
        return ZERO, ZERO
    low, high = reached(g, t, seat)
    home = g.colour[t.home[g.faction[seat]]]
    return low & ~home[0], high & ~home[1]


@rule
def sandstorm_targets(g, t, seat):
    """Free spaces of a foreign colour that share an edge with an own structure."""
    low, high = beside_own(g, t, seat)
    home = g.colour[t.home[g.faction[seat]]]
    return low & ~g.taken[0] & ~home[0], high & ~g.taken[1] & ~home[1]


@rule
def open_targets(g, t, seat):
    """The spaces that may be transformed now, by what the spades at hand are."""
    spades = np.int64(g.spades)
    if g.spade_use == SANDSTORM and g.first == NONE:
        return sandstorm_targets(g, t, seat)
    if g.spade_use == STRONGHOLD_SPADES or g.spade_use == PHASE_SPADES:
        return plain_targets(g, t, seat, spades)
    if g.spade_use != SANDSTORM and (g.decision == MAIN or spades > 0):
        return targets(g, t, seat, spades, may_top_up(g, t))
    return ZERO, ZERO


@rule
def any_target(g, t, seat, spades):
    """Whether an action with free spades would find a space."""
    low, high = targets(g, t, seat, spades, spades > 0)
    return low | high != ZERO


@rule
def legal_transforms(g, t, mask):
    """Mark the spaces that may be transformed; returns whether there are any."""
    low, high = open_targets(g, t, np.int64(g.actor))
    mark(mask, TRANSFORM, low, high)
    return low | high != ZERO


# ---------------------------------------------------------------------------------------------------- colours


@rule
def distance(g, t, seat, space, colour):
    """Spades from a space's colour to another; 0 when the way leads past the own colour (ruling)."""
    home, now = np.int64(t.home[g.faction[seat]]), np.int64(g.terrain[space])
    if g.faction[seat] == GIANTS:
        return 2 if colour == home and now != home else 0
    up, home_up = (colour - now) % COLOURS, (home - now) % COLOURS
    if up > COLOURS // 2:
        up, home_up = COLOURS - up, COLOURS - home_up
    return 0 if home_up < up else up


@rule
def legal_colours(g, t, mask):
    """Colours that the spades reach. Free spades are all used, but those left over at the own colour."""
    seat, space, free = np.int64(g.actor), np.int64(g.target), np.int64(g.spades)
    most = free
    if may_top_up(g, t):
        most += max(spades_for_sale(g, t, seat, NOTHING, NOTHING), 0)
    loose = g.spade_use != ACTION_SPADES or t.free_spades
    for colour in range(COLOURS):
        steps = distance(g, t, seat, space, colour)
        if 0 < steps <= most and (loose or steps >= free or colour == t.home[g.faction[seat]]):
            mask[TO + colour] = 1


@rule
def aim(g, t, space):
    """Choose the space to transform, paying for a tunnel or carpet flight; 4 points each time (rules §12)."""
    seat = np.int64(g.actor)
    if g.spade_use < STRONGHOLD_SPADES and t.skips[g.faction[seat]] and not holds(g.near[seat], space):
        pay_tunnel(g, t, seat)
    if g.decision == MAIN:
        g.spade_use = ACTION_SPADES
    if g.spade_use == SANDSTORM:
        recolour(g, t, seat, space, np.int64(t.home[g.faction[seat]]))
    else:
        g.target = space


@rule
def pay_tunnel(g, t, seat):
    """The price and the points of skipping spaces."""
    g.workers[seat] -= tunnel_workers(g, t, seat)
    g.priests[seat] -= tunnel_priests(g, seat)
    g.tunnelled = 1
    gain_vp(g, seat, SKIP_VP, V_FACTION)


@rule
def transform(g, t, colour):
    """Turn the chosen space to a colour: free spades first, the others bought."""
    seat, space = np.int64(g.actor), np.int64(g.target)
    steps = distance(g, t, seat, space, colour)
    free = min(steps, np.int64(g.spades))
    g.spades -= free
    if steps > free:
        buy_spades(g, t, seat, steps - free)
    recolour(g, t, seat, space, colour)
    g.target = NONE


@rule
def recolour(g, t, seat, space, colour):
    """The space has a new colour; on an own-coloured one the action may still build a dwelling (rules §6.1)."""
    remove(g.colour[g.terrain[space]], space)
    g.terrain[space] = colour
    add(g.colour[colour], space)
    if colour == t.home[g.faction[seat]] and g.spade_use != PHASE_SPADES:
        if g.first == NONE or g.spade_use == STRONGHOLD_SPADES:
            add(g.sites, space)
    if g.first == NONE:
        g.first = space
