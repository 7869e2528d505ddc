"""A hero's attack: the set, the window, armour, die and damage (§5.2, §5.3)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import chance
from theogony.envs.god_of_war.codes import (
    ASKED,
    F_ATTACK,
    F_STRIKE,
    F_SUFFER,
    MELEE,
    MIMIR,
    NONE,
    ROLLS,
    SKILL_DIE,
    STAGE,
)
from theogony.envs.god_of_war.rules import enemies, figures
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.cards import add_status, discard_all, play_card
from theogony.envs.god_of_war.rules.usable import ask_window, left_to_block
from theogony.envs.god_of_war.state import ATTACK_WINDOW, BLOCK, BLOCK_WINDOW, DIE, SET, SHIELD

# The names of places and stages of its frames, see `codes.py`.
ATTACK_OPEN, ATTACK_HELPED, ATTACK_MADE = range(3)
STRIKE_SLOT, STRIKE_STRENGTH, STRIKE_STUN, STRIKE_FIGURE, STRIKE_DAMAGE, STRIKE_DIE = range(1, 7)
NOT_ROLLED = -99  # the die; it is negative when it adds to the strength
HIT_BEGINS, HIT_BLOCKS, HIT_SET, HIT_HELPED = range(4)
SUFFER_FIGURE, SUFFER_DAMAGE, SUFFER_SLOT, SUFFER_DECIDED = range(1, 5)

# An attack with its die, of which `told` has a row: who attacks, counted from 1, so that 0 is nobody; the card that
# carries the enemy; strength of the symbol card, of numbers added to it, of all else; the die; damage after the die;
# and what was dealt.
TOLD_BY, TOLD_OWNER, TOLD_CARD, TOLD_NUMBERS, TOLD_MORE, TOLD_DIE, TOLD_AFTER, TOLD_DEALT = range(8)


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
        if g.set_strength == 0 or figures.number_in_hand(g, t, seat, True):
            return ask(g, seat, SET)
        frame[STAGE] = ATTACK_HELPED
    if frame[STAGE] == ATTACK_HELPED:
        if attack_stands(g, t) and ask_window(g, t, seat, frame, ATTACK_WINDOW):
            return True
        frame[STAGE] = ATTACK_MADE
        if g.standing[g.attacker]:
            make_attack(g, t, seat)
        return False
    discard_all(g, seat, g.in_play[seat])
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
    return g.standing[g.attacker] != 0 and enemies.carrier(g, t, np.int64(g.aim)) != NONE


@rule
def make_attack(g, t, seat):
    """The attack uses up what waits for it and gives rage (§5.3; rulings R22, R50); then it meets the enemy."""
    figure, play = np.int64(g.attacker), np.int64(g.set_play)
    strength = np.int64(g.set_strength) + np.int64(g.boost) + np.int64(g.next_attack[seat])
    damage = np.int64(g.next_damage[seat])
    g.next_attack[seat] = 0
    g.next_damage[seat] = 0
    figures.gain_rage(g, t, figure, t.play_rage[play])
    enemies.check_again(g, figure)
    push(g, F_STRIKE, g.aim, strength, t.play_stun[play], figure, damage, NOT_ROLLED)


@rule
def strike(g, t, frame):
    """An attack of this strength on the enemy seen on a card: stun, armour or die, damage (§5.3) (F_STRIKE)."""
    figure, strength = np.int64(frame[STRIKE_FIGURE]), np.int64(frame[STRIKE_STRENGTH])
    owner = enemies.carrier(g, t, np.int64(frame[STRIKE_SLOT]))
    if owner == NONE:
        pop(g)
        return False
    if frame[STRIKE_DIE] == NOT_ROLLED:
        if frame[STRIKE_STUN]:
            g.stunned[owner] = 1
        marker = enemies.highest_armour(g, t, owner)
        if marker != NONE or not enemies.vulnerable(g, t, owner):  # no damage and no die (ruling R47)
            pop(g)
            if marker != NONE and strength >= t.armour[g.scenario, owner, g.side[owner], marker]:
                enemies.break_armour(g, t, owner, figure)
            return False
        frame[STRIKE_DIE] = t.die[chance(g, t, t.die.shape[0])]
        if frame[STRIKE_DIE] != 0 and figures.free_skill(g, t, SKILL_DIE) != NONE:
            return ask(g, g.seat_of[figure], DIE)
    damage = max(strength - np.int64(frame[STRIKE_DIE]), 0) + np.int64(frame[STRIKE_DAMAGE])  # ruling R9
    tell(g, t, frame, owner, damage)
    pop(g)
    enemies.damage_enemy(g, t, owner, damage, figure)
    return False


@rule
def tell(g, t, frame, owner, damage):
    """Write down an attack with its die and what it is made of, for those who read of it. It decides nothing."""
    for k in range(ROLLS):
        if g.told[k, TOLD_BY] == 0:
            strength, play = np.int64(frame[STRIKE_STRENGTH]), np.int64(g.set_play)
            card = strength if play == NONE else np.int64(t.play_number[play])
            numbers = 0 if play == NONE else np.int64(g.set_strength) - card
            g.told[k, TOLD_BY] = frame[STRIKE_FIGURE] + 1
            g.told[k, TOLD_OWNER] = owner
            g.told[k, TOLD_CARD] = card
            g.told[k, TOLD_NUMBERS] = numbers
            g.told[k, TOLD_MORE] = strength - card - numbers
            g.told[k, TOLD_DIE] = frame[STRIKE_DIE]
            g.told[k, TOLD_AFTER] = frame[STRIKE_DAMAGE]
            g.told[k, TOLD_DEALT] = damage
            return


@rule
def shoot(g, slot, strength, stun, figure):
    """A companion's attack: no rage, no numbers, nothing that waits, its own die (rulings R37, R60)."""
    enemies.check_again(g, figure)
    push(g, F_STRIKE, slot, strength, stun, figure, 0, NOT_ROLLED)


