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
from theogony.envs.god_of_war.frames import F_DRAW, F_SCRY, F_STEP
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.enemies import carrier, damage_enemy
from theogony.envs.god_of_war.rules.figures import WARDS, can_move, gain_rage, heal_figure, wards_out
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.state import STEP


@rule
def run_hero_effects(g, t, frame):
    """The next effect of a list, each followed by the checks (F_HERO_EFFECTS)."""
    if frame[1] >= frame[2]:
        pop(g)
        return False
    effect, figure, target = np.int64(frame[1]), np.int64(frame[3]), np.int64(frame[4])
    frame[1] += 1
    check_again(g, figure)
    hero_effect(g, t, effect, figure, target)
    return False


@rule
def hero_effect(g, t, effect, figure, target):
    """One effect of a hero (§12)."""
    op, n = t.effect_op[effect], np.int64(t.effect_n[effect])
    seat = np.int64(g.seat_of[figure])
    if op == H_RAGE:
        gain_rage(g, t, figure, n)
    elif op == H_DRAW:
        to_bearer = t.effect_target[effect] == TO_BEARER
        if not to_bearer or g.bearer != NONE:
            push(g, F_DRAW, np.int64(g.seat_of[g.bearer]) if to_bearer else seat, n)
    elif op == H_HEAL:
        healed = target if t.effect_target[effect] == TO_ANY else figure
        if g.standing[healed]:
            heal_figure(g, healed, n)
    elif op == H_STUN or op == H_DAMAGE:
        owner = carrier(g, t, target)
        if owner != NONE:
            if op == H_STUN:
                g.stunned[owner] = 1
            else:
                damage_enemy(g, t, owner, n, figure)
    elif op == H_SCRY:
        push(g, F_SCRY, seat, min(n, np.int64(g.upgrade_cards)))
    elif op == H_MOVE:
        push(g, F_STEP, figure)
    elif op == H_NEXT_ATTACK:  # rulings R9, R50
        if t.effect_target[effect] == TO_PAIR:
            g.next_attack[seat] += n
        else:
            g.next_damage[seat] += n
    elif op == H_WARD:
        g.wards[target] += min(n, WARDS - wards_out(g))
    elif op == H_CANCEL_RUNE:
        g.cancel_rune = 1
    elif op == H_BOOST and g.attacked == NONE:
        g.boost += n
    elif op == H_BOOST or op == H_GUARD or op == H_BLOCK_BOOST:
        g.blocked += n


@rule
def extra_move(g, t, frame):
    """One extra move, made at once (R61) (F_STEP)."""
    figure = np.int64(frame[1])
    if not g.standing[figure] or not can_move(g, figure):
        pop(g)
        return False
    return ask(g, g.seat_of[figure], STEP)
