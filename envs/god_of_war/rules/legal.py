"""The legal actions of every kind of decision (rules 11)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.actions import (
    A_ADD,
    A_ATTACK,
    A_BLOCK,
    A_COMMIT,
    A_DONE,
    A_END,
    A_INTERACT,
    A_MOVE,
    A_PASS,
    A_RAGE,
    A_REMOVE,
    A_SKILL,
    A_SPECIAL,
    A_TAKE,
)
from theogony.envs.god_of_war.rules.attack import reaches
from theogony.envs.god_of_war.rules.enemies import carrier
from theogony.envs.god_of_war.rules.figures import can_stand, first_figure, role_figure
from theogony.envs.god_of_war.rules.interact import interaction_open
from theogony.envs.god_of_war.rules.legal_choices import (
    legal_details,
    legal_figures,
    legal_next,
    legal_order,
    legal_stand,
)
from theogony.envs.god_of_war.rules.sets import set_possible
from theogony.envs.god_of_war.rules.upgrades import can_take
from theogony.envs.god_of_war.rules.usable import rage_in_window, rage_usable, skill_usable, special_usable
from theogony.envs.god_of_war.state import (
    ATTACK_WINDOW,
    BLOCK,
    BLOCK_WINDOW,
    NEXT_BOSS,
    NEXT_QUEST,
    PAY,
    PLACE,
    RANGED_TARGET,
    REVEAL_WINDOW,
    SCRY,
    SET,
    STEP,
    TARGET,
    TURN,
    UPGRADE,
)
from theogony.envs.god_of_war.words import ATTACK_WINDOW_BIT, BLOCK_WINDOW_BIT, GENERAL, NONE, SKILL_NUMBER


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
        legal_specials(g, t, mask, owner, role, figure, GENERAL)
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
    for row in range(2):
        if carrier(g, t, row * g.columns.shape[0] + column) == NONE:
            continue
        first = t.at[A_ATTACK] + (2 * role + row) * count
        for k in range(count):
            if g.hand[seat, t.attack_design[k]] > 0:
                play = np.int64(t.attack_plays[k])
                if reaches(t, play, row) and set_possible(g, t, seat, play, True):
                    mask[first + k] = 1


@rule
def legal_specials(g, t, mask, seat, role, figure, window):
    """The special cards of a player's hand that a figure may play."""
    count = t.special_plays.shape[0]
    first = t.at[A_SPECIAL] + role * count
    for k in range(count):
        if special_usable(g, t, seat, figure, k, window):
            mask[first + k] = 1


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
        if g.hand[seat, t.number_design[k]] > 0 and (attack or not t.play_attack_only[t.number_plays[k]]):
            mask[t.at[A_ADD] + k] = 1
    if attack and t.players == 1:
        for option in range(t.skill_kind.shape[0]):
            if t.skill_kind[option] == SKILL_NUMBER and not g.skills_used[t.skill_number[option]]:
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
        legal_specials(g, t, mask, seat, role, figure, window)
        if rage_in_window(g, t, seat, figure, window):
            mask[t.at[A_RAGE] + role] = 1
    legal_skills(g, t, mask, seat, False, window)
    mask[t.at[A_PASS]] = 1


@rule
def legal_block(g, t, mask):
    """Block sets, or no more of them (rules 6.1)."""
    for k in range(t.block_plays.shape[0]):
        if set_possible(g, t, np.int64(g.actor), np.int64(t.block_plays[k]), False):
            mask[t.at[A_BLOCK] + k] = 1
    mask[t.at[A_DONE]] = 1


@rule
def legal_upgrade(g, t, mask):
    """Take a revealed card, or remove a card of the own discard pile (rules 4.4)."""
    if can_take(g):
        for k in range(g.revealed_cards):
            mask[t.at[A_TAKE] + g.revealed[k]] = 1
    first, discard = np.int64(t.at[A_REMOVE]), g.discard[g.actor]
    for design in range(discard.shape[0]):
        mask[first + design] = discard[design] > 0
