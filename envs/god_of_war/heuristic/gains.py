"""What an interaction with a scene card is expected to bring while it is not paid yet."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import (
    E_BREAK_ARMOUR,
    E_CRYSTAL,
    E_DAMAGE_ENEMY,
    E_FLIP,
    E_HEAL_HEROES,
    E_REMOVE_TOKEN,
    E_STUN_ENEMY,
    NONE,
    S_ALL,
)
from theogony.envs.god_of_war.frames import PAY_FIGURE, PAY_INTERACTION, PAY_PAID
from theogony.envs.god_of_war.heuristic.danger import (
    danger,
    failing,
    health_value,
    owner_danger,
    owner_threat,
    side_threat,
)
from theogony.envs.god_of_war.heuristic.progress import ARMOUR, INVULNERABLE, TENTHS
from theogony.envs.god_of_war.heuristic.weights import COST, PAID, of
from theogony.envs.god_of_war.rules.enemies import carrier, highest_armour, hp_left
from theogony.envs.god_of_war.state import PAY

CRYSTAL = 1.5  # a crystal that is gained


@rule
def pending_payment(g, t, left):
    """What the interaction that is being paid brings, less the cards that it still costs."""
    if g.decision != PAY:
        return 0.0
    frame = g.agenda[g.depth - 1]
    figure, k, gain = np.int64(frame[PAY_FIGURE]), np.int64(frame[PAY_INTERACTION]), 0.0
    for effect in range(t.interaction_first[k], t.interaction_end[k]):
        gain += effect_gain(g, t, effect, figure, left)
    unpaid = t.interaction_cost_end[k] - t.interaction_cost_first[k] - frame[PAY_PAID]
    return of(g, PAID) * gain - of(g, COST) * unpaid


@rule
def effect_gain(g, t, effect, figure, left):
    """About what one effect is worth that a figure brings about."""
    op, n = t.scene_op[effect], np.int64(t.scene_n[effect])
    if op == E_CRYSTAL:
        return CRYSTAL
    if op == E_HEAL_HEROES:
        return healing_gain(g, t, n, figure, t.scene_scope[effect] == S_ALL)
    if op == E_REMOVE_TOKEN:
        return token_gain(g, t, np.int64(t.scene_slot[effect]), n, left)
    if op == E_FLIP:
        gain = 0.0
        for k in range(t.scene_first[effect], t.scene_end[effect]):
            gain += turning_gain(g, t, np.int64(t.turned_slot[k]))
        return gain
    owner = carrier(g, t, np.int64(t.scene_slot[effect])) if t.scene_slot[effect] >= 0 else NONE
    if owner == NONE:
        return 0.0
    if op == E_STUN_ENEMY:
        return 0.0 if g.stunned[owner] else owner_danger(g, t, owner, 1.5)
    weight, marker = np.float64(t.weight[g.scenario, owner]) * TENTHS, highest_armour(g, t, owner)
    if op == E_BREAK_ARMOUR and marker != NONE:
        return weight * ARMOUR * t.armour[g.scenario, owner, g.side[owner], marker]
    if op != E_DAMAGE_ENEMY or marker != NONE or t.invulnerable[g.scenario, owner, g.side[owner]]:
        return 0.0
    health = hp_left(g, t, owner)
    relief = owner_danger(g, t, owner, left + 0.5) + owner_threat(g, t, owner) if n >= health else 0.0
    return weight * min(n, health) + relief


@rule
def healing_gain(g, t, n, figure, everybody):
    """Health that a figure, or everybody, gets back."""
    gain = 0.0
    for other in range(g.standing.shape[0]):
        if g.standing[other] and (everybody or other == figure):
            left = np.float64(t.hp[other]) - np.float64(g.damage[other])
            healed = np.float64(min(n, np.int64(g.damage[other])))
            gain += health_value(g, other, left + healed) - health_value(g, other, left)
    return gain


@rule
def token_gain(g, t, slot, n, left):
    """What it brings to take tokens from a card: failure and blows that grow with them come less near."""
    held = g.tokens[slot]
    before = failing(g, t) + danger(g, t, left + 0.5)
    g.tokens[slot] = max(held - n, 0)
    after = failing(g, t) + danger(g, t, left + 0.5)
    g.tokens[slot] = held
    return before - after + 0.3


@rule
def turning_gain(g, t, slot):
    """What it brings to turn a scene card over: attacks that go, an enemy that can be damaged."""
    side = np.int64(g.side[slot])
    gain = side_threat(g, t, slot, side) - side_threat(g, t, slot, 1 - side)
    if t.invulnerable[g.scenario, slot, side] and not t.invulnerable[g.scenario, slot, 1 - side]:
        gain += INVULNERABLE * t.weight[g.scenario, slot] * TENTHS
    return gain
