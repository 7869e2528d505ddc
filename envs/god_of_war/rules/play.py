"""`apply`: one decision is carried out, then the agenda runs on to the next decision or the end."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war.actions import (
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
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.frames import (
    ASKED,
    ATTACK_HELPED,
    COUNT,
    ENEMY_COLUMNS,
    F_MIMIR,
    F_RAGE,
    F_SPECIAL,
    F_SUFFER,
    HIT_HELPED,
    MIMIR_ACTED,
    PAY_FIGURE,
    RAGE_TARGET,
    SKILL_SECOND,
    SKILL_TARGET,
    SPECIAL_TARGET,
    STAGE,
    STEP_FIGURE,
    SUFFER_FIGURE,
    TURN_ENDED,
    TURN_REFUSED,
)
from theogony.envs.god_of_war.rules.agenda import pop, push, stop
from theogony.envs.god_of_war.rules.attack import start_attack
from theogony.envs.god_of_war.rules.cards import play_card, poison_figure
from theogony.envs.god_of_war.rules.defence import finish_block, start_block
from theogony.envs.god_of_war.rules.figures import enter, gain_rage, move, role_figure
from theogony.envs.god_of_war.rules.interact import pay, start_interaction
from theogony.envs.god_of_war.rules.rounds import hang_on, mimir_done
from theogony.envs.god_of_war.rules.run import run
from theogony.envs.god_of_war.rules.scene_effects import hero_chosen
from theogony.envs.god_of_war.rules.scenes import figure_to_place, take_scenario
from theogony.envs.god_of_war.rules.scry import scry_bottom, scry_top
from theogony.envs.god_of_war.rules.setup import take_hero
from theogony.envs.god_of_war.rules.specials import play_special, use_skill
from theogony.envs.god_of_war.rules.upgrades import remove_card, take_upgrade
from theogony.envs.god_of_war.state import BEARER, BLOCK, CHOSEN, DIE, LOOP, MIMIR_TURN, POISON, SHIELD, STEPS, TURN


@rule
def apply(g, t, action):
    """One decision of the acting seat, and all that follows from it."""
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


@rule
def act(g, t, block, k, seat, frame):
    """An action of a hero activation; specials, rage and skills also come in windows."""
    if g.decision == TURN:
        frame[TURN_REFUSED] = 0
    elif g.decision == MIMIR_TURN:
        frame[MIMIR_ACTED] = 1
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
    elif block == A_ASK:
        push(g, F_MIMIR)
    else:
        frame[TURN_ENDED] = 1


@rule
def answer(g, t, block, k, seat, frame):
    """Sets, blocks and windows."""
    if block == A_ADD:
        play = np.int64(t.number_plays[k])
        play_card(g, seat, t.play_design[play])
        g.set_strength += t.play_number[play]
        gain_rage(g, t, g.attacker if g.attacked == NONE else g.attacked, t.play_rage[play])
    elif block == A_COMMIT:
        if g.attacked == NONE:
            frame[STAGE] = ATTACK_HELPED
        else:
            finish_block(g, frame)
    elif block == A_BLOCK:
        start_block(g, t, seat, frame, np.int64(t.block_plays[k]))
    elif block == A_DONE:
        if g.decision == BLOCK:
            frame[STAGE] = HIT_HELPED
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
        if frame[0] == F_SUFFER:
            frame[SUFFER_FIGURE] = figure
        else:
            g.victim = figure
    elif g.decision == POISON:
        poison_figure(g, figure)
    elif g.decision == CHOSEN:
        hero_chosen(g, t, frame, figure)
    else:
        name_target(frame, figure)


@rule
def name_target(frame, target):
    """The target of a special, a rage ability or a skill."""
    if frame[0] == F_SPECIAL:
        frame[SPECIAL_TARGET] = target
    elif frame[0] == F_RAGE:
        frame[RAGE_TARGET] = target
    elif frame[SKILL_TARGET] == NONE:
        frame[SKILL_TARGET] = target
    else:
        frame[SKILL_SECOND] = target


@rule
def name_detail(g, t, block, k, frame):
    """A place, a scene card, a payment, a column, the order of cards, the next scene."""
    if block == A_HERO:
        take_hero(g, t, frame, k)
    elif block == A_PLACE:
        enter(g, figure_to_place(g, t, np.int64(frame[COUNT])), k // 2, k % 2)
        frame[COUNT] += 1
    elif block == A_STEP:
        figure = np.int64(frame[STEP_FIGURE])
        pop(g)
        move(g, figure, k // 2, k % 2)
    elif block == A_TARGET:
        name_target(frame, k)
    elif block == A_PAY:
        pay(g, np.int64(g.seat_of[frame[PAY_FIGURE]]), frame, k)
    elif block == A_COLUMN:
        frame[ENEMY_COLUMNS] = 1 << k
    elif block == A_CHOOSE:
        take_scenario(g, k)
    elif block == A_TOP:
        scry_top(g, frame, k)
    else:
        scry_bottom(g, frame, k)
