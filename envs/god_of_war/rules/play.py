"""`apply`: one decision is carried out, then the agenda runs on to the next decision or the end."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war.actions import (
    A_ADD,
    A_ATTACK,
    A_BLOCK,
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
from theogony.envs.god_of_war.rules.activation import (
    activate,
    activate_card,
    enemy_attacks,
    finish_block,
    hit_hero,
    start_block,
)
from theogony.envs.god_of_war.rules.agenda import pop, push, stop
from theogony.envs.god_of_war.rules.attack import run_attack, shoot, start_attack
from theogony.envs.god_of_war.rules.cards import (
    draw_cards,
    play_card,
    poison_figure,
    put_on_deck,
    suffer_poison,
)
from theogony.envs.god_of_war.rules.effects import choose_hero, damage_next, hero_chosen, run_effects
from theogony.envs.god_of_war.rules.enemies import after_turning, defeated, resolve_boxes, resolve_flips
from theogony.envs.god_of_war.rules.figures import enter, gain_rage, move, role_figure
from theogony.envs.god_of_war.rules.flow import (
    begin_scene,
    check_end,
    choose_next,
    figure_to_place,
    hinder_first,
    place_heroes,
    take_scenario,
)
from theogony.envs.god_of_war.rules.interact import pay, run_interaction, start_interaction
from theogony.envs.god_of_war.rules.rounds import hang_on, hero_turn, run_round, upgrade_phase
from theogony.envs.god_of_war.rules.scry import look, scry_bottom, scry_top
from theogony.envs.god_of_war.rules.specials import (
    extra_move,
    play_special,
    run_hero_effects,
    run_rage,
    run_skill,
    run_special,
)
from theogony.envs.god_of_war.state import (
    BEARER,
    CHOSEN,
    F_ACTIVATION,
    F_ATTACK,
    F_BOXES,
    F_CARD,
    F_CHECK,
    F_CHOSEN,
    F_DEFEATED,
    F_DRAW,
    F_EACH,
    F_EFFECTS,
    F_ENEMY_ATTACK,
    F_FLIPS,
    F_HERO_EFFECTS,
    F_HERO_TURN,
    F_HINDRANCE,
    F_HIT,
    F_INTERACT,
    F_PLACE,
    F_POISON,
    F_RAGE,
    F_ROUND,
    F_SCRY,
    F_SHOT,
    F_SKILL,
    F_SPECIAL,
    F_STEP,
    F_TURN,
    F_UPGRADE,
    LOOP,
    POISON,
    SHIELD,
    STEPS,
)
from theogony.envs.god_of_war.words import NONE, SKILL_BLOCK, SKILL_DIE, SKILL_NUMBER


@rule
def apply(g, t, action):
    """One decision of the acting seat."""
    block = np.int64(t.block_of[action])
    k = np.int64(action) - np.int64(t.at[block])
    seat = np.int64(g.actor)
    frame = g.agenda[g.depth - 1]
    if block <= A_END and block != A_PLACE:
        act(g, t, block, k, seat, frame)
    elif block == A_ADD or block == A_COMMIT or block == A_BLOCK or block == A_DONE or block == A_PASS:
        answer(g, t, block, k, seat, frame)
    elif block == A_FIGURE:
        name_figure(g, t, k, frame)
    elif block == A_TAKE:
        take_upgrade(g, t, seat, k)
    elif block == A_REMOVE:
        remove_card(g, t, seat, k)
    else:
        name_detail(g, t, block, k, frame)
    run(g, t)


@rule
def act(g, t, block, k, seat, frame):
    """An action of a hero activation; specials, rage and skills also come in windows."""
    if block == A_MOVE:
        figure = role_figure(g, t, seat, k // 8)
        move(g, figure, k % 8 // 2, k % 2)
        g.moved[figure] = 1
    elif block == A_ATTACK:
        count = t.attack_plays.shape[0]
        figure = role_figure(g, t, seat, k // (2 * count))
        start_attack(g, t, seat, figure, k // count % 2, np.int64(t.attack_plays[k % count]))
    elif block == A_SPECIAL:
        count = t.special_plays.shape[0]
        figure = role_figure(g, t, seat, k // count)
        play_special(g, t, np.int64(g.seat_of[figure]), figure, np.int64(t.special_plays[k % count]))
    elif block == A_RAGE:
        push(g, F_RAGE, role_figure(g, t, seat, k), NONE)
    elif block == A_SKILL:
        use_skill(g, t, k)
    elif block == A_INTERACT:
        start_interaction(g, t, role_figure(g, t, seat, k // 4), k % 4 // 2, k % 2)
    else:
        frame[2] = 1  # the activation ends


@rule
def use_skill(g, t, option):
    """A companion's skill: a number, a block and the die count at once, the others have effects."""
    kind = t.skill_kind[option]
    if kind == SKILL_NUMBER or kind == SKILL_BLOCK or kind == SKILL_DIE:
        g.skills_used[t.skill_number[option]] = 1
        if kind == SKILL_NUMBER:
            g.set_strength += t.skill_strength[option]
        elif kind == SKILL_BLOCK:
            g.blocked += t.skill_strength[option]
        else:
            g.die_adds = 1
    else:
        push(g, F_SKILL, option, NONE, NONE)


