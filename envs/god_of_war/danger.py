"""What enemies are expected to cost the team, in points of the heuristic."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.rules.enemies import carrier
from theogony.envs.god_of_war.words import MIMIR, NONE

HEALTH, LAST_HEALTH, LIFE = 1.1, 1.6, 6.0  # a point of health, more for each of the last four, a hero who stands
WARD = 3.0
THREAT = 0.8  # a point of strength that a living enemy keeps, for each activation of a round


@rule
def danger(g, t, horizon):
    """Health that enemies are expected to cost in so many activations."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        total += danger_of(g, t, slot, horizon)
    return total


@rule
def threat(g, t, owner):
    """Strength that the living enemies (or one of them) will go on striking with, wherever the heroes stand."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        carried = carrier(g, t, slot)
        if carried != NONE and (owner == NONE or carried == owner):
            side = g.side[slot]
            for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
                total += np.float64(t.attack_strength[k]) + (0.5 if t.attack_status[k] != NONE else 0.0)
    return total * 0.25 * THREAT * (np.float64(g.players) + 1.0)


@rule
def danger_of(g, t, slot, horizon):
    """Health that the attacks printed on one card are expected to cost; one rune in four brings each."""
    owner = carrier(g, t, slot)
    if owner == NONE:
        return 0.0
    side, total = g.side[slot], 0.0
    for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
        strength = np.float64(t.attack_strength[k])
        if t.attack_tokens[k] != NONE:
            strength += g.tokens[t.attack_tokens[k]]
        strength = max(strength - 0.7, 0.3)
        status = 0.8 if t.attack_status[k] != NONE else 0.0
        if t.attack_ranged[k]:
            total += 0.25 * (farthest_loss(g, t, slot, strength) + status)
        else:
            for offset in range(-1, 2):
                column = slot % g.columns.shape[0] + offset
                if (np.int64(t.attack_dirs[k]) >> (offset + 1)) & 1 and 0 <= column < g.columns.shape[0]:
                    front = np.int64(g.columns[column, 0])
                    if front != NONE:
                        total += 0.25 * (loss(g, t, front, strength) + status)
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


@rule
def loss(g, t, figure, damage):
    """What damage to a figure costs; a ward takes it instead."""
    left = np.float64(t.hp[figure]) - np.float64(g.damage[figure])
    if g.wards[figure] > 0:
        return WARD * 0.7
    return health_value(figure, left) - health_value(figure, left - damage)


@rule
def health_value(figure, left):
    """The worth of a figure's health: the last points count most."""
    if left <= 0.0:
        return 0.0
    worth = LIFE + HEALTH * left + LAST_HEALTH * min(left, 4.0)
    return 0.6 * worth if figure == MIMIR else worth


@rule
def failing(g, t):
    """How near the quest is to failure by tokens."""
    worst = 0.0
    for k in range(t.failure_first[g.scenario], t.failure_end[g.scenario]):
        if t.goal_kind[k] == 1:
            share = np.float64(g.tokens[t.goal_slot[k]]) / np.float64(t.goal_n[k])
            worst += 45.0 * share * share * share
    return worst
