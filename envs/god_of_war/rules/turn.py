"""`apply`: one decision is carried out, then the agenda runs on to the next decision or the end."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war import actions, codes
from theogony.envs.god_of_war.rules import attack, cards, rounds, scene_effects, specials
from theogony.envs.god_of_war.rules.activation import activate, activate_card, choose_column, enemy_attacks
from theogony.envs.god_of_war.rules.agenda import stop
from theogony.envs.god_of_war.rules.enemies import after_turning, defeated, resolve_boxes, resolve_flips
from theogony.envs.god_of_war.rules.figures import move, role_figure
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
        if kind >= codes.F_ACTIVATION:
            waits = run_scene_frame(g, t, kind, frame)
        else:
            waits = run_hero_frame(g, t, kind, frame)
        if waits:
            return True
    return g.over != 0


@rule
def run_hero_frame(g, t, kind, frame):
    """Frames of rounds, cards and heroes. Returns whether a decision is due."""
    if kind == codes.F_HERO_TURN:
        return rounds.hero_turn(g, t, frame)
    if kind == codes.F_ATTACK:
        return attack.run_attack(g, t, frame)
    if kind == codes.F_HERO_EFFECTS:
        return specials.run_hero_effects(g, t, frame)
    if kind == codes.F_SPECIAL:
        return specials.run_special(g, t, frame)
    if kind == codes.F_DRAW:
        return cards.draw_cards(g, t, frame)
    if kind == codes.F_POISON:
        return cards.suffer_poison(g, t, frame)
    if kind == codes.F_ROUND:
        return rounds.run_round(g, t, frame)
    if kind == codes.F_RAGE:
        return specials.run_rage(g, t, frame)
    if kind == codes.F_SKILL:
        return specials.run_skill(g, t, frame)
    if kind == codes.F_STEP:
        return specials.extra_move(g, frame)
    if kind == codes.F_STRIKE:
        return attack.strike(g, t, frame)
    if kind == codes.F_MIMIR:
        return rounds.mimir_turn(g, t)
    if kind == codes.F_INTERACT:
        return run_interaction(g, t, frame)
    if kind == codes.F_SCRY:
        return cards.look(g, frame)
    if kind == codes.F_PLACE:
        return place_heroes(g, t, frame)
    if kind == codes.F_HINDRANCE:
        return hinder_first(g, frame)
    if kind == codes.F_HEROES:
        return choose_heroes(g, frame)
    return begin_scene(g, t)  # F_SCENE


@rule
def run_scene_frame(g, t, kind, frame):
    """Frames of scene activations, enemies and what follows them. Returns whether a decision is due."""
    if kind == codes.F_CHECK:
        return scene_effects.check_end(g, t, frame)
    if kind == codes.F_BOXES:
        return resolve_boxes(g, t, frame)
    if kind == codes.F_FLIPS:
        return resolve_flips(g, t, frame)
    if kind == codes.F_CARD:
        return activate_card(g, t, frame)
    if kind == codes.F_HIT:
        return attack.hit_hero(g, t, frame)
    if kind == codes.F_ENEMY_ATTACK:
        return enemy_attacks(g, t, frame)
    if kind == codes.F_ACTIVATION:
        return activate(g, t, frame)
    if kind == codes.F_EFFECTS:
        return scene_effects.run_effects(g, t, frame)
    if kind == codes.F_DEFEATED:
        return defeated(g, frame)
    if kind == codes.F_TURN:
        return after_turning(g, t, frame)
    if kind == codes.F_SUFFER:
        return attack.suffer(g, t, frame)
    if kind == codes.F_AFFECT:
        return scene_effects.affect_next(g, t, frame)
    if kind == codes.F_EACH:
        return scene_effects.damage_next(g, t, frame)
    if kind == codes.F_CHOSEN:
        return scene_effects.choose_hero(g, t, frame)
    if kind == codes.F_UPGRADE:
        return cards.upgrade_phase(g, frame)
    return choose_next(g, t)  # F_NEXT


# ---- Answers to what a rule asks: cards for a set, blocks, windows (§5.2, §6.1), and which figure is meant -------


@rule
def answer(g, t, block, k, seat, frame):
    """One of the actions `add` to `pass`; `k` is its number in the block."""
    if block == actions.A_ADD:
        attack.add_number(g, t, seat, np.int64(t.number_plays[k]))
    elif block == actions.A_COMMIT:
        if g.attacked == codes.NONE:
            attack.close_set(frame)
        else:
            attack.finish_block(g, frame)
    elif block == actions.A_BLOCK:
        attack.start_block(g, t, seat, frame, np.int64(t.block_plays[k]))
    elif block == actions.A_DONE:
        if g.decision == BLOCK:
            attack.end_blocks(frame)
        else:
            rounds.mimir_done(g, frame)
    elif g.decision != DIE:  # pass: the next player of the window
        frame[codes.ASKED] += 1


@rule
def name_figure(g, t, figure, frame):
    """A figure was asked for."""
    if g.decision == BEARER:
        rounds.hang_on(g, figure)
    elif g.decision == SHIELD:
        attack.take_place(g, frame, figure)
    elif g.decision == POISON:
        cards.poison_figure(g, figure)
    elif g.decision == CHOSEN:
        scene_effects.hero_chosen(g, t, frame, figure)
    else:
        specials.name_target(frame, figure)


# ---- What a hero does in its activation (§5). Specials, rage and skills also come in windows ---------------------


@rule
def act(g, t, block, k, seat, frame):
    """One of the actions `move` to `end activation`; `k` is its number in the block."""
    rounds.note_action(g, frame)
    if block == actions.A_MOVE:
        figure = role_figure(g, t, seat, k // 8)
        move(g, figure, k % 8 // 2, k % 2)
        g.moved[figure] = 1
    elif block == actions.A_ATTACK:
        count = t.attack_plays.shape[0]
        figure = role_figure(g, t, seat, k // (2 * count))
        attack.start_attack(g, t, seat, figure, k // count % 2, np.int64(t.attack_plays[k % count]))
    elif block == actions.A_SPECIAL:
        count = t.special_plays.shape[0]
        figure = role_figure(g, t, seat, k // count)
        specials.play_special(g, t, np.int64(g.seat_of[figure]), figure, np.int64(t.special_plays[k % count]))
    elif block == actions.A_RAGE:
        specials.use_rage(g, role_figure(g, t, seat, k))
    elif block == actions.A_SKILL:
        specials.use_skill(g, t, k)
    elif block == actions.A_INTERACT:
        start_interaction(g, t, role_figure(g, t, seat, k // 4), k % 4 // 2, k % 2)
    elif block == actions.A_ASK:
        rounds.ask_mimir(g)
    else:
        rounds.end_turn(frame)


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
    if actions.A_MOVE <= block <= actions.A_END:
        act(g, t, block, k, seat, frame)
    elif actions.A_ADD <= block <= actions.A_PASS:
        answer(g, t, block, k, seat, frame)
    elif block == actions.A_FIGURE:
        name_figure(g, t, k, frame)
    elif block == actions.A_TAKE:
        cards.take_upgrade(g, t, seat, k)
    elif block == actions.A_REMOVE:
        cards.remove_card(g, t, seat, k)
    else:
        name_detail(g, t, block, k, frame)


@rule
def name_detail(g, t, block, k, frame):
    """A place, a scene card, a payment, a column, the order of cards, the next scene."""
    if block == actions.A_HERO:
        take_hero(g, t, frame, k)
    elif block == actions.A_PLACE:
        place_next(g, t, frame, k // 2, k % 2)
    elif block == actions.A_STEP:
        specials.take_step(g, frame, k // 2, k % 2)
    elif block == actions.A_TARGET:
        specials.name_target(frame, k)
    elif block == actions.A_PAY:
        pay(g, frame, k)
    elif block == actions.A_COLUMN:
        choose_column(frame, k)
    elif block == actions.A_CHOOSE:
        take_scenario(g, k)
    elif block == actions.A_TOP:
        cards.scry_top(g, frame, k)
    else:
        cards.scry_bottom(g, frame, k)
