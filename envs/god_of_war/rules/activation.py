"""Scene activation: the reveal, enemy attacks, blocks and helpers (rules 6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.attack import number_in_hand
from theogony.envs.god_of_war.rules.cards import add_status, discard_in_play, play_card, reveal_upgrade
from theogony.envs.god_of_war.rules.enemies import carrier, check_again
from theogony.envs.god_of_war.rules.figures import gain_rage, hurt_figure
from theogony.envs.god_of_war.rules.specials import window_open
from theogony.envs.god_of_war.state import (
    BLOCK,
    BLOCK_WINDOW,
    F_BOXES,
    F_CARD,
    F_ENEMY_ATTACK,
    F_FLIPS,
    F_HIT,
    RANGED_TARGET,
    REVEAL_WINDOW,
    SET,
    SHIELD,
)
from theogony.envs.god_of_war.words import BLOCK_WINDOW_BIT, C_ATTACKED, C_RUNE, GENERAL, MIMIR, NONE


@rule
def activate(g, t, frame):
    """A scene activation (rules 6): windows, reveal, then the cards that show the rune (F_ACTIVATION).

    A player whose hero activation has just ended is asked even if only passing is possible, so that ending the own
    activation and turning up the card are two decisions: a player who looks one decision ahead needs no luck to judge
    the first.
    """
    if frame[1] == 0:
        g.phase = frame[6]
        if g.upgrade_cards == 0:
            pop(g)
            return False
        while frame[2] < g.players:
            asked = (np.int64(g.active) + np.int64(frame[2])) % g.players
            if window_open(g, t, asked, GENERAL) or (frame[2] == 0 and frame[5]):
                return ask(g, asked, REVEAL_WINDOW)
            frame[2] += 1
        frame[1] = 1
        reveal(g, t, frame)
        return False
    left, rune = np.int64(frame[4]), np.int64(frame[3])
    if left == 0:
        pop(g)
        return False
    slot = 0
    while (left >> slot) & 1 == 0:
        slot += 1
    frame[4] = left & ~(1 << slot)
    if (t.shows[g.scenario, slot, g.side[slot]] >> rune) & 1:  # a card turned meanwhile may show it no more (R17)
        push(g, F_CARD, slot, rune, g.turnings)
    return False


@rule
def reveal(g, t, frame):
    """Turn up the top upgrade card; the cards that show its rune are collected now (rules 6, steps 1 and 2)."""
    rune = np.int64(t.upgrade_rune[reveal_upgrade(g)])
    frame[3] = rune
    if g.cancel_rune:
        g.cancel_rune = 0
        return
    left = 0
    for slot in range(g.side.shape[0]):
        if t.present[g.scenario, slot] and (t.shows[g.scenario, slot, g.side[slot]] >> rune) & 1:
            left |= 1 << slot
    frame[4] = left


@rule
def activate_card(g, t, frame):
    """One card: its attacks with the rune, boxes, flips (R18); once it is turned the rest lapses (R58) (F_CARD)."""
    slot, rune, stamp = np.int64(frame[1]), np.int64(frame[2]), np.int64(frame[3])
    side = g.side[slot]
    if g.turned_at[slot] > stamp or frame[4] == 2:
        pop(g)
        return False
    if frame[4] == 0:
        attack = np.int64(t.attacks_first[g.scenario, slot, side]) + np.int64(frame[5])
        if attack < t.attacks_end[g.scenario, slot, side]:
            frame[5] += 1
            if t.attack_rune[attack] == rune:
                push(g, F_ENEMY_ATTACK, attack, slot, 0, 0, g.turnings)
            return False
        frame[4] = 1
        push(g, F_BOXES, slot, C_RUNE, rune, NONE, 0, stamp)
        return False
    frame[4] = 2
    check_again(g, NONE)
    push(g, F_FLIPS, slot, C_RUNE, rune, NONE, 0, stamp)
    return False


# ---------------------------------------------------------------------------------------------------- enemy attacks


@rule
def enemy_attacks(g, t, frame):
    """An enemy attack (rules 6.1): stun, columns, then hero after hero from left to right (F_ENEMY_ATTACK)."""
    attack, slot = np.int64(frame[1]), np.int64(frame[2])
    if frame[3] == 0:
        owner = carrier(g, t, slot)
        if owner == NONE:
            pop(g)
            return False
        if g.stunned[owner]:
            g.stunned[owner] = 0
            pop(g)
            return False
        begin_enemy_attack(g, t, attack, slot)
        frame[3] = 1
        frame[4] = columns_hit(g, t, attack, slot)
        if t.attack_ranged[attack] and frame[4] & (frame[4] - 1):  # several columns equally far
            return ask(g, g.active, RANGED_TARGET)
    columns = np.int64(frame[4])
    column = 0
    while columns and (columns >> column) & 1 == 0:
        column += 1
    if columns == 0:
        ranged, stamp = t.attack_ranged[attack], np.int64(frame[5])
        end_enemy_attack(g)
        pop(g)
        check_again(g, NONE)
        push(g, F_FLIPS, slot, C_ATTACKED, ranged, NONE, 0, stamp)
        push(g, F_BOXES, slot, C_ATTACKED, ranged, NONE, 0, stamp)
        return False
    frame[4] = columns & ~(1 << column)
    front = np.int64(g.columns[column, 0])
    if front != NONE:
        g.attacked = front
        g.victim = front
        push(g, F_HIT)
    return False


@rule
def begin_enemy_attack(g, t, attack, slot):
    """Note what attacks: card, type, strength with its tokens, status effect."""
    g.enemy_slot = slot
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


# ---------------------------------------------------------------------------------------------------- one hero


@rule
def all_blocked(g):
    """Blocking ends as soon as nothing is left to block (R48)."""
    return g.blocked >= g.enemy_strength


@rule
def can_block(g, t, seat):
    """Whether a player can play a block set."""
    for k in range(t.block_plays.shape[0]):
        if can_block_with(g, t, seat, np.int64(t.block_plays[k])):
            return True
    return False


@rule
def can_block_with(g, t, seat, play):
    """Whether a block card is in the hand, with its own number or another card for it (rules 5.2)."""
    design = t.play_design[play]
    if g.hand[seat, design] <= 0:
        return False
    if t.play_number[play] > 0:
        return True
    g.hand[seat, design] -= 1
    found = number_in_hand(g, t, seat, False)
    g.hand[seat, design] += 1
    return found


@rule
def start_block(g, t, seat, frame, play):
    """Open a block set."""
    play_card(g, seat, t.play_design[play])
    g.set_play = play
    g.set_strength = t.play_number[play]
    gain_rage(g, t, g.attacked, t.play_rage[play])
    frame[1] = 4


@rule
def finish_block(g, frame):
    """A block set is complete: it blocks its sum (R7)."""
    g.blocked += g.set_strength
    g.block_sets += 1
    g.set_play = NONE
    g.set_strength = 0
    frame[1] = 1


@rule
def hit_hero(g, t, frame):
    """One hero is attacked: Mimir or bearer, block sets, helpers, damage (rules 6.1) (F_HIT)."""
    seat = np.int64(g.seat_of[g.attacked])
    if frame[1] == 0:
        if not all_blocked(g) and g.attacked == g.bearer and g.standing[MIMIR]:
            return ask(g, g.seat_of[MIMIR], SHIELD)
        frame[1] = 1
    if frame[1] == 4:
        if g.set_strength == 0 or number_in_hand(g, t, seat, False):
            return ask(g, seat, SET)
        finish_block(g, frame)
    if frame[1] == 1:
        if not all_blocked(g) and can_block(g, t, seat):
            return ask(g, seat, BLOCK)
        frame[1] = 2
    while frame[2] < g.players and not all_blocked(g):
        asked = (seat + np.int64(frame[2])) % g.players
        if window_open(g, t, asked, BLOCK_WINDOW_BIT):
            return ask(g, asked, BLOCK_WINDOW)
        frame[2] += 1
    damage_hero(g, t, seat)
    pop(g)
    check_again(g, NONE)
    return False


@rule
def damage_hero(g, t, seat):
    """What was not blocked hurts; a status card follows damage that was suffered (R24, R25, R59)."""
    damage = np.int64(g.enemy_strength) - np.int64(g.blocked)
    victim = np.int64(g.victim)
    if damage > 0 and hurt_figure(g, t, victim, damage) and g.enemy_status != NONE:
        add_status(g, t, np.int64(g.seat_of[victim]), g.enemy_status)
    discard_in_play(g, seat)
    g.attacked = NONE
    g.victim = NONE
    g.blocked = 0
    g.block_sets = 0
