"""Legal answers in the course of an action or a phase (§11): targets, payments, places, order, figures."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.actions import (
    A_BOTTOM,
    A_CHOOSE,
    A_COLUMN,
    A_FIGURE,
    A_HERO,
    A_PAY,
    A_PLACE,
    A_STEP,
    A_TARGET,
    A_TOP,
)
from theogony.envs.god_of_war.codes import ANY_TARGET, MIMIR, NONE, SKILL_ATTACK
from theogony.envs.god_of_war.frames import (
    ENEMY_COLUMNS,
    F_SKILL,
    F_SPECIAL,
    PAY_FIGURE,
    PAY_INTERACTION,
    PAY_PAID,
    RAGE_FIGURE,
    SCRY_LEFT,
    SCRY_TOP,
    SKILL_OPTION,
    SKILL_TARGET,
    SPECIAL_FIGURE,
    SPECIAL_PLAY,
)
from theogony.envs.god_of_war.rules.enemies import carrier
from theogony.envs.god_of_war.rules.figures import can_stand, first_figure
from theogony.envs.god_of_war.rules.interact import payable
from theogony.envs.god_of_war.state import BEARER, CHOSEN, FIGURE, NEXT_BOSS, PAY, POISON, RANGED_TARGET, SHIELD, STEP


@rule
def legal_details(g, t, mask):
    """The scene card an effect is aimed at, or the next card of a payment."""
    frame = g.agenda[g.depth - 1]
    if g.decision == PAY:
        figure, interaction = np.int64(frame[PAY_FIGURE]), np.int64(frame[PAY_INTERACTION])
        first, end = np.int64(t.interaction_cost_first[interaction]), np.int64(t.interaction_cost_end[interaction])
        seat, item = np.int64(g.seat_of[figure]), first + np.int64(frame[PAY_PAID])
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
        option = np.int64(frame[SKILL_OPTION])
        if t.skill_kind[option] == SKILL_ATTACK:
            if t.skill_anywhere[option]:
                return owner == slot and frame[SKILL_TARGET] != slot
            if not t.skill_ranged[option] and slot < columns:
                return False
            return slot < 2 * columns and slot % columns == g.column[first_figure(g, t, 0)]
        figure, kind = first_figure(g, t, 0), t.skill_target[option]
    elif frame[0] == F_SPECIAL:
        figure, kind = np.int64(frame[SPECIAL_FIGURE]), t.play_target[np.int64(frame[SPECIAL_PLAY])]
    else:
        figure, kind = np.int64(frame[RAGE_FIGURE]), t.rage_target[np.int64(frame[RAGE_FIGURE])]
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
            if (np.int64(frame[ENEMY_COLUMNS]) >> column) & 1:
                mask[t.at[A_COLUMN] + column] = 1
        return
    for k in range(frame[SCRY_LEFT]):
        mask[t.at[A_TOP] + k] = 1
        if frame[SCRY_TOP] == 0:  # the cards for the bottom are named first
            mask[t.at[A_BOTTOM] + k] = 1


@rule
def legal_heroes(g, t, mask):
    """The heroes that nobody has chosen yet (ruling R70)."""
    for hero in range(t.starting_deck.shape[0]):
        if g.seat_of[t.first_figure[hero]] == NONE:
            mask[t.at[A_HERO] + hero] = 1


@rule
def legal_next(g, t, mask):
    """The quests of the middle row, or the bosses (§8)."""
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
            fits = figure == MIMIR or figure == g.bearer
        elif g.decision == POISON:
            fits = g.seat_of[figure] == g.actor
        if fits:
            mask[t.at[A_FIGURE] + figure] = 1
