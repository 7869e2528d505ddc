"""Enemies and the cards they stand on: damage, armour, defeat (§5.3; §12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import C_ARMOUR_BROKEN, C_DEFEATED, EMPTY, NONE, OWN
from theogony.envs.god_of_war.frames import DEFEATED_ACTOR, DEFEATED_SLOT, F_BOXES, F_DEFEATED, F_FLIPS
from theogony.envs.god_of_war.rules.agenda import pop, push


@rule
def carrier(g, t, slot):
    """The card that carries the living enemy seen on a card; NONE when there is none."""
    side = g.side[slot]
    if t.enemy[g.scenario, slot, side] == EMPTY:
        return NONE
    owner = np.int64(t.part_of[g.scenario, slot, side])
    if g.dead[owner] or t.enemy[g.scenario, owner, g.side[owner]] != OWN:
        return NONE
    return owner


@rule
def lives(g, t, slot):
    """Whether a living enemy of its own stands on a card."""
    return t.enemy[g.scenario, slot, g.side[slot]] == OWN and g.dead[slot] == 0


@rule
def hp_left(g, t, slot):
    """Health that the enemy carried by a card has left."""
    return np.int64(t.enemy_hp[g.scenario, slot, g.side[slot]]) - np.int64(g.hurt[slot])


@rule
def vulnerable(g, t, slot):
    """Whether damage reaches the enemy: no intact armour and not invulnerable (R23, R40)."""
    return g.armour[slot] == 0 and t.invulnerable[g.scenario, slot, g.side[slot]] == 0


@rule
def highest_armour(g, t, slot):
    """The highest intact armour marker of an enemy, as its number; NONE when there is none."""
    for marker in range(t.armour.shape[3]):
        if (g.armour[slot] >> marker) & 1:
            return marker
    return NONE


@rule
def restore_armour(g, t, slot):
    """All armour markers of the visible side."""
    bits = 0
    for marker in range(t.armour.shape[3]):
        if t.armour[g.scenario, slot, g.side[slot], marker] > 0:
            bits |= 1 << marker
    g.armour[slot] = bits


@rule
def damage_enemy(g, t, slot, n, actor):
    """Damage to the enemy carried by a card, which armour and invulnerability stop (R23). Pushes what it causes."""
    if not vulnerable(g, t, slot):
        return
    g.hurt[slot] += n
    if hp_left(g, t, slot) <= 0:
        push(g, F_DEFEATED, slot, actor)


@rule
def break_armour(g, t, slot, actor):
    """Destroy the highest intact armour marker; the last one may turn cards over (§5.3)."""
    marker = highest_armour(g, t, slot)
    if marker == NONE:
        return
    g.armour[slot] &= ~(1 << marker)
    if g.armour[slot] == 0:
        condition_met(g, slot, C_ARMOUR_BROKEN, 0, actor, g.turnings)


@rule
def condition_met(g, slot, condition, parameter, actor, stamp):
    """Boxed effects of a condition that a card has just met, then its flips; `stamp`: turnings when it was met."""
    push(g, F_FLIPS, slot, condition, parameter, actor, 0, stamp)
    push(g, F_BOXES, slot, condition, parameter, actor, 0, stamp)


@rule
def defeated(g, frame):
    """An enemy is defeated (R54): damage and stun off, boxed effects, then the flip or a death token (F_DEFEATED)."""
    slot, actor = np.int64(frame[DEFEATED_SLOT]), np.int64(frame[DEFEATED_ACTOR])
    g.hurt[slot] = 0
    g.stunned[slot] = 0
    g.skipping[slot] = 0
    g.dead[slot] = 1  # a flip takes the token away again
    if g.enemy_owner == slot:
        g.enemy_owner = NONE  # its attack lapses (ruling R72)
    pop(g)
    condition_met(g, slot, C_DEFEATED, 0, actor, g.turnings)
    return False
