"""Effects of regions (rules §5, step 5) and of gods when they are taken (§6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.orbis.components import ANY, COLOURS, CONVERSION, DISPLAY, FARM, IRRIGATION, VILLAGE, VOLCANO
from theogony.envs.orbis.rules.pyramid import irrigated
from theogony.envs.orbis.state import DESTROY, EFFECT, GAIN, GIVE, NONE, TRIM, UP

RATE = 3  # worshippers of one colour for one of any


def _beside(position: int) -> list[int]:
    """Orthogonal neighbours in the display, filled up with NONE."""
    row, column = divmod(position, 3)
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    found = [3 * r + c for r, c in around if 0 <= r < 3 and 0 <= c < 3]
    return found + [NONE] * (4 - len(found))


BESIDE = np.array([_beside(position) for position in range(9)])


@rule
def total(realm):
    """Worshippers of all colours."""
    count = 0
    for colour in range(COLOURS):
        count += np.int64(realm[colour])
    return count


@rule
def generate(g, t):
    """Step 1: one worshipper of the tile's colour flees to each orthogonal neighbour in the display."""
    colour = t.colour[g.hand]
    for k in range(4):
        position = BESIDE[g.source, k]
        if position != NONE:
            g.lying[position, colour] += 1


@rule
def collect(g):
    """Step 2: what lay on the tile goes to the realm, which may exceed the limit during the turn (A15)."""
    for colour in range(COLOURS):
        g.realm[g.actor, colour] += g.lying[g.source, colour]
        g.lying[g.source, colour] = 0


@rule
def named_due(g, t, seat, tile, colour):
    """The named part of a cost that is due with the farms owned (§5, A1)."""
    cost = np.int64(t.cost[tile, colour])
    if (g.farms[seat] >> colour) & 1 == 0:
        return cost
    return max(cost - 1, 0) if t.farm_waives_one else 0


@rule
def payable(g, t, seat, tile):
    """Step 3: whether the realm holds every named part, and enough besides for the "any" parts (A3)."""
    left = total(g.realm[seat])
    for colour in range(COLOURS):
        due = named_due(g, t, seat, tile, colour)
        if due > g.realm[seat, colour]:
            return False
        left -= due
    return left >= t.cost[tile, ANY]


@rule
def pay_named(g, t, seat, tile):
    """Pay the named parts; the "any" parts stay due, and the payer chooses."""
    for colour in range(COLOURS):
        g.realm[seat, colour] -= named_due(g, t, seat, tile, colour)
    g.due[ANY] = t.cost[tile, ANY]


@rule
def can_exchange(g, seat):
    """Whether three of a colour are at hand (§3.1)."""
    for colour in range(COLOURS):
        if g.realm[seat, colour] >= RATE:
            return True
    return False


@rule
def exchange(g, seat, give, get):
    """Return three worshippers of a colour, take one of any (§3.1)."""
    g.realm[seat, give] -= RATE
    g.realm[seat, get] += 1


@rule
def refill(g):
    """Step 7: the next tile, of the lowest level that is left, without worshippers. There always is one (A27)."""
    g.display[g.source] = g.pile[g.drawn]
    g.pile[g.drawn] = NONE
    g.drawn += 1


# ---- Effects of regions (rules §5, step 5) and of gods when they are taken (§6) ----------------------------------

CHECKED = np.array([-1, -1, -1, 0, 1, 2, -1, -1])  # column of `counts` for villages, volcanoes and irrigation


@rule
def effect_due(g, t):
    """The phase after placement: effects of wildernesses, holy stones, temples and forests need no step 5."""
    effect = t.effect[g.hand]
    acts = effect == CONVERSION or effect == FARM or CHECKED[effect] >= 0
    return EFFECT if g.face == UP and acts else TRIM


@rule
def begin_effect(g, t):
    """Step 5 as far as it goes by itself; the next phase is a decision of the player or the end of the effect."""
    seat = np.int64(g.actor)
    if g.hand == NONE:
        begin_god(g, t, seat)
        return
    effect = t.effect[g.hand]
    if effect == CONVERSION:
        begin_conversion(g, t, seat)
    elif effect == FARM:  # counted since it was placed, and so from the next tile on (A2)
        end_effect(g)
    elif effect == IRRIGATION:
        if irrigated(g, t, seat, np.int64(g.hand), np.int64(g.cell)):
            activate(g, t, seat)
        else:
            cancel(g, seat)
    elif effect == VILLAGE and total(g.realm[seat]) >= t.number[g.hand]:
        set_due(g, t)
        g.decision = GIVE
    elif effect == VOLCANO and eruption_possible(g, t):
        set_due(g, t)
        g.decision = DESTROY
    else:
        cancel(g, seat)


@rule
def begin_god(g, t, seat):
    """Love gives (A18), Death may take exactly its number (A19)."""
    number = np.int64(t.on_take[g.god[seat]])
    if number > 0:
        g.due[ANY] = number
        g.decision = GAIN
    elif total(g.realm[seat]) >= -number:
        g.due[ANY] = -number
        g.decision = GIVE
    else:
        end_effect(g)


@rule
def begin_conversion(g, t, seat):
    """Worshippers of a named colour come by themselves (A38); of any colour the player chooses."""
    set_due(g, t)
    g.decision = GAIN
    if t.optional_gains == 0 and g.due[ANY] == 0:
        for colour in range(COLOURS):
            g.realm[seat, colour] += g.due[colour]
        end_effect(g)


@rule
def set_due(g, t):
    """What the player has to choose, as the tile shows it."""
    for colour in range(COLOURS + 1):
        g.due[colour] = t.parts[g.hand, colour]


@rule
def eruption_possible(g, t):
    """All worshippers of a volcano lie on the other eight display tiles, or none may be removed (A12)."""
    there = 0
    for colour in range(COLOURS):
        lying = 0
        for position in range(DISPLAY):
            lying += np.int64(g.lying[position, colour])
        if lying < t.parts[g.hand, colour]:
            return False
        there += lying
    return there >= t.number[g.hand]


@rule
def spend_due(g, colour):
    """One worshipper of a colour towards what is due: the named part first, then "any". True when all is done."""
    part = colour if g.due[colour] > 0 else ANY
    g.due[part] -= 1
    g.begun = 1
    left = np.int64(g.due[ANY])
    for other in range(COLOURS):
        left += np.int64(g.due[other])
    return left == 0


@rule
def fulfil(g, t):
    """The player has given or destroyed everything."""
    if g.hand == NONE:
        g.taken[g.actor] = 1
        end_effect(g)
    else:
        activate(g, t, np.int64(g.actor))


@rule
def decline(g, t):
    """The player does not want to: a village or volcano is cancelled for good (A39), Death's discard not done."""
    if g.hand == NONE or t.effect[g.hand] == CONVERSION:
        end_effect(g)
    else:
        cancel(g, np.int64(g.actor))


@rule
def activate(g, t, seat):
    """Mark a village, volcano or irrigation as active: its points count, and it counts for gods."""
    g.active[seat] |= np.int64(1) << g.cell
    g.counts[seat, CHECKED[t.effect[g.hand]]] += 1
    g.cp[seat] += t.cp[g.hand]
    end_effect(g)


@rule
def cancel(g, seat):
    """Cover the points of a village, volcano or irrigation for good; it keeps its colour (A32)."""
    g.cancelled[seat] |= np.int64(1) << g.cell
    end_effect(g)


@rule
def end_effect(g):
    """On to step 6."""
    g.due[:] = 0
    g.begun = 0
    g.decision = TRIM
