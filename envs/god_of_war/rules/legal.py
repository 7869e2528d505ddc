"""The legal actions of every kind of decision."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.actions import (
    A_ADD,
    A_ATTACK,
    A_BLOCK,
    A_BOTTOM,
    A_CHOOSE,
    A_COLUMN,
    A_COMMIT,
    A_DONE,
    A_END,
    A_FIGURE,
    A_INTERACT,
    A_MOVE,
    A_PASS,
    A_PAY,
    A_PLACE,
    A_RAGE,
    A_REMOVE,
    A_SKILL,
    A_SPECIAL,
    A_STEP,
    A_TAKE,
    A_TARGET,
    A_TOP,
)
from theogony.envs.god_of_war.rules.activation import can_block_with
from theogony.envs.god_of_war.rules.attack import can_attack_with, number_skill, reaches
from theogony.envs.god_of_war.rules.enemies import carrier
from theogony.envs.god_of_war.rules.figures import can_stand, first_figure, role_figure
from theogony.envs.god_of_war.rules.interact import interaction_open, payable
from theogony.envs.god_of_war.rules.rounds import can_take
from theogony.envs.god_of_war.rules.specials import rage_in_window, rage_usable, skill_usable, special_usable
from theogony.envs.god_of_war.state import (
    ATTACK_WINDOW,
    BEARER,
    BLOCK,
    BLOCK_WINDOW,
    CHOSEN,
    F_SKILL,
    F_SPECIAL,
    FIGURE,
    NEXT_BOSS,
    NEXT_QUEST,
    PAY,
    PLACE,
    POISON,
    RANGED_TARGET,
    REVEAL_WINDOW,
    SCRY,
    SET,
    SHIELD,
    STEP,
    TARGET,
    TURN,
    UPGRADE,
)
from theogony.envs.god_of_war.words import (
    ANY_TARGET,
    ATTACK_WINDOW_BIT,
    BLOCK_WINDOW_BIT,
    GENERAL,
    MIMIR,
    NONE,
    SKILL_ATTACK,
)


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    decision = g.decision
    if decision == TURN:
        legal_turn(g, t, mask)
    elif decision == SET:
        legal_set(g, t, mask)
    elif decision == ATTACK_WINDOW:
        legal_window(g, t, mask, ATTACK_WINDOW_BIT)
    elif decision == REVEAL_WINDOW:
        legal_window(g, t, mask, GENERAL)
    elif decision == BLOCK_WINDOW:
        legal_window(g, t, mask, BLOCK_WINDOW_BIT)
    elif decision == BLOCK:
        legal_block(g, t, mask)
    elif decision == UPGRADE:
        legal_upgrade(g, t, mask)
    elif decision == TARGET or decision == PAY:
        legal_details(g, t, mask)
    elif decision == PLACE or decision == STEP:
        legal_stand(g, t, mask)
    elif decision == SCRY or decision == RANGED_TARGET:
        legal_order(g, t, mask)
    elif decision == NEXT_QUEST or decision == NEXT_BOSS:
        legal_next(g, t, mask)
    else:
        legal_figures(g, t, mask)


@rule
def legal_turn(g, t, mask):
    """A hero activation: moves, attacks, specials, rage, skills, interactions, the end (rules 5)."""
    seat = np.int64(g.actor)
    for role in range(3):
        figure = role_figure(g, t, seat, role)
        if figure == NONE:
            continue
        if role < 2:
            if not g.moved[figure]:
                for k in range(8):
                    if can_stand(g, figure, k // 2, k % 2):
                        mask[t.at[A_MOVE] + 8 * role + k] = 1
            legal_attacks(g, t, mask, seat, role, figure)
        owner = np.int64(g.seat_of[figure])
        for k in range(t.special_plays.shape[0]):
            if special_usable(g, t, owner, figure, t.special_plays[k], GENERAL):
                mask[t.at[A_SPECIAL] + role * t.special_plays.shape[0] + k] = 1
        if rage_usable(g, t, figure, GENERAL):
            mask[t.at[A_RAGE] + role] = 1
        for k in range(4):
            if interaction_open(g, t, owner, figure, k // 2, k % 2):
                mask[t.at[A_INTERACT] + 4 * role + k] = 1
    legal_skills(g, t, mask, seat, True, GENERAL)
    mask[t.at[A_END]] = 1


@rule
def legal_attacks(g, t, mask, seat, role, figure):
    """Attacks with every symbol card that reaches an enemy of the column (rules 5.3)."""
    column, count = np.int64(g.column[figure]), t.attack_plays.shape[0]
    for k in range(count):
        play = np.int64(t.attack_plays[k])
        if g.hand[seat, t.play_design[play]] > 0 and can_attack_with(g, t, seat, play):
            for row in range(2):
                if reaches(g, t, play, column, row):
                    mask[t.at[A_ATTACK] + (2 * role + row) * count + k] = 1


@rule
def legal_skills(g, t, mask, seat, turn, window):
    """The companions' skills in solo play (rules 10)."""
    if t.players == 1:
        figure = first_figure(g, t, seat)
        for option in range(t.skill_kind.shape[0]):
            if skill_usable(g, t, option, figure, turn, window):
                mask[t.at[A_SKILL] + option] = 1


@rule
def legal_set(g, t, mask):
    """Numbers for the open set; it is complete once it has one (rules 5.2)."""
    seat, attack = np.int64(g.actor), g.attacker != NONE
    for k in range(t.number_plays.shape[0]):
        play = t.number_plays[k]
        if g.hand[seat, t.play_design[play]] > 0 and (attack or not t.play_attack_only[play]):
            mask[t.at[A_ADD] + k] = 1
    if attack:
        for option in range(t.skill_kind.shape[0]):
            if number_skill(g, t) == NONE:
                break
            if t.skill_kind[option] == 1 and not g.skills_used[t.skill_number[option]]:
                mask[t.at[A_SKILL] + option] = 1
    if g.set_strength > 0:
        mask[t.at[A_COMMIT]] = 1


