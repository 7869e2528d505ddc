"""When special cards, rage abilities and skills may be used (R12, R48, R64)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.rules.enemies import carrier, vulnerable
from theogony.envs.god_of_war.rules.figures import WARDS, can_move, first_figure, role_figure, seat_stands, wards_out
from theogony.envs.god_of_war.state import IN_SCENE_ACTIVATION
from theogony.envs.god_of_war.words import (
    ATTACK_WINDOW_BIT,
    BLOCK_WINDOW_BIT,
    BROK,
    GENERAL,
    H_BLOCK_BOOST,
    H_BOOST,
    H_DAMAGE,
    H_DRAW,
    H_MOVE,
    H_SCRY,
    H_STUN,
    H_WARD,
    MIMIR,
    NONE,
    SKILL_ATTACK,
    SKILL_BLOCK,
    SKILL_DIE,
    SKILL_SPECIAL,
    TO_ANY,
    TO_BEARER,
)


@rule
def enemy_in_column(g, t, figure):
    """Whether a living enemy is seen on a card of a figure's column."""
    column = np.int64(g.column[figure])
    if column == NONE:
        return False
    return carrier(g, t, column) != NONE or carrier(g, t, column + g.columns.shape[0]) != NONE


@rule
def any_enemy(g, t):
    """Whether any enemy of the scene lives."""
    for slot in range(g.side.shape[0]):
        if carrier(g, t, slot) == slot:
            return True
    return False


@rule
def can_use(g, t, first, end, figure, window):
    """Whether a figure may use a list of effects in a window: targets of the right kind exist (R64)."""
    for k in range(first, end):
        op, target = t.effect_op[k], t.effect_target[k]
        if op == H_DRAW and target == TO_BEARER and g.bearer == NONE:
            return False
        if op == H_STUN and not enemy_in_column(g, t, figure):
            return False
        if op == H_DAMAGE:
            if target == TO_ANY and not any_enemy(g, t):
                return False
            if target != TO_ANY and not enemy_in_column(g, t, figure):
                return False
        if op == H_SCRY and g.upgrade_cards == 0:
            return False
        if op == H_WARD and wards_out(g) >= WARDS:
            return False
        if op == H_MOVE and not can_move(g, figure):
            return False
        if op == H_BOOST and not can_boost(g, target, window):
            return False
        if op == H_BLOCK_BOOST and (window != BLOCK_WINDOW_BIT or g.attacked < BROK):
            return False
    return True


@rule
def can_boost(g, target, window):
    """A boost needs an attack set, or a block set already played against this enemy attack (schema, boost)."""
    hero = g.attacker if window == ATTACK_WINDOW_BIT else g.attacked
    if window == BLOCK_WINDOW_BIT and g.block_sets == 0:
        return False
    return target != TO_BEARER or (g.bearer != NONE and hero == g.bearer)


@rule
def special_usable(g, t, seat, figure, k, window):
    """Whether a figure may play special card k from its player's hand in a window (bit of `words`)."""
    if g.hand[seat, t.special_design[k]] <= 0:
        return False
    play = t.special_plays[k]
    if t.play_window[play] & window == 0:
        return False
    return can_use(g, t, t.play_first[play], t.play_end[play], figure, window)


@rule
def rage_usable(g, t, figure, window):
    """Whether a figure may use its rage ability: the track is full and the moment fits (rules 9, R11)."""
    if g.rage[figure] < t.rage_max[figure]:
        return False
    first, end = t.rage_first[figure], t.rage_end[figure]
    blocks = t.effect_op[first] == H_BLOCK_BOOST
    if blocks != (window == BLOCK_WINDOW_BIT) or window == ATTACK_WINDOW_BIT:
        return False
    return can_use(g, t, first, end, figure, window)


@rule
def skill_usable(g, t, option, figure, turn, window):
    """Whether the solo player may use an alternative of a skill (rules 10, R60); `turn`: in the hero activation."""
    if g.skills_used[t.skill_number[option]]:
        return False
    kind = t.skill_kind[option]
    if kind == SKILL_BLOCK:
        return window == BLOCK_WINDOW_BIT
    if kind == SKILL_DIE:
        if window != ATTACK_WINDOW_BIT or g.die_adds:
            return False
        owner = carrier(g, t, np.int64(g.aim))
        return owner != NONE and vulnerable(g, t, owner)
    if window != GENERAL:
        return False
    if kind == SKILL_ATTACK:
        if not turn:
            return False
        return any_enemy(g, t) if t.skill_anywhere[option] else shot_in_column(g, t, option, figure)
    return kind == SKILL_SPECIAL and can_use(g, t, t.skill_first[option], t.skill_end[option], figure, window)


@rule
def shot_in_column(g, t, option, figure):
    """Whether a companion's attack reaches an enemy in the figure's column."""
    column = np.int64(g.column[figure])
    below = carrier(g, t, column + g.columns.shape[0]) != NONE
    return below or (t.skill_ranged[option] != 0 and carrier(g, t, column) != NONE)


@rule
def window_open(g, t, seat, window):
    """Whether a player could do anything in a window; else the player is not asked (R48)."""
    if not seat_stands(g, t, seat):
        return False
    for role in range(2):
        figure = role_figure(g, t, seat, role)
        if figure == NONE:
            continue
        for k in range(t.special_plays.shape[0]):
            if special_usable(g, t, seat, figure, k, window):
                return True
        if rage_in_window(g, t, seat, figure, window):
            return True
    if t.players == 1:
        figure = first_figure(g, t, seat)
        for option in range(t.skill_kind.shape[0]):
            if skill_usable(g, t, option, figure, False, window):
                return True
    return False


@rule
def rage_in_window(g, t, seat, figure, window):
    """Rage outside the hero activation: Brok's Guard in a block, Mimir's before the reveal of his own turn."""
    if window == GENERAL and (figure != MIMIR or g.phase != IN_SCENE_ACTIVATION or g.active != seat):
        return False
    return rage_usable(g, t, figure, window)
