"""Effects of scene cards: the interpreter of the `do` and `reward` lists (§12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import (
    CRYSTAL_CARD,
    E_ADD_TOKEN,
    E_ATTACK,
    E_BREAK_ARMOUR,
    E_CRYSTAL,
    E_DAMAGE_ENEMY,
    E_DAMAGE_HEROES,
    E_DRAW,
    E_FLIP,
    E_HAND_LIMIT,
    E_HEAL_ENEMY,
    E_HEAL_HEROES,
    E_RAGE,
    E_REMOVE_TOKEN,
    E_STATUS,
    E_STUN_ENEMY,
    EACH_OTHER,
    NONE,
    S_ACTING,
    S_ALL,
    S_CHOSEN,
    S_COLUMN,
)
from theogony.envs.god_of_war.frames import (
    CHOSEN_SLOT,
    EACH_ACTOR,
    EACH_DAMAGE,
    EACH_LEFT,
    EACH_STAMP,
    F_AFFECT,
    F_CHOSEN,
    F_DRAW,
    F_EACH,
    F_ENEMY_ATTACK,
    F_SUFFER,
    LIST_ACTOR,
    LIST_CHECKED,
    LIST_END,
    LIST_NEXT,
    LIST_USER,
    ONE_EFFECT,
    ONE_FIGURES,
    ONE_SLOT,
)
from theogony.envs.god_of_war.rules.agenda import ask, lowest, pop, push
from theogony.envs.god_of_war.rules.cards import add_status
from theogony.envs.god_of_war.rules.enemies import break_armour, carrier, damage_enemy, lives
from theogony.envs.god_of_war.rules.figures import figures_end, first_figure, gain_rage, heal_figure, set_hand_limit
from theogony.envs.god_of_war.rules.flips import check_again, turn_cards
from theogony.envs.god_of_war.state import CHOSEN


@rule
def run_effects(g, t, frame):
    """The next effect of a list; checks follow it unless the list is part of a larger change (F_EFFECTS)."""
    if frame[LIST_NEXT] >= frame[LIST_END]:
        pop(g)
        return False
    effect, slot, actor = np.int64(frame[LIST_NEXT]), np.int64(frame[LIST_USER]), np.int64(frame[LIST_ACTOR])
    frame[LIST_NEXT] += 1
    if frame[LIST_CHECKED]:
        check_again(g, actor)
    op = t.scene_op[effect]
    if op == E_FLIP:
        turn_cards(g, t, t.scene_first[effect], t.scene_end[effect], actor)
    elif op == E_ATTACK:
        target = t.scene_slot[effect]
        push(g, F_ENEMY_ATTACK, t.scene_first[effect], target, 0, 0, g.turnings)
    elif op <= E_BREAK_ARMOUR:
        affect_enemy(g, t, effect, op, slot, actor)
    elif op == E_ADD_TOKEN or op == E_REMOVE_TOKEN:
        change_tokens(
            g, t, np.int64(t.scene_slot[effect]), t.scene_n[effect] if op == E_ADD_TOKEN else -t.scene_n[effect]
        )
    else:
        affect_heroes(g, t, effect, slot, actor)
    return False


@rule
def affect_enemy(g, t, effect, op, own, actor):
    """damage_enemy, heal_enemy, stun_enemy, break_armour: nothing without a living enemy there."""
    target, n = np.int64(t.scene_slot[effect]), t.scene_n[effect]
    if target == EACH_OTHER:
        damage_each_other(g, t, own, n, actor)
        return
    owner = carrier(g, t, target)
    if owner == NONE:
        return
    if op == E_DAMAGE_ENEMY:
        damage_enemy(g, t, owner, n, actor)
    elif op == E_HEAL_ENEMY:
        g.hurt[owner] = max(g.hurt[owner] - n, 0)
    elif op == E_STUN_ENEMY:
        g.stunned[owner] = 1
    else:
        break_armour(g, t, owner, actor)


@rule
def damage_each_other(g, t, own, n, actor):
    """Every living enemy but the one this card belongs to, those alive when the effect begins (R56)."""
    mine = carrier(g, t, own)
    targets = 0
    for slot in range(g.side.shape[0]):
        if slot != mine and lives(g, t, slot):
            targets |= 1 << slot
    push(g, F_EACH, targets, n, actor, g.turnings)


@rule
def damage_next(g, t, frame):
    """The next enemy of such a list, in reading order; an enemy that appeared meanwhile is not hit (F_EACH)."""
    targets = np.int64(frame[EACH_LEFT])
    if targets == 0:
        pop(g)
        return False
    slot = lowest(targets)
    frame[EACH_LEFT] = targets & ~(1 << slot)
    if g.turned_at[slot] <= frame[EACH_STAMP] and lives(g, t, slot):
        damage_enemy(g, t, slot, frame[EACH_DAMAGE], frame[EACH_ACTOR])
    return False


@rule
def change_tokens(g, t, slot, n):
    """Add or remove common tokens within the area of a card; a side without one holds none."""
    most = t.tokens_max[g.scenario, slot, g.side[slot]]
    if most >= 0:
        g.tokens[slot] = min(max(g.tokens[slot] + n, 0), most)


# ---------------------------------------------------------------------------------------------------- heroes


@rule
def affect_heroes(g, t, effect, slot, actor):
    """An effect on every hero of its scope (ruling R45), one after the other (ruling R44)."""
    scope = t.scene_scope[effect]
    if t.scene_op[effect] == E_CRYSTAL or scope == S_ACTING:
        if actor != NONE and g.standing[actor]:
            affect_figure(g, t, effect, actor, slot)
    elif scope == S_ALL:
        figures = 0
        for figure in range(g.standing.shape[0]):
            if g.standing[figure]:
                figures |= 1 << figure
        push(g, F_AFFECT, effect, figures, slot)
    elif scope == S_CHOSEN:
        push(g, F_CHOSEN, effect, slot, actor)
    elif slot < 2 * g.columns.shape[0]:
        column = slot % g.columns.shape[0]
        front, back = np.int64(g.columns[column, 0]), np.int64(g.columns[column, 1])
        if scope == S_COLUMN and back != NONE:
            push(g, F_AFFECT, effect, 1 << back, slot)
        if front != NONE:
            push(g, F_AFFECT, effect, 1 << front, slot)


@rule
def affect_next(g, t, frame):
    """The next figure of an effect on several, players in the order of the table (F_AFFECT)."""
    effect, figures, slot = np.int64(frame[ONE_EFFECT]), np.int64(frame[ONE_FIGURES]), np.int64(frame[ONE_SLOT])
    for seat in range(g.players):
        for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
            if (figures >> figure) & 1:
                frame[ONE_FIGURES] = figures & ~(1 << figure)
                if g.standing[figure]:
                    affect_figure(g, t, effect, figure, slot)
                return False
    pop(g)
    return False


@rule
def choose_hero(g, t, frame):
    """The players pick one of the standing figures (R53) (F_CHOSEN)."""
    found, count = NONE, 0
    for figure in range(g.standing.shape[0]):
        if g.standing[figure]:
            found = figure
            count += 1
    if count > 1:
        return ask(g, g.active, CHOSEN)
    if count == 0:
        pop(g)
        return False
    hero_chosen(g, t, frame, found)
    return False


@rule
def hero_chosen(g, t, frame, figure):
    """The picked figure gets the effect."""
    effect, slot = np.int64(frame[ONE_EFFECT]), np.int64(frame[CHOSEN_SLOT])
    pop(g)
    affect_figure(g, t, effect, figure, slot)


@rule
def affect_figure(g, t, effect, figure, slot):
    """One effect of a scene card on one figure; what concerns cards goes to its player."""
    op, n = t.scene_op[effect], np.int64(t.scene_n[effect])
    seat = np.int64(g.seat_of[figure])
    if op == E_DAMAGE_HEROES:
        push(g, F_SUFFER, figure, n, slot)
    elif op == E_HEAL_HEROES:
        heal_figure(g, figure, n)
    elif op == E_RAGE:
        gain_rage(g, t, figure, n)
    elif op == E_HAND_LIMIT:
        g.limit_won[seat] += n
        set_hand_limit(g, seat)
    elif op == E_DRAW:
        push(g, F_DRAW, seat, n)
    elif op == E_STATUS:
        for _ in range(n):
            add_status(g, t, seat, t.scene_kind[effect])
    elif op == E_CRYSTAL:
        for _ in range(n):
            add_status(g, t, seat, CRYSTAL_CARD)