@rule
def answer(g, t, block, k, seat, frame):
    """Sets, blocks and windows."""
    if block == A_ADD:
        play = np.int64(t.number_plays[k])
        play_card(g, seat, t.play_design[play])
        g.set_strength += t.play_number[play]
        gain_rage(g, t, g.attacker if g.attacker != NONE else g.attacked, t.play_rage[play])
    elif block == A_COMMIT:
        if g.attacker != NONE:
            frame[1] = 1
        else:
            finish_block(g, frame)
    elif block == A_BLOCK:
        start_block(g, t, seat, frame, np.int64(t.block_plays[k]))
    elif block == A_DONE:
        frame[1] = 2
    else:
        frame[2] += 1  # pass: the next player of the window


@rule
def name_figure(g, t, figure, frame):
    """A figure was asked for."""
    if g.decision == BEARER:
        hang_on(g, figure)
    elif g.decision == SHIELD:
        g.victim = figure
        frame[1] = 1
    elif g.decision == POISON:
        poison_figure(g, t, figure)
    elif g.decision == CHOSEN:
        hero_chosen(g, t, frame, figure)
    else:
        name_target(frame, figure)


@rule
def name_target(frame, target):
    """The target of a special, a rage ability or a skill."""
    if frame[0] == F_SPECIAL:
        frame[3] = target
    elif frame[2] == NONE:
        frame[2] = target
    else:
        frame[3] = target


@rule
def name_detail(g, t, block, k, frame):
    """A place, a scene card, a payment, a column, the order of cards, the next scene."""
    if block == A_PLACE:
        enter(g, figure_to_place(g, t, np.int64(frame[1])), k // 2, k % 2)
        frame[1] += 1
    elif block == A_STEP:
        figure = np.int64(frame[1])
        pop(g)
        move(g, figure, k // 2, k % 2)
    elif block == A_TARGET:
        name_target(frame, k)
    elif block == A_PAY:
        pay(g, np.int64(g.seat_of[frame[1]]), frame, k)
    elif block == A_COLUMN:
        frame[4] = 1 << k
    elif block == A_CHOOSE:
        take_scenario(g, k)
    elif block == A_TOP:
        scry_top(g, frame, k)
    else:
        scry_bottom(g, frame, k)


@rule
def take_upgrade(g, t, seat, card):
    """A revealed card goes on top of the own deck; its rune has no further meaning (rules 4.4)."""
    place = 0
    while g.revealed[place] != card:
        place += 1
    for k in range(place, g.revealed_cards - 1):
        g.revealed[k] = g.revealed[k + 1]
    g.revealed_cards -= 1
    g.revealed[g.revealed_cards] = 0
    put_on_deck(g, seat, t.upgrade_design[card])


@rule
def remove_card(g, t, seat, design):
    """A discarded card leaves the game, a status card returns to its supply (rules 4.4)."""
    g.discard[seat, design] -= 1
    if design >= t.status:
        g.supply[design - t.status] += 1
    else:
        g.box[design] += 1


# ---------------------------------------------------------------------------------------------------- the agenda


@rule
def run(g, t):
    """Work on the agenda until a decision is due or the game is over."""
    for _ in range(STEPS):
        if g.over != 0:
            return
        frame = g.agenda[g.depth - 1]
        kind = frame[0]
        if kind >= F_ACTIVATION:
            waits = run_scene_frame(g, t, kind, frame)
        else:
            waits = run_hero_frame(g, t, kind, frame)
        if waits:
            return
    if g.over == 0:
        stop(g, CUT_OFF, LOOP)


@rule
def run_hero_frame(g, t, kind, frame):
    """Frames of rounds, cards and heroes. Returns whether a decision is due."""
    if kind == F_HERO_TURN:
        return hero_turn(g, t, frame)
    if kind == F_ATTACK:
        return run_attack(g, t, frame)
    if kind == F_HERO_EFFECTS:
        return run_hero_effects(g, t, frame)
    if kind == F_SPECIAL:
        return run_special(g, t, frame)
    if kind == F_DRAW:
        return draw_cards(g, t, frame)
    if kind == F_POISON:
        return suffer_poison(g, t, frame)
    if kind == F_ROUND:
        return run_round(g, t, frame)
    if kind == F_RAGE:
        return run_rage(g, t, frame)
    if kind == F_SKILL:
        return run_skill(g, t, frame)
    if kind == F_STEP:
        return extra_move(g, t, frame)
    if kind == F_SHOT:
        return shoot(g, t, frame)
    if kind == F_INTERACT:
        return run_interaction(g, t, frame)
    if kind == F_SCRY:
        return look(g, frame)
    if kind == F_PLACE:
        return place_heroes(g, t, frame)
    if kind == F_HINDRANCE:
        return hinder_first(g, frame)
    return begin_scene(g, t)  # F_SCENE


@rule
def run_scene_frame(g, t, kind, frame):
    """Frames of scene activations, enemies and what follows them. Returns whether a decision is due."""
    if kind == F_CHECK:
        return check_end(g, t, frame)
    if kind == F_BOXES:
        return resolve_boxes(g, t, frame)
    if kind == F_FLIPS:
        return resolve_flips(g, t, frame)
    if kind == F_CARD:
        return activate_card(g, t, frame)
    if kind == F_HIT:
        return hit_hero(g, t, frame)
    if kind == F_ENEMY_ATTACK:
        return enemy_attacks(g, t, frame)
    if kind == F_ACTIVATION:
        return activate(g, t, frame)
    if kind == F_EFFECTS:
        return run_effects(g, t, frame)
    if kind == F_DEFEATED:
        return defeated(g, t, frame)
    if kind == F_TURN:
        return after_turning(g, t, frame)
    if kind == F_EACH:
        return damage_next(g, t, frame)
    if kind == F_CHOSEN:
        return choose_hero(g, t, frame)
    if kind == F_UPGRADE:
        return upgrade_phase(g, frame)
    return choose_next(g, t)  # F_NEXT