@rule
def add_number(g, t, seat, play):
    """One more card for the open set of an attack or a block (§5.2)."""
    play_card(g, seat, t.play_design[play])
    g.set_strength += t.play_number[play]
    figures.gain_rage(g, t, g.attacker if g.attacked == NONE else g.attacked, t.play_rage[play])


@rule
def close_set(frame):
    """The set of an attack is complete: now the window."""
    frame[STAGE] = ATTACK_HELPED


# ---- A hero is attacked: Mimir or bearer, block sets, the window, damage (§6.1) ----------------------------------


@rule
def hit_hero(g, t, frame):
    """One hero is attacked: Mimir or bearer, block sets, window, damage (§6.1; ruling R48) (F_HIT)."""
    seat = np.int64(g.seat_of[g.attacked])
    if frame[STAGE] == HIT_BEGINS:
        frame[STAGE] = HIT_BLOCKS
        if left_to_block(g) and figures.may_change_places(g, g.attacked):
            return ask(g, g.seat_of[MIMIR], SHIELD)
    if frame[STAGE] == HIT_SET:
        if g.set_strength == 0 or figures.number_in_hand(g, t, seat, False):
            return ask(g, seat, SET)
        finish_block(g, frame)
    if frame[STAGE] == HIT_BLOCKS:
        if left_to_block(g) and can_block(g, t, seat):
            return ask(g, seat, BLOCK)
        frame[STAGE] = HIT_HELPED
    if hit_stands(g):
        if ask_window(g, t, seat, frame, BLOCK_WINDOW):
            return True
        if g.drew and left_to_block(g):  # new cards may hold new blocks (ruling R48)
            g.drew = 0
            frame[STAGE] = HIT_BLOCKS
            frame[ASKED] = 0
            return False
    finish_hit(g, t, seat)
    pop(g)
    enemies.check_again(g, NONE)
    return False


@rule
def hit_stands(g):
    """Whether the enemy that strikes and the attacked hero are still there; else the window ends (ruling R72)."""
    return g.enemy_owner != NONE and g.standing[g.attacked] != 0


@rule
def can_block(g, t, seat):
    """Whether a player can play a block set."""
    for k in range(t.block_plays.shape[0]):
        if figures.set_possible(g, t, seat, np.int64(t.block_plays[k]), False):
            return True
    return False


@rule
def start_block(g, t, seat, frame, play):
    """Open a block set."""
    play_card(g, seat, t.play_design[play])
    g.set_play = play
    g.set_strength = t.play_number[play]
    figures.gain_rage(g, t, g.attacked, t.play_rage[play])
    frame[STAGE] = HIT_SET


@rule
def finish_block(g, frame):
    """A block set is complete: it blocks its sum (ruling R7)."""
    g.blocked += g.set_strength
    g.block_sets += 1
    g.set_play = NONE
    g.set_strength = 0
    frame[STAGE] = HIT_BLOCKS


@rule
def finish_hit(g, t, seat):
    """What was not blocked hurts; a status card follows damage that was suffered (rulings R24, R25, R59, R72)."""
    damage = np.int64(g.enemy_strength) - np.int64(g.blocked)
    victim = np.int64(g.victim)
    if damage > 0 and g.enemy_owner != NONE and g.standing[victim]:
        if figures.hurt_figure(g, t, victim, damage) and g.enemy_status != NONE:
            add_status(g, t, np.int64(g.seat_of[victim]), g.enemy_status)
    discard_all(g, seat, g.in_play[seat])
    g.attacked = NONE
    g.victim = NONE
    g.blocked = 0
    g.block_sets = 0
    g.drew = 0


@rule
def suffer(g, t, frame):
    """Damage by a boxed effect or a poison card, which Mimir and his bearer may share out (ruling R44) (F_SUFFER)."""
    figure = np.int64(frame[SUFFER_FIGURE])
    if frame[SUFFER_DECIDED] == 0:
        frame[SUFFER_DECIDED] = 1
        if figures.may_change_places(g, figure):
            return ask(g, g.seat_of[MIMIR], SHIELD)
    damage = np.int64(frame[SUFFER_DAMAGE])
    pop(g)
    if g.standing[figure]:
        figures.hurt_figure(g, t, figure, damage)
    return False


@rule
def end_blocks(frame):
    """No more blocks: now the window."""
    frame[STAGE] = HIT_HELPED


@rule
def take_place(g, frame, figure):
    """The figure that was chosen suffers: Mimir or its bearer (§6.1)."""
    if frame[0] == F_SUFFER:
        frame[SUFFER_FIGURE] = figure
    else:
        g.victim = figure
