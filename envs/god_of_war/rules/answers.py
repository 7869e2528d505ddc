"""Answers to what a rule asks: cards for a set, blocks, windows (§5.2, §6.1), and which figure is meant."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.actions import A_ADD, A_BLOCK, A_COMMIT, A_DONE
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.frames import ASKED
from theogony.envs.god_of_war.rules.attack import add_number, close_set
from theogony.envs.god_of_war.rules.cards import poison_figure
from theogony.envs.god_of_war.rules.defence import end_blocks, finish_block, start_block, take_place
from theogony.envs.god_of_war.rules.rounds import hang_on, mimir_done
from theogony.envs.god_of_war.rules.scene_effects import hero_chosen
from theogony.envs.god_of_war.rules.specials import name_target
from theogony.envs.god_of_war.state import BEARER, BLOCK, CHOSEN, DIE, POISON, SHIELD


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