@rule
def legal_window(g, t, mask, window):
    """What a player may play in a window (R12, R48)."""
    seat = np.int64(g.actor)
    for role in range(2):
        figure = role_figure(g, t, seat, role)
        if figure == NONE:
            continue
        for k in range(t.special_plays.shape[0]):
            if special_usable(g, t, seat, figure, t.special_plays[k], window):
                mask[t.at[A_SPECIAL] + role * t.special_plays.shape[0] + k] = 1
        if rage_in_window(g, t, seat, figure, window):
            mask[t.at[A_RAGE] + role] = 1
    legal_skills(g, t, mask, seat, False, window)
    mask[t.at[A_PASS]] = 1


@rule
def legal_block(g, t, mask):
    """Block sets, or no more of them (rules 6.1)."""
    for k in range(t.block_plays.shape[0]):
        if can_block_with(g, t, np.int64(g.actor), np.int64(t.block_plays[k])):
            mask[t.at[A_BLOCK] + k] = 1
    mask[t.at[A_DONE]] = 1


@rule
def legal_upgrade(g, t, mask):
    """Take a revealed card, or remove a card of the own discard pile (rules 4.4)."""
    if can_take(g):
        for k in range(g.revealed_cards):
            mask[t.at[A_TAKE] + g.revealed[k]] = 1
    for design in range(g.discard.shape[1]):
        if g.discard[g.actor, design] > 0:
            mask[t.at[A_REMOVE] + design] = 1


@rule
def legal_details(g, t, mask):
    """The scene card an effect is aimed at, or the next card of a payment."""
    frame = g.agenda[g.depth - 1]
    if g.decision == PAY:
        figure, interaction = np.int64(frame[1]), np.int64(frame[3])
        first, end = np.int64(t.interaction_cost_first[interaction]), np.int64(t.interaction_cost_end[interaction])
        seat, item = np.int64(g.seat_of[figure]), first + np.int64(frame[4])
        for design in range(g.hand.shape[1]):
            if g.hand[seat, design] > 0 and t.pays[design, t.cost_item[item]]:
                g.hand[seat, design] -= 1
                if payable(g, t, seat, item + 1, end):
                    mask[t.at[A_PAY] + design] = 1
                g.hand[seat, design] += 1
        return
    for slot in range(g.side.shape[0]):
        if target_fits(g, t, frame, slot):
            mask[t.at[A_TARGET] + slot] = 1


@rule
def target_fits(g, t, frame, slot):
    """Whether a scene card may be named: one of the own column, or the card that carries an enemy anywhere."""
    owner = carrier(g, t, slot)
    if owner == NONE:
        return False
    columns = g.columns.shape[0]
    if frame[0] == F_SKILL:
        option = np.int64(frame[1])
        if t.skill_kind[option] == SKILL_ATTACK:
            if t.skill_anywhere[option]:
                return owner == slot and frame[2] != slot
            if not t.skill_ranged[option] and slot < columns:
                return False
            return slot < 2 * columns and slot % columns == g.column[first_figure(g, t, 0)]
        figure, kind = first_figure(g, t, 0), t.skill_target[option]
    elif frame[0] == F_SPECIAL:
        figure, kind = np.int64(frame[1]), t.play_target[np.int64(frame[2])]
    else:
        figure, kind = np.int64(frame[1]), t.rage_target[np.int64(frame[1])]
    if kind == ANY_TARGET:
        return owner == slot
    return slot < 2 * columns and slot % columns == g.column[figure]


@rule
def legal_stand(g, t, mask):
    """Places where a figure may enter or go."""
    figure = np.int64(g.agenda[g.depth - 1, 1]) if g.decision == STEP else NONE
    for k in range(8):
        column, slot = k // 2, k % 2
        if figure != NONE:
            if can_stand(g, figure, column, slot):
                mask[t.at[A_STEP] + k] = 1
        elif g.columns[column, 1] == NONE and (slot == 0 or g.columns[column, 0] != NONE):
            mask[t.at[A_PLACE] + k] = 1


@rule
def legal_order(g, t, mask):
    """Where a looked-at upgrade card goes, or which of several equally far columns is hit."""
    frame = g.agenda[g.depth - 1]
    if g.decision == RANGED_TARGET:
        for column in range(g.columns.shape[0]):
            if (np.int64(frame[4]) >> column) & 1:
                mask[t.at[A_COLUMN] + column] = 1
        return
    for k in range(frame[2]):
        mask[t.at[A_TOP] + k] = 1
        if frame[3] == 0:  # the cards for the bottom are named first
            mask[t.at[A_BOTTOM] + k] = 1


@rule
def legal_next(g, t, mask):
    """The quests of the middle row, or the bosses (rules 8)."""
    for k in range(3):
        if g.decision == NEXT_BOSS:
            mask[t.at[A_CHOOSE] + g.bosses[k]] = 1
        elif k > 0:
            mask[t.at[A_CHOOSE] + g.quests[k]] = 1


@rule
def legal_figures(g, t, mask):
    """A figure is named: bearer, shield, poison, an effect on one hero."""
    for figure in range(g.standing.shape[0]):
        if not g.standing[figure]:
            continue
        fits = g.decision == CHOSEN or g.decision == FIGURE
        if g.decision == BEARER:
            fits = figure != MIMIR
        elif g.decision == SHIELD:
            fits = figure == MIMIR or figure == g.attacked
        elif g.decision == POISON:
            fits = g.seat_of[figure] == g.actor
        if fits:
            mask[t.at[A_FIGURE] + figure] = 1
