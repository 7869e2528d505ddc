"""What enemies are expected to cost the team, in points of the heuristic."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import (
    C_RUNE,
    E_ADD_TOKEN,
    E_DAMAGE_HEROES,
    MIMIR,
    NONE,
    P_TOKENS_GE,
    S_ALL,
    S_CHOSEN,
    S_COLUMN,
)
from theogony.envs.god_of_war.heuristic.weights import (
    BOXES,
    FAILING,
    FLOW,
    HEALTH,
    LAST_HEALTH,
    LIFE,
    PRINTED,
    STATUS,
    THREAT,
    WARD,
    of,
)
from theogony.envs.god_of_war.rules.enemies import carrier

RUNE = 0.25  # one rune in four brings an attack or a boxed effect


@rule
def danger(g, t, horizon):
    """Health that enemies and boxed effects are expected to cost in so many activations."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        total += danger_of(g, t, slot, horizon)
    for slot in range(g.side.shape[0]):
        total += of(g, BOXES) * RUNE * horizon * box_danger(g, t, slot)
    return total


# ---------------------------------------------------------------------------------------------------- attacks


@rule
def threat(g, t):
    """Strength that the living enemies will go on striking with, wherever the heroes stand."""
    return owner_threat(g, t, NONE)


@rule
def owner_threat(g, t, owner):
    """Strength that one living enemy will go on striking with; of all of them when `owner` is NONE."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        carried = carrier(g, t, slot)
        if carried != NONE and (owner == NONE or carried == owner):
            total += side_threat(g, t, slot, np.int64(g.side[slot]))
    return total


@rule
def side_threat(g, t, slot, side):
    """Strength that the attacks on one side of a scene card will go on striking with."""
    total = 0.0
    for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
        total += np.float64(t.attack_strength[k]) + (0.5 if t.attack_status[k] != NONE else 0.0)
    return total * RUNE * of(g, THREAT) * (np.float64(g.players) + 1.0)


@rule
def danger_of(g, t, slot, horizon):
    """Health that the attacks printed on one card are expected to cost."""
    owner = carrier(g, t, slot)
    if owner == NONE:
        return 0.0
    side, total = g.side[slot], 0.0
    for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
        strength = np.float64(t.attack_strength[k])
        if t.attack_tokens[k] != NONE:
            strength += g.tokens[t.attack_tokens[k]]
        strength = max(strength - of(g, PRINTED), 0.3)
        status = of(g, STATUS) if t.attack_status[k] != NONE else 0.0
        if t.attack_ranged[k]:
            total += RUNE * (farthest_loss(g, t, slot, strength) + status)
        else:
            for offset in range(-1, 2):
                column = slot % g.columns.shape[0] + offset
                if (np.int64(t.attack_dirs[k]) >> (offset + 1)) & 1 and 0 <= column < g.columns.shape[0]:
                    front = np.int64(g.columns[column, 0])
                    if front != NONE:
                        total += RUNE * (loss(g, t, front, strength) + status)
    return total * (max(horizon - 2.0, 0.5) if g.stunned[owner] else horizon)


@rule
def owner_danger(g, t, owner, horizon):
    """Danger of all cards that show an enemy."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        if carrier(g, t, slot) == owner:
            total += danger_of(g, t, slot, horizon)
    return total


@rule
def farthest_loss(g, t, slot, strength):
    """What a ranged attack costs: the team chooses between equally far columns."""
    own, farthest, least = slot % g.columns.shape[0], -1, 0.0
    for column in range(g.columns.shape[0]):
        front = np.int64(g.columns[column, 0])
        if front == NONE:
            continue
        distance, cost = abs(column - own), loss(g, t, front, strength)
        if distance > farthest or (distance == farthest and cost < least):
            farthest, least = distance, cost
    return least


# ---------------------------------------------------------------------------------------------------- boxed effects


@rule
def box_danger(g, t, slot):
    """Health that the boxed effects of a card cost when their rune comes."""
    total, side = 0.0, g.side[slot]
    for box in range(t.boxes_first[g.scenario, slot, side], t.boxes_end[g.scenario, slot, side]):
        if t.box_when[box] == C_RUNE:
            for k in range(t.box_first[box], t.box_end[box]):
                if t.scene_op[k] == E_DAMAGE_HEROES:
                    total += scope_loss(g, t, slot, t.scene_scope[k], np.float64(t.scene_n[k]))
    return total


@rule
def scope_loss(g, t, slot, scope, damage):
    """What damage to the heroes of a scope costs; of all heroes the team picks the one who bears it best."""
    total, least = 0.0, np.inf
    own = slot % g.columns.shape[0] if slot < 2 * g.columns.shape[0] else NONE
    for figure in range(g.standing.shape[0]):
        if not g.standing[figure] or g.column[figure] == NONE:
            continue
        cost = loss(g, t, figure, damage)
        least = min(least, cost)
        if scope == S_ALL or (g.column[figure] == own and (scope == S_COLUMN or g.columns[own, 0] == figure)):
            total += cost
    return least if scope == S_CHOSEN and least < np.inf else total


# ---------------------------------------------------------------------------------------------------- what is lost


@rule
def loss(g, t, figure, damage):
    """What damage to a figure costs; a ward takes it instead."""
    left = np.float64(t.hp[figure]) - np.float64(g.damage[figure])
    if g.wards[figure] > 0:
        return of(g, WARD) * 0.7
    return health_value(g, figure, left) - health_value(g, figure, left - damage)


@rule
def health_value(g, figure, left):
    """The worth of a figure's health: the last points count most."""
    if left <= 0.0:
        return 0.0
    worth = of(g, LIFE) + of(g, HEALTH) * left + of(g, LAST_HEALTH) * min(left, 4.0)
    return 0.6 * worth if figure == MIMIR else worth


@rule
def failing(g, t):
    """How near the quest is to failure by tokens, and how fast they come."""
    worst = 0.0
    for k in range(t.failure_first[g.scenario], t.failure_end[g.scenario]):
        if t.goal_kind[k] == P_TOKENS_GE:
            share = np.float64(g.tokens[t.goal_slot[k]]) / np.float64(t.goal_n[k])
            worst += of(g, FAILING) * share * share * share
            worst += of(g, FLOW) * (0.3 + share) * flow(g, t, t.goal_slot[k]) * (np.float64(g.players) + 1.0)
    return worst


@rule
def flow(g, t, goal):
    """Boxed effects of runes that put tokens on a card."""
    total = 0.0
    for slot in range(g.side.shape[0]):
        side = g.side[slot]
        for box in range(t.boxes_first[g.scenario, slot, side], t.boxes_end[g.scenario, slot, side]):
            if t.box_when[box] == C_RUNE:
                for k in range(t.box_first[box], t.box_end[box]):
                    if t.scene_op[k] == E_ADD_TOKEN and t.scene_slot[k] == goal:
                        total += 1.0
    return total
