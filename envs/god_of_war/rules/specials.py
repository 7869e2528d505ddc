"""Special cards, rage abilities and skills are used: targets first, then their effects (R36, R49)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.rules import figures
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.attack import STRIKE_DIE, shoot
from theogony.envs.god_of_war.rules.cards import play_card
from theogony.envs.god_of_war.rules.enemies import carrier, check_again, damage_enemy
from theogony.envs.god_of_war.rules.scene_effects import LIST_ACTOR, LIST_END, LIST_NEXT, LIST_USER
from theogony.envs.god_of_war.state import FIGURE, STEP, TARGET

# The names of places and stages of its frames, see `codes.py`.
SPECIAL_FIGURE, SPECIAL_PLAY, SPECIAL_TARGET, SPECIAL_DONE = range(1, 5)
RAGE_FIGURE, RAGE_TARGET = 1, 2
SKILL_OPTION, SKILL_TARGET, SKILL_SECOND = range(1, 4)
STEP_FIGURE = 1


@rule
def play_special(g, t, seat, figure, play):
    """A special card is played; its target is asked for if it needs one."""
    play_card(g, seat, t.play_design[play])
    push(g, codes.F_SPECIAL, figure, play, codes.NONE)


@rule
def run_special(g, t, frame):
    """A special card (F_SPECIAL): rage and target first, then its effects, then the discard pile (R36, R49)."""
    figure, play = np.int64(frame[SPECIAL_FIGURE]), np.int64(frame[SPECIAL_PLAY])
    seat = np.int64(g.seat_of[figure])
    if frame[SPECIAL_DONE] == 0:
        if frame[SPECIAL_TARGET] == codes.NONE and t.play_target[play] != codes.NO_TARGET:
            return ask_target(g, g.actor, t.play_target[play])
        frame[SPECIAL_DONE] = 1
        figures.gain_rage(g, t, figure, t.play_rage[play])
        first, end = t.play_first[play], t.play_end[play]
        push(g, codes.F_HERO_EFFECTS, first, end, figure, frame[SPECIAL_TARGET])
        return False
    design = t.play_design[play]
    g.in_play[seat, design] -= 1
    g.discard[seat, design] += 1
    pop(g)
    return False


@rule
def ask_target(g, seat, kind):
    """Ask for the target of an effect: a figure, or a scene card."""
    return ask(g, seat, FIGURE if kind == codes.FIGURE_TARGET else TARGET)


@rule
def run_rage(g, t, frame):
    """A rage ability: the track goes back to 0; in solo it may make the skills available again (F_RAGE)."""
    figure, target = np.int64(frame[RAGE_FIGURE]), np.int64(frame[RAGE_TARGET])
    if target == codes.NONE and t.rage_target[figure] != codes.NO_TARGET:
        return ask_target(g, g.actor, t.rage_target[figure])
    g.rage[figure] = 0
    if t.refresher[figure]:
        g.skills_used[:] = 0
    pop(g)
    push(g, codes.F_HERO_EFFECTS, t.rage_first[figure], t.rage_end[figure], figure, target)
    return False


@rule
def run_skill(g, t, frame):
    """A companion's skill (F_SKILL)."""
    option = np.int64(frame[SKILL_OPTION])
    first_target, second_target = np.int64(frame[SKILL_TARGET]), np.int64(frame[SKILL_SECOND])
    figure = figures.first_figure(g, t, 0)
    if t.skill_kind[option] == codes.SKILL_ATTACK:
        wanted = wanted_targets(g, t, option)
        if first_target == codes.NONE or (wanted > 1 and second_target == codes.NONE):
            return ask(g, 0, TARGET)
        pop(g)
        g.skills_used[t.skill_number[option]] = 1
        if second_target != codes.NONE:
            low, high = min(first_target, second_target), max(first_target, second_target)
            shoot(g, high, t.skill_strength[option], t.skill_stun[option], figure)
            first_target = low
        shoot(g, first_target, t.skill_strength[option], t.skill_stun[option], figure)
        return False
    if first_target == codes.NONE and t.skill_target[option] != codes.NO_TARGET:
        return ask_target(g, 0, t.skill_target[option])
    pop(g)
    g.skills_used[t.skill_number[option]] = 1
    push(g, codes.F_HERO_EFFECTS, t.skill_first[option], t.skill_end[option], figure, first_target)
    return False


@rule
def wanted_targets(g, t, option):
    """Targets a companion's attack takes: as many as there are enemies, at most those printed (R60)."""
    if t.skill_targets[option] == 1 or not t.skill_anywhere[option]:
        return 1
    count = 0
    for slot in range(g.side.shape[0]):
        count += carrier(g, t, slot) == slot
    return min(count, np.int64(t.skill_targets[option]))


