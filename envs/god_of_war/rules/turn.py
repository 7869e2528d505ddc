"""`apply`: one decision is carried out, then the agenda runs on to the next decision or the end."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war.codes import (
    ASKED,
    F_ACTIVATION,
    F_AFFECT,
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
    F_HEROES,
    F_HINDRANCE,
    F_HIT,
    F_INTERACT,
    F_MIMIR,
    F_PLACE,
    F_POISON,
    F_RAGE,
    F_ROUND,
    F_SCRY,
    F_SKILL,
    F_SPECIAL,
    F_STEP,
    F_STRIKE,
    F_SUFFER,
    F_TURN,
    F_UPGRADE,
    NONE,
)
from theogony.envs.god_of_war.rules.activation import activate, activate_card, choose_column, enemy_attacks
from theogony.envs.god_of_war.rules.agenda import stop
from theogony.envs.god_of_war.rules.attack import (
    add_number,
    close_set,
    end_blocks,
    finish_block,
    hit_hero,
    run_attack,
    start_attack,
    start_block,
    strike,
    suffer,
    take_place,
)
from theogony.envs.god_of_war.rules.cards import (
    draw_cards,
    look,
    poison_figure,
    remove_card,
    scry_bottom,
    scry_top,
    suffer_poison,
    take_upgrade,
    upgrade_phase,
)
from theogony.envs.god_of_war.rules.enemies import after_turning, defeated, resolve_boxes, resolve_flips
from theogony.envs.god_of_war.rules.figures import move, role_figure
from theogony.envs.god_of_war.rules.legal import (
    A_ADD,
    A_ASK,
    A_ATTACK,
    A_BLOCK,
    A_CHOOSE,
    A_COLUMN,
    A_COMMIT,
    A_DONE,
    A_END,
    A_FIGURE,
    A_HERO,
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
from theogony.envs.god_of_war.rules.rounds import (
    ask_mimir,
    end_turn,
    hang_on,
    hero_turn,
    mimir_done,
    mimir_turn,
    note_action,
    run_round,
)
from theogony.envs.god_of_war.rules.scene_effects import (
    affect_next,
    check_end,
    choose_hero,
    damage_next,
    hero_chosen,
    run_effects,
)
from theogony.envs.god_of_war.rules.setup import (
    begin_scene,
    choose_heroes,
    choose_next,
    hinder_first,
    place_heroes,
    place_next,
    take_hero,
    take_scenario,
)
from theogony.envs.god_of_war.rules.specials import (
    extra_move,
    name_target,
    play_special,
    run_hero_effects,
    run_rage,
    run_skill,
    run_special,
    take_step,
    use_rage,
    use_skill,
)
from theogony.envs.god_of_war.rules.usable import pay, run_interaction, start_interaction
from theogony.envs.god_of_war.state import BEARER, BLOCK, CHOSEN, DIE, LOOP, POISON, SHIELD, STEPS


@rule
def run(g, t, most):
    """Work on the agenda, on so many frames at the most. Returns whether a decision is due or the game is over."""
    for _ in range(most):
        if g.over != 0:
            return True
        frame = g.agenda[g.depth - 1]
        kind = frame[0]
        if kind >= F_ACTIVATION:
            waits = run_scene_frame(g, t, kind, frame)
        else:
            waits = run_hero_frame(g, t, kind, frame)
        if waits:
            return True
    return g.over != 0


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
        return extra_move(g, frame)
    if kind == F_STRIKE:
        return strike(g, t, frame)
    if kind == F_MIMIR:
        return mimir_turn(g, t)
    if kind == F_INTERACT:
        return run_interaction(g, t, frame)
    if kind == F_SCRY:
        return look(g, frame)
    if kind == F_PLACE:
        return place_heroes(g, t, frame)
    if kind == F_HINDRANCE:
        return hinder_first(g, frame)
    if kind == F_HEROES:
        return choose_heroes(g, frame)
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
        return defeated(g, frame)
    if kind == F_TURN:
        return after_turning(g, t, frame)
    if kind == F_SUFFER:
        return suffer(g, t, frame)
    if kind == F_AFFECT:
        return affect_next(g, t, frame)
    if kind == F_EACH:
        return damage_next(g, t, frame)
    if kind == F_CHOSEN:
        return choose_hero(g, t, frame)
    if kind == F_UPGRADE:
        return upgrade_phase(g, frame)
    return choose_next(g, t)  # F_NEXT


# ---- Answers to what a rule asks: cards for a set, blocks, windows (§5.2, §6.1), and which figure is meant -------


@rule
def answer(g, t, block, k, seat, frame):
    """One of the actions `add` to `pass`; `k` is its number in the block."""
    if block == A_ADD:
        add_number(g, t, seat, np.int64(t.number_plays[k]))
    elif block == A_COMMIT:
        if g.attacked == NONE:
            close_set(frame)
        else:
            finish_block(g, frame)
    elif block == A_BLOCK:
        start_block(g, t, seat, frame, np.int64(t.block_plays[k]))
    elif block == A_DONE:
        if g.decision == BLOCK:
            end_blocks(frame)
        else:
            mimir_done(g, frame)
    elif g.decision != DIE:  # pass: the next player of the window
        frame[ASKED] += 1


@rule
def name_figure(g, t, figure, frame):
    """A figure was asked for."""
    if g.decision == BEARER:
        hang_on(g, figure)
    elif g.decision == SHIELD:
        take_place(g, frame, figure)
    elif g.decision == POISON:
        poison_figure(g, figure)
    elif g.decision == CHOSEN:
        hero_chosen(g, t, frame, figure)
    else:
        name_target(frame, figure)


# ---- What a hero does in its activation (§5). Specials, rage and skills also come in windows ---------------------


@rule
def act(g, t, block, k, seat, frame):
    """One of the actions `move` to `end activation`; `k` is its number in the block."""
    note_action(g, frame)
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
        use_rage(g, role_figure(g, t, seat, k))
    elif block == A_SKILL:
        use_skill(g, t, k)
    elif block == A_INTERACT:
        start_interaction(g, t, role_figure(g, t, seat, k // 4), k % 4 // 2, k % 2)
    elif block == A_ASK:
        ask_mimir(g)
    else:
        end_turn(frame)


# ---- `apply`: one decision is carried out, then the agenda runs on to the next decision or the end ---------------


@rule
def apply(g, t, action):
    """One decision of the acting seat, and all that follows from it."""
    g.told[:, :] = 0
    decide(g, t, action)
    if not run(g, t, STEPS):
        stop(g, CUT_OFF, LOOP)


@rule
def decide(g, t, action):
    """Carry out the decision itself; what it causes waits on the agenda."""
    block = np.int64(t.block_of[action])
    k = np.int64(action) - np.int64(t.at[block])
    seat = np.int64(g.actor)
    frame = g.agenda[g.depth - 1]
    if A_MOVE <= block <= A_END:
        act(g, t, block, k, seat, frame)
    elif A_ADD <= block <= A_PASS:
        answer(g, t, block, k, seat, frame)
    elif block == A_FIGURE:
        name_figure(g, t, k, frame)
    elif block == A_TAKE:
        take_upgrade(g, t, seat, k)
    elif block == A_REMOVE:
        remove_card(g, t, seat, k)
    else:
        name_detail(g, t, block, k, frame)


@rule
def name_detail(g, t, block, k, frame):
    """A place, a scene card, a payment, a column, the order of cards, the next scene."""
    if block == A_HERO:
        take_hero(g, t, frame, k)
    elif block == A_PLACE:
        place_next(g, t, frame, k // 2, k % 2)
    elif block == A_STEP:
        take_step(g, frame, k // 2, k % 2)
    elif block == A_TARGET:
        name_target(frame, k)
    elif block == A_PAY:
        pay(g, frame, k)
    elif block == A_COLUMN:
        choose_column(frame, k)
    elif block == A_CHOOSE:
        take_scenario(g, k)
    elif block == A_TOP:
        scry_top(g, frame, k)
    else:
        scry_bottom(g, frame, k)
