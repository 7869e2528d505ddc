"""Attacks of enemies: stun, the columns that are hit, hero after hero (§6.1)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import C_ATTACKED, NONE
from theogony.envs.god_of_war.frames import ENEMY_ATTACK, ENEMY_BEGAN, ENEMY_COLUMNS, ENEMY_SLOT, ENEMY_STAMP, F_HIT
from theogony.envs.god_of_war.rules.agenda import ask, lowest, pop, push
from theogony.envs.god_of_war.rules.enemies import carrier, condition_met
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.state import RANGED_TARGET


@rule
def enemy_attacks(g, t, frame):
    """An enemy attack (§6.1): stun, columns, then hero after hero from left to right (F_ENEMY_ATTACK)."""
    attack, slot = np.int64(frame[ENEMY_ATTACK]), np.int64(frame[ENEMY_SLOT])
    if frame[ENEMY_BEGAN] == 0:
        owner = carrier(g, t, slot)
        if owner == NONE or skips(g, owner):
            pop(g)
            return False
        begin_enemy_attack(g, t, attack, slot, owner)
        frame[ENEMY_BEGAN] = 1
        frame[ENEMY_COLUMNS] = columns_hit(g, t, attack, slot)
        if t.attack_ranged[attack] and frame[ENEMY_COLUMNS] & (frame[ENEMY_COLUMNS] - 1):  # several columns equally far
            return ask(g, g.active, RANGED_TARGET)
    columns = np.int64(frame[ENEMY_COLUMNS])
    if g.enemy_owner == NONE:  # defeated meanwhile: the rest of the attack lapses (ruling R72)
        end_enemy_attack(g)
        pop(g)
        check_again(g, NONE)
        return False
    if columns == 0:
        ranged, stamp = t.attack_ranged[attack], np.int64(frame[ENEMY_STAMP])
        end_enemy_attack(g)
        pop(g)
        check_again(g, NONE)
        condition_met(g, slot, C_ATTACKED, ranged, NONE, stamp)
        return False
    column = lowest(columns)
    frame[ENEMY_COLUMNS] = columns & ~(1 << column)
    front = np.int64(g.columns[column, 0])
    if front != NONE:
        g.attacked = front
        g.victim = front
        push(g, F_HIT)
    return False


@rule
def skips(g, owner):
    """A stunned enemy loses its token at its first attack and skips all of this scene activation (ruling R20)."""
    if g.stunned[owner] and not g.skipping[owner]:
        g.stunned[owner] = 0
        g.skipping[owner] = 1
    return g.skipping[owner] != 0


@rule
def begin_enemy_attack(g, t, attack, slot, owner):
    """Note what attacks: card, the card that carries the enemy, type, strength with its tokens, status effect."""
    g.enemy_slot = slot
    g.enemy_owner = owner
    g.enemy_ranged = t.attack_ranged[attack]
    strength = np.int64(t.attack_strength[attack])
    if t.attack_tokens[attack] != NONE:
        strength += np.int64(g.tokens[t.attack_tokens[attack]])
    g.enemy_strength = strength
    g.enemy_status = t.attack_status[attack]


@rule
def end_enemy_attack(g):
    """The attack is over: its notes are cleared."""
    g.enemy_slot = NONE
    g.enemy_owner = NONE
    g.enemy_ranged = 0
    g.enemy_strength = 0
    g.enemy_status = NONE


@rule
def columns_hit(g, t, attack, slot):
    """Columns an attack hits, as bits: those its arrows name, or those with a hero farthest away (R15)."""
    count = g.columns.shape[0]
    own = slot % count
    hit, farthest = 0, -1
    for column in range(count):
        if g.columns[column, 0] == NONE:
            continue
        if t.attack_ranged[attack]:
            distance = abs(column - own)
            if distance > farthest:
                farthest, hit = distance, 0
            if distance == farthest:
                hit |= 1 << column
        elif -1 <= column - own <= 1 and (t.attack_dirs[attack] >> (column - own + 1)) & 1:
            hit |= 1 << column
    return hit


@rule
def choose_column(frame, column):
    """Of several columns equally far, the one that a ranged attack hits."""
    frame[ENEMY_COLUMNS] = 1 << column
