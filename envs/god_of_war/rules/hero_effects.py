"""Effects of heroes: the interpreter of specials, rage abilities and skills (§12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import (
    H_BLOCK_BOOST,
    H_BOOST,
    H_CANCEL_RUNE,
    H_DAMAGE,
    H_DRAW,
    H_GUARD,
    H_HEAL,
    H_MOVE,
    H_NEXT_ATTACK,
    H_RAGE,
    H_SCRY,
    H_STUN,
    H_WARD,
    NONE,
    TO_ANY,
    TO_BEARER,
    TO_PAIR,
)
from theogony.envs.god_of_war.frames import (
    F_DRAW,
    F_SCRY,
    F_STEP,
    LIST_ACTOR,
    LIST_END,
    LIST_NEXT,
    LIST_USER,
    STEP_FIGURE,
)
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.enemies import carrier, damage_enemy
from theogony.envs.god_of_war.rules.figures import WARDS, can_move, gain_rage, heal_figure, move, wards_out
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.state import STEP


@rule
def run_hero_effects(g, t, frame):
    """The next effect of a list, each followed by the checks (F_HERO_EFFECTS)."""
    if frame[LIST_NEXT] >= frame[LIST_END]:
        pop(g)
        return False
    effect, figure, target = np.int64(frame[LIST_NEXT]), np.int64(frame[LIST_USER]), np.int64(frame[LIST_ACTOR])
    frame[LIST_NEXT] += 1
    check_again(g, figure)
    hero_effect(g, t, effect, figure, target)
    return False


@rule
def hero_effect(g, t, effect, figure, target):
    """One effect of a hero (§12), by what it concerns: heroes, an enemy, an attack or a block, the upgrade deck."""
    op = t.effect_op[effect]
    if op == H_STUN or op == H_DAMAGE:
        affect_enemy_seen(g, t, effect, figure, np.int64(target))
    elif op == H_BOOST or op == H_GUARD or op == H_BLOCK_BOOST or op == H_NEXT_ATTACK:
        strengthen(g, t, effect, figure)
    elif op == H_SCRY:
        push(g, F_SCRY, g.seat_of[figure], min(np.int64(t.effect_n[effect]), np.int64(g.upgrade_cards)))
    elif op == H_CANCEL_RUNE:
        g.cancel_rune = 1
    else:
        affect_hero(g, t, effect, figure, target)


@rule
def affect_hero(g, t, effect, figure, target):
    """rage, draw, heal, move, ward."""
    op, n, aim = t.effect_op[effect], np.int64(t.effect_n[effect]), t.effect_target[effect]
    if op == H_RAGE:
        gain_rage(g, t, figure, n)
    elif op == H_DRAW:
        drawing = np.int64(g.bearer) if aim == TO_BEARER else np.int64(figure)
        if drawing != NONE:
            push(g, F_DRAW, g.seat_of[drawing], n)
    elif op == H_HEAL:
        healed = np.int64(target) if aim == TO_ANY else np.int64(figure)
        if g.standing[healed]:
            heal_figure(g, healed, n)
    elif op == H_MOVE:
        push(g, F_STEP, figure)
    elif op == H_WARD:
        g.wards[target] += min(n, WARDS - wards_out(g))


@rule
def affect_enemy_seen(g, t, effect, figure, slot):
    """stun, damage: the enemy seen on a card, if it still lives."""
    owner = carrier(g, t, slot)
    if owner == NONE:
        return
    if t.effect_op[effect] == H_STUN:
        g.stunned[owner] = 1
    else:
        damage_enemy(g, t, owner, np.int64(t.effect_n[effect]), figure)


@rule
def strengthen(g, t, effect, figure):
    """boost, guard, block_boost on the attack that is going on; next_attack waits (rulings R9, R50)."""
    op, n, seat = t.effect_op[effect], np.int64(t.effect_n[effect]), np.int64(g.seat_of[figure])
    if op == H_NEXT_ATTACK:
        if t.effect_target[effect] == TO_PAIR:
            g.next_attack[seat] += n
        else:
            g.next_damage[seat] += n
    elif op == H_BOOST and g.attacked == NONE:
        g.boost += n
    else:
        g.blocked += n


@rule
def extra_move(g, frame):
    """One extra move, made at once (R61) (F_STEP)."""
    figure = np.int64(frame[STEP_FIGURE])
    if not g.standing[figure] or not can_move(g, figure):
        pop(g)
        return False
    return ask(g, g.seat_of[figure], STEP)


@rule
def take_step(g, frame, column, back):
    """The extra move is made."""
    figure = np.int64(frame[STEP_FIGURE])
    pop(g)
    move(g, figure, column, back)
