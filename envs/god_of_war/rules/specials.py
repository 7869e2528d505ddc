"""Special cards, rage abilities, skills: effects of heroes and when they may be used (R12, R48, R64)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.cards import play_card
from theogony.envs.god_of_war.rules.enemies import carrier, check_again, damage_enemy, vulnerable
from theogony.envs.god_of_war.rules.figures import (
    WARDS,
    can_move,
    first_figure,
    gain_rage,
    heal_figure,
    role_figure,
    seat_stands,
    wards_out,
)
from theogony.envs.god_of_war.state import (
    F_DRAW,
    F_HERO_EFFECTS,
    F_SCRY,
    F_SHOT,
    F_SPECIAL,
    F_STEP,
    FIGURE,
    IN_SCENE_ACTIVATION,
    STEP,
    TARGET,
)
from theogony.envs.god_of_war.words import (
    ATTACK_WINDOW_BIT,
    BLOCK_WINDOW_BIT,
    BROK,
    FIGURE_TARGET,
    GENERAL,
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
    MIMIR,
    NO_TARGET,
    NONE,
    SKILL_ATTACK,
    SKILL_BLOCK,
    SKILL_DIE,
    SKILL_SPECIAL,
    TO_BEARER,
)

# ---------------------------------------------------------------------------------------------------- when


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
            if target == 1 and not any_enemy(g, t):
                return False
            if target != 1 and not enemy_in_column(g, t, figure):
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
def special_usable(g, t, seat, figure, play, window):
    """Whether a figure may play a special card of its player's hand in a window (bit of `words`)."""
    if g.hand[seat, t.play_design[play]] <= 0 or t.play_window[play] & window == 0:
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
            if special_usable(g, t, seat, figure, t.special_plays[k], window):
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


# ---------------------------------------------------------------------------------------------------- using


@rule
def play_special(g, t, seat, figure, play):
    """A special card is played; its target is asked for if it needs one."""
    play_card(g, seat, t.play_design[play])
    push(g, F_SPECIAL, figure, play, NONE)


@rule
def run_special(g, t, frame):
    """A special card (F_SPECIAL): rage and target first, then its effects, then the discard pile (R36, R49)."""
    figure, play = np.int64(frame[1]), np.int64(frame[2])
    seat = np.int64(g.seat_of[figure])
    if frame[4] == 0:
        if frame[3] == NONE and t.play_target[play] != NO_TARGET:
            return ask_target(g, g.actor, t.play_target[play])
        frame[4] = 1
        gain_rage(g, t, figure, t.play_rage[play])
        first, end = t.play_first[play], t.play_end[play]
        push(g, F_HERO_EFFECTS, first, end, figure, frame[3], 1)
        return False
    design = t.play_design[play]
    g.in_play[seat, design] -= 1
    g.discard[seat, design] += 1
    pop(g)
    return False


@rule
def ask_target(g, seat, kind):
    """Ask for the target of an effect: a figure, or a scene card."""
    return ask(g, seat, FIGURE if kind == FIGURE_TARGET else TARGET)


@rule
def run_rage(g, t, frame):
    """A rage ability: the track goes back to 0; in solo it may make the skills available again (F_RAGE)."""
    figure, target = np.int64(frame[1]), np.int64(frame[2])
    if target == NONE and t.rage_target[figure] != NO_TARGET:
        return ask_target(g, g.actor, t.rage_target[figure])
    g.rage[figure] = 0
    if t.refresher[figure]:
        g.skills_used[:] = 0
    pop(g)
    push(g, F_HERO_EFFECTS, t.rage_first[figure], t.rage_end[figure], figure, target, 1)
    return False


@rule
def run_skill(g, t, frame):
    """A companion's skill (F_SKILL)."""
    option, first_target, second_target = np.int64(frame[1]), np.int64(frame[2]), np.int64(frame[3])
    figure = first_figure(g, t, 0)
    if t.skill_kind[option] == SKILL_ATTACK:
        wanted = wanted_targets(g, t, option)
        if first_target == NONE or (wanted > 1 and second_target == NONE):
            return ask(g, 0, TARGET)
        pop(g)
        g.skills_used[t.skill_number[option]] = 1
        if second_target != NONE:
            low, high = min(first_target, second_target), max(first_target, second_target)
            push(g, F_SHOT, high, t.skill_strength[option], t.skill_stun[option], figure)
            first_target = low
        push(g, F_SHOT, first_target, t.skill_strength[option], t.skill_stun[option], figure)
        return False
    if first_target == NONE and t.skill_target[option] != NO_TARGET:
        return ask_target(g, 0, t.skill_target[option])
    pop(g)
    g.skills_used[t.skill_number[option]] = 1
    push(g, F_HERO_EFFECTS, t.skill_first[option], t.skill_end[option], figure, first_target, 1)
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
    """One effect of a hero (schema, Hero effects)."""
    op, n = t.effect_op[effect], np.int64(t.effect_n[effect])
    seat = np.int64(g.seat_of[figure])
    if op == H_RAGE:
        gain_rage(g, t, figure, n)
    elif op == H_DRAW:
        to_bearer = t.effect_target[effect] == TO_BEARER
        if not to_bearer or g.bearer != NONE:
            push(g, F_DRAW, np.int64(g.seat_of[g.bearer]) if to_bearer else seat, n)
    elif op == H_HEAL:
        healed = target if t.effect_target[effect] == 1 else figure
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
    elif op == H_NEXT_ATTACK:
        g.next_attack[seat] += n
    elif op == H_WARD:
        g.wards[target] += min(n, WARDS - wards_out(g))
    elif op == H_CANCEL_RUNE:
        g.cancel_rune = 1
    elif op == H_BOOST and g.attacker != NONE:
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
