"""A hero's attack: the set, the window, armour, die and damage (§5.2, §5.3)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import chance
from theogony.envs.god_of_war.codes import MELEE, NONE, SKILL_DIE
from theogony.envs.god_of_war.frames import (
    ATTACK_HELPED,
    ATTACK_MADE,
    ATTACK_OPEN,
    F_ATTACK,
    F_STRIKE,
    NOT_ROLLED,
    STAGE,
    STRIKE_DAMAGE,
    STRIKE_DIE,
    STRIKE_FIGURE,
    STRIKE_SLOT,
    STRIKE_STRENGTH,
    STRIKE_STUN,
)
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.cards import discard_in_play, play_card
from theogony.envs.god_of_war.rules.enemies import break_armour, carrier, damage_enemy, highest_armour, vulnerable
from theogony.envs.god_of_war.rules.figures import gain_rage
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.rules.sets import free_skill, number_in_hand
from theogony.envs.god_of_war.rules.usable import ask_window
from theogony.envs.god_of_war.state import ATTACK_WINDOW, DIE, SET


@rule
def reaches(t, play, row):
    """Whether an attack card hits enemies of a row: melee only those of the bottom row (§5.3)."""
    return row == 1 or t.play_kind[play] != MELEE


@rule
def start_attack(g, t, seat, figure, row, play):
    """Name the symbol card and the target; the set is open."""
    play_card(g, seat, t.play_design[play])
    g.set_play = play
    g.set_strength = t.play_number[play]
    g.attacker = figure
    g.aim = row * g.columns.shape[0] + g.column[figure]
    push(g, F_ATTACK, ATTACK_OPEN)


@rule
def run_attack(g, t, frame):
    """The stages of an attack: open set, window, result, discard (F_ATTACK)."""
    seat = np.int64(g.seat_of[g.attacker])
    if frame[STAGE] == ATTACK_OPEN:
        if g.set_strength == 0 or number_in_hand(g, t, seat, True):
            return ask(g, seat, SET)
        frame[STAGE] = ATTACK_HELPED
    if frame[STAGE] == ATTACK_HELPED:
        if attack_stands(g, t) and ask_window(g, t, seat, frame, ATTACK_WINDOW):
            return True
        frame[STAGE] = ATTACK_MADE
        if g.standing[g.attacker]:
            make_attack(g, t, seat)
        return False
    discard_in_play(g, seat)
    g.set_play = NONE
    g.set_strength = 0
    g.attacker = NONE
    g.aim = NONE
    g.boost = 0
    pop(g)
    return False


@rule
def attack_stands(g, t):
    """Whether there is still somebody who attacks and an enemy to hit; else the window ends at once (ruling R71)."""
    return g.standing[g.attacker] != 0 and carrier(g, t, np.int64(g.aim)) != NONE


@rule
def make_attack(g, t, seat):
    """The attack uses up what waits for it and gives rage (§5.3; rulings R22, R50); then it meets the enemy."""
    figure, play = np.int64(g.attacker), np.int64(g.set_play)
    strength = np.int64(g.set_strength) + np.int64(g.boost) + np.int64(g.next_attack[seat])
    damage = np.int64(g.next_damage[seat])
    g.next_attack[seat] = 0
    g.next_damage[seat] = 0
    gain_rage(g, t, figure, t.play_rage[play])
    check_again(g, figure)
    push(g, F_STRIKE, g.aim, strength, t.play_stun[play], figure, damage, NOT_ROLLED)


@rule
def strike(g, t, frame):
    """An attack of this strength on the enemy seen on a card: stun, armour or die, damage (§5.3) (F_STRIKE)."""
    figure, strength = np.int64(frame[STRIKE_FIGURE]), np.int64(frame[STRIKE_STRENGTH])
    owner = carrier(g, t, np.int64(frame[STRIKE_SLOT]))
    if owner == NONE:
        pop(g)
        return False
    if frame[STRIKE_DIE] == NOT_ROLLED:
        if frame[STRIKE_STUN]:
            g.stunned[owner] = 1
        marker = highest_armour(g, t, owner)
        if marker != NONE or not vulnerable(g, t, owner):  # no damage and no die (ruling R47)
            pop(g)
            if marker != NONE and strength >= t.armour[g.scenario, owner, g.side[owner], marker]:
                break_armour(g, t, owner, figure)
            return False
        frame[STRIKE_DIE] = t.die[chance(g, t, t.die.shape[0])]
        if frame[STRIKE_DIE] != 0 and free_skill(g, t, SKILL_DIE) != NONE:
            return ask(g, g.seat_of[figure], DIE)
    damage = max(strength - np.int64(frame[STRIKE_DIE]), 0) + np.int64(frame[STRIKE_DAMAGE])  # ruling R9
    pop(g)
    damage_enemy(g, t, owner, damage, figure)
    return False


@rule
def shoot(g, slot, strength, stun, figure):
    """A companion's attack: no rage, no numbers, nothing that waits, its own die (rulings R37, R60)."""
    check_again(g, figure)
    push(g, F_STRIKE, slot, strength, stun, figure, 0, NOT_ROLLED)


@rule
def add_number(g, t, seat, play):
    """One more card for the open set of an attack or a block (§5.2)."""
    play_card(g, seat, t.play_design[play])
    g.set_strength += t.play_number[play]
    gain_rage(g, t, g.attacker if g.attacked == NONE else g.attacked, t.play_rage[play])


@rule
def close_set(frame):
    """The set of an attack is complete: now the window."""
    frame[STAGE] = ATTACK_HELPED
