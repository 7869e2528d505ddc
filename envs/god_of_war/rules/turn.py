"""`apply`: one decision is carried out, then the agenda runs on to the next decision or the end."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war.actions import (
    A_ADD,
    A_CHOOSE,
    A_COLUMN,
    A_END,
    A_FIGURE,
    A_HERO,
    A_MOVE,
    A_PASS,
    A_PAY,
    A_PLACE,
    A_REMOVE,
    A_STEP,
    A_TAKE,
    A_TARGET,
    A_TOP,
)
from theogony.envs.god_of_war.rules.agenda import stop
from theogony.envs.god_of_war.rules.answers import answer, name_figure
from theogony.envs.god_of_war.rules.enemy_attack import choose_column
from theogony.envs.god_of_war.rules.hero_effects import take_step
from theogony.envs.god_of_war.rules.hero_turn import act
from theogony.envs.god_of_war.rules.interact import pay
from theogony.envs.god_of_war.rules.run import run
from theogony.envs.god_of_war.rules.scenes import place_next, take_scenario
from theogony.envs.god_of_war.rules.scry import scry_bottom, scry_top
from theogony.envs.god_of_war.rules.setup import take_hero
from theogony.envs.god_of_war.rules.specials import name_target
from theogony.envs.god_of_war.rules.upgrades import remove_card, take_upgrade
from theogony.envs.god_of_war.state import LOOP, STEPS


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
