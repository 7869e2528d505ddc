"""Scene activation: the reveal, then card after card that shows the rune (§6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.rules.agenda import ask, lowest, pop, push
from theogony.envs.god_of_war.rules.cards import reveal_upgrade
from theogony.envs.god_of_war.rules.enemies import carrier, check_again, condition_met, printed_strength
from theogony.envs.god_of_war.rules.usable import ask_window
from theogony.envs.god_of_war.state import RANGED_TARGET, REVEAL_WINDOW

# The names of places and stages of its frames, see `codes.py`.
ACTIVATION_WINDOW, ACTIVATION_CARDS = range(2)
ACTIVATION_RUNE, ACTIVATION_LEFT, ACTIVATION_PHASE = 3, 4, 5
CARD_SLOT, CARD_RUNE, CARD_STAMP, CARD_STAGE, CARD_NEXT = range(1, 6)
CARD_ATTACKS, CARD_BOXES, CARD_DONE = range(3)
ENEMY_ATTACK, ENEMY_SLOT, ENEMY_BEGAN, ENEMY_COLUMNS, ENEMY_STAMP = range(1, 6)


@rule
def activate(g, t, frame):
    """A scene activation (§6): the window, the reveal, then the cards that show the rune (F_ACTIVATION)."""
    if frame[codes.STAGE] == ACTIVATION_WINDOW:
        g.phase = frame[ACTIVATION_PHASE]
        if g.upgrade_cards == 0:
            pop(g)
            return False
        if ask_window(g, t, np.int64(g.active), frame, REVEAL_WINDOW):
            return True
        frame[codes.STAGE] = ACTIVATION_CARDS
        reveal(g, t, frame)
        return False
    left, rune = np.int64(frame[ACTIVATION_LEFT]), np.int64(frame[ACTIVATION_RUNE])
    if left == 0:
        g.skipping[:] = 0
        pop(g)
        return False
    slot = lowest(left)
    frame[ACTIVATION_LEFT] = left & ~(1 << slot)
    if (t.shows[g.scenario, slot, g.side[slot]] >> rune) & 1:  # a card turned meanwhile may show it no more (R17)
        push(g, codes.F_CARD, slot, rune, g.turnings)
    return False


@rule
def reveal(g, t, frame):
    """Turn up the top upgrade card; the cards that show its rune are collected now (§6)."""
    rune = np.int64(t.upgrade_rune[reveal_upgrade(g)])
    frame[ACTIVATION_RUNE] = rune
    if g.cancel_rune:
        g.cancel_rune = 0
        return
    left = 0
    for slot in range(g.side.shape[0]):
        if t.present[g.scenario, slot] and (t.shows[g.scenario, slot, g.side[slot]] >> rune) & 1:
            left |= 1 << slot
    frame[ACTIVATION_LEFT] = left


@rule
def activate_card(g, t, frame):
    """One card: its attacks with the rune, boxes, flips (R18); once it is turned the rest lapses (R58) (F_CARD)."""
    slot, rune, stamp = np.int64(frame[CARD_SLOT]), np.int64(frame[CARD_RUNE]), np.int64(frame[CARD_STAMP])
    side = g.side[slot]
    if g.turned_at[slot] > stamp or frame[CARD_STAGE] == CARD_DONE:
        pop(g)
        return False
    if frame[CARD_STAGE] == CARD_ATTACKS:
        first = np.int64(t.attacks_first[g.scenario, slot, side])
        for attack in range(first + np.int64(frame[CARD_NEXT]), t.attacks_end[g.scenario, slot, side]):
            if t.attack_rune[attack] == rune:
                frame[CARD_NEXT] = attack + 1 - first
                push(g, codes.F_ENEMY_ATTACK, attack, slot, 0, 0, g.turnings)
                return False
        frame[CARD_STAGE] = CARD_BOXES
        if t.boxes_first[g.scenario, slot, side] < t.boxes_end[g.scenario, slot, side]:
            push(g, codes.F_BOXES, slot, codes.C_RUNE, rune, codes.NONE, 0, stamp)
            return False
    frame[CARD_STAGE] = CARD_DONE
    check_again(g, codes.NONE)
    if t.flips_first[g.scenario, slot, side] < t.flips_end[g.scenario, slot, side]:
        push(g, codes.F_FLIPS, slot, codes.C_RUNE, rune, codes.NONE, 0, stamp)
    return False


# ---- Attacks of enemies: stun, the columns that are hit, hero after hero (§6.1) ----------------------------------


@rule
def enemy_attacks(g, t, frame):
    """An enemy attack (§6.1): stun, columns, then hero after hero from left to right (F_ENEMY_ATTACK)."""
    attack, slot = np.int64(frame[ENEMY_ATTACK]), np.int64(frame[ENEMY_SLOT])
    if frame[ENEMY_BEGAN] == 0:
        owner = carrier(g, t, slot)
        if owner == codes.NONE or skips(g, owner):
            pop(g)
            return False
        begin_enemy_attack(g, t, attack, slot, owner)
        frame[ENEMY_BEGAN] = 1
        frame[ENEMY_COLUMNS] = columns_hit(g, t, attack, slot)
        if t.attack_ranged[attack] and frame[ENEMY_COLUMNS] & (frame[ENEMY_COLUMNS] - 1):  # several columns equally far
            return ask(g, g.active, RANGED_TARGET)
    columns = np.int64(frame[ENEMY_COLUMNS])
    if g.enemy_owner == codes.NONE:  # defeated meanwhile: the rest of the attack lapses (ruling R72)
        end_enemy_attack(g)
        pop(g)
        check_again(g, codes.NONE)
        return False
    if columns == 0:
        ranged, stamp = t.attack_ranged[attack], np.int64(frame[ENEMY_STAMP])
        end_enemy_attack(g)
        pop(g)
        check_again(g, codes.NONE)
        condition_met(g, slot, codes.C_ATTACKED, ranged, codes.NONE, stamp)
        return False
    column = lowest(columns)
    frame[ENEMY_COLUMNS] = columns & ~(1 << column)
    front = np.int64(g.columns[column, 0])
    if front != codes.NONE:
        g.attacked = front
        g.victim = front
        push(g, codes.F_HIT)
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
    g.enemy_strength = printed_strength(g, t, attack)
    g.enemy_status = t.attack_status[attack]


@rule
def end_enemy_attack(g):
    """The attack is over: its notes are cleared."""
    g.enemy_slot = codes.NONE
    g.enemy_owner = codes.NONE
    g.enemy_ranged = 0
    g.enemy_strength = 0
    g.enemy_status = codes.NONE


@rule
def columns_hit(g, t, attack, slot):
    """Columns an attack hits, as bits: those its arrows name, or those with a hero farthest away (R15)."""
    count = g.columns.shape[0]
    own = slot % count
    hit, farthest = 0, -1
    for column in range(count):
        if g.columns[column, 0] == codes.NONE:
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
