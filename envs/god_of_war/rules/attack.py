"""A hero's attack: the set, the boosts of all players, armour, die and damage (rules 5.2, 5.3)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import chance
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.cards import discard_in_play, play_card
from theogony.envs.god_of_war.rules.enemies import break_armour, carrier, damage_enemy, highest_armour, vulnerable
from theogony.envs.god_of_war.rules.figures import gain_rage
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.rules.sets import number_in_hand
from theogony.envs.god_of_war.rules.usable import window_open
from theogony.envs.god_of_war.state import ATTACK_WINDOW, F_ATTACK, SET
from theogony.envs.god_of_war.words import ATTACK_WINDOW_BIT, MELEE, NONE


@rule
def reaches(t, play, row):
    """Whether an attack card hits enemies of a row: melee only those of the bottom row (rules 5.3)."""
    return row == 1 or t.play_kind[play] != MELEE


@rule
def start_attack(g, t, seat, figure, row, play):
    """Name the symbol card and the target; the set is open."""
    play_card(g, seat, t.play_design[play])
    g.set_play = play
    g.set_strength = t.play_number[play]
    g.attacker = figure
    g.aim = row * g.columns.shape[0] + g.column[figure]
    push(g, F_ATTACK)


@rule
def run_attack(g, t, frame):
    """The stages of an attack: open set, windows, result, discard (F_ATTACK)."""
    seat = np.int64(g.seat_of[g.attacker])
    if frame[1] == 0:
        if g.set_strength == 0 or number_in_hand(g, t, seat, True):
            return ask(g, seat, SET)
        frame[1] = 1
    if frame[1] == 1:
        while frame[2] < g.players:
            asked = (seat + np.int64(frame[2])) % g.players
            if window_open(g, t, asked, ATTACK_WINDOW_BIT):
                return ask(g, asked, ATTACK_WINDOW)
            frame[2] += 1
        frame[1] = 2
        resolve_attack(g, t, seat)
        return False
    discard_in_play(g, seat)
    g.set_play = NONE
    g.set_strength = 0
    g.attacker = NONE
    g.aim = NONE
    g.boost = 0
    g.die_adds = 0
    pop(g)
    return False


@rule
def resolve_attack(g, t, seat):
    """Rage, stun, then armour or die and damage (rules 5.3, steps 2 to 7)."""
    figure, play = np.int64(g.attacker), np.int64(g.set_play)
    strength = np.int64(g.set_strength) + np.int64(g.boost) + np.int64(g.next_attack[seat])
    g.next_attack[seat] = 0
    gain_rage(g, t, figure, t.play_rage[play])
    check_again(g, figure)
    strike(g, t, np.int64(g.aim), strength, t.play_stun[play], g.die_adds, figure)


@rule
def strike(g, t, slot, strength, stun, die_adds, figure):
    """An attack of this strength on the enemy seen on a card."""
    owner = carrier(g, t, slot)
    if owner == NONE:
        return
    if stun:
        g.stunned[owner] = 1
    marker = highest_armour(g, t, owner)
    if marker != NONE:  # step 5: no damage and no die
        if strength >= t.armour[g.scenario, owner, g.side[owner], marker]:
            break_armour(g, t, owner, figure)
    elif vulnerable(g, t, owner):
        die = np.int64(t.die[chance(g, t.die.shape[0])])
        damage = strength + die if die_adds else max(strength - die, 0)
        damage_enemy(g, t, owner, damage, figure)


@rule
def shoot(g, t, frame):
    """A companion's attack: no rage, no numbers, its own die (R37, R60) (F_SHOT)."""
    slot, strength, stun, figure = np.int64(frame[1]), np.int64(frame[2]), frame[3], np.int64(frame[4])
    pop(g)
    check_again(g, figure)
    strike(g, t, slot, strength, stun, 0, figure)
    return False