@rule
def use_rage(g, figure):
    """The ability of the full rage track; its target is asked for if it needs one."""
    push(g, codes.F_RAGE, figure, codes.NONE)


@rule
def name_target(frame, target):
    """The target of a special, a rage ability or a skill."""
    if frame[0] == codes.F_SPECIAL:
        frame[SPECIAL_TARGET] = target
    elif frame[0] == codes.F_RAGE:
        frame[RAGE_TARGET] = target
    elif frame[SKILL_TARGET] == codes.NONE:
        frame[SKILL_TARGET] = target
    else:
        frame[SKILL_SECOND] = target


@rule
def use_skill(g, t, option):
    """A companion's skill: a number, a block and the die count at once, the others have effects."""
    kind = t.skill_kind[option]
    if kind == codes.SKILL_NUMBER or kind == codes.SKILL_BLOCK or kind == codes.SKILL_DIE:
        g.skills_used[t.skill_number[option]] = 1
        if kind == codes.SKILL_NUMBER:
            g.set_strength += t.skill_strength[option]
        elif kind == codes.SKILL_BLOCK:
            g.blocked += t.skill_strength[option]
        else:
            g.agenda[g.depth - 1, STRIKE_DIE] *= -1
    else:
        push(g, codes.F_SKILL, option, codes.NONE, codes.NONE)


# ---- Effects of heroes: the interpreter of specials, rage abilities and skills (§12) -----------------------------


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
    if op == codes.H_STUN or op == codes.H_DAMAGE:
        affect_enemy_seen(g, t, effect, figure, np.int64(target))
    elif op == codes.H_BOOST or op == codes.H_GUARD or op == codes.H_BLOCK_BOOST or op == codes.H_NEXT_ATTACK:
        strengthen(g, t, effect, figure)
    elif op == codes.H_SCRY:
        push(g, codes.F_SCRY, g.seat_of[figure], min(np.int64(t.effect_n[effect]), np.int64(g.upgrade_cards)))
    elif op == codes.H_CANCEL_RUNE:
        g.cancel_rune = 1
    else:
        affect_hero(g, t, effect, figure, target)


@rule
def affect_hero(g, t, effect, figure, target):
    """rage, draw, heal, move, ward."""
    op, n, aim = t.effect_op[effect], np.int64(t.effect_n[effect]), t.effect_target[effect]
    if op == codes.H_RAGE:
        figures.gain_rage(g, t, figure, n)
    elif op == codes.H_DRAW:
        drawing = np.int64(g.bearer) if aim == codes.TO_BEARER else np.int64(figure)
        if drawing != codes.NONE:
            push(g, codes.F_DRAW, g.seat_of[drawing], n)
    elif op == codes.H_HEAL:
        healed = np.int64(target) if aim == codes.TO_ANY else np.int64(figure)
        if g.standing[healed]:
            figures.heal_figure(g, healed, n)
    elif op == codes.H_MOVE:
        push(g, codes.F_STEP, figure)
    elif op == codes.H_WARD:
        g.wards[target] += min(n, figures.WARDS - figures.wards_out(g))


@rule
def affect_enemy_seen(g, t, effect, figure, slot):
    """stun, damage: the enemy seen on a card, if it still lives."""
    owner = carrier(g, t, slot)
    if owner == codes.NONE:
        return
    if t.effect_op[effect] == codes.H_STUN:
        g.stunned[owner] = 1
    else:
        damage_enemy(g, t, owner, np.int64(t.effect_n[effect]), figure)


@rule
def strengthen(g, t, effect, figure):
    """boost, guard, block_boost on the attack that is going on; next_attack waits (rulings R9, R50)."""
    op, n, seat = t.effect_op[effect], np.int64(t.effect_n[effect]), np.int64(g.seat_of[figure])
    if op == codes.H_NEXT_ATTACK:
        if t.effect_target[effect] == codes.TO_PAIR:
            g.next_attack[seat] += n
        else:
            g.next_damage[seat] += n
    elif op == codes.H_BOOST and g.attacked == codes.NONE:
        g.boost += n
    else:
        g.blocked += n


@rule
def extra_move(g, frame):
    """One extra move, made at once (R61) (F_STEP)."""
    figure = np.int64(frame[STEP_FIGURE])
    if not g.standing[figure] or not figures.can_move(g, figure):
        pop(g)
        return False
    return ask(g, g.seat_of[figure], STEP)


@rule
def take_step(g, frame, column, back):
    """The extra move is made."""
    figure = np.int64(frame[STEP_FIGURE])
    pop(g)
    figures.move(g, figure, column, back)
