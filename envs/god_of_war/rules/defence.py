"""A hero is attacked: Mimir or bearer, block sets, the window, damage (§6.1)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import MIMIR, NONE
from theogony.envs.god_of_war.frames import (
    ASKED,
    F_SUFFER,
    HIT_BEGINS,
    HIT_BLOCKS,
    HIT_HELPED,
    HIT_SET,
    STAGE,
    SUFFER_DAMAGE,
    SUFFER_DECIDED,
    SUFFER_FIGURE,
)
from theogony.envs.god_of_war.rules.agenda import ask, pop
from theogony.envs.god_of_war.rules.cards import add_status, discard_in_play, play_card
from theogony.envs.god_of_war.rules.figures import gain_rage, hurt_figure, may_change_places
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.rules.sets import number_in_hand, set_possible
from theogony.envs.god_of_war.rules.usable import ask_window, left_to_block
from theogony.envs.god_of_war.state import BLOCK, BLOCK_WINDOW, SET, SHIELD


@rule
def hit_hero(g, t, frame):
    """One hero is attacked: Mimir or bearer, block sets, window, damage (§6.1; ruling R48) (F_HIT)."""
    seat = np.int64(g.seat_of[g.attacked])
    if frame[STAGE] == HIT_BEGINS:
        frame[STAGE] = HIT_BLOCKS
        if left_to_block(g) and may_change_places(g, g.attacked):
            return ask(g, g.seat_of[MIMIR], SHIELD)
    if frame[STAGE] == HIT_SET:
        if g.set_strength == 0 or number_in_hand(g, t, seat, False):
            return ask(g, seat, SET)
        finish_block(g, frame)
    if frame[STAGE] == HIT_BLOCKS:
        if left_to_block(g) and can_block(g, t, seat):
            return ask(g, seat, BLOCK)
        frame[STAGE] = HIT_HELPED
    if hit_stands(g):
        if ask_window(g, t, seat, frame, BLOCK_WINDOW):
            return True
        if g.drew and left_to_block(g):  # new cards may hold new blocks (ruling R48)
            g.drew = 0
            frame[STAGE] = HIT_BLOCKS
            frame[ASKED] = 0
            return False
    finish_hit(g, t, seat)
    pop(g)
    check_again(g, NONE)
    return False


@rule
def hit_stands(g):
    """Whether the enemy that strikes and the attacked hero are still there; else the window ends (ruling R72)."""
    return g.enemy_owner != NONE and g.standing[g.attacked] != 0


@rule
def can_block(g, t, seat):
    """Whether a player can play a block set."""
    for k in range(t.block_plays.shape[0]):
        if set_possible(g, t, seat, np.int64(t.block_plays[k]), False):
            return True
    return False


@rule
def start_block(g, t, seat, frame, play):
    """Open a block set."""
    play_card(g, seat, t.play_design[play])
    g.set_play = play
    g.set_strength = t.play_number[play]
    gain_rage(g, t, g.attacked, t.play_rage[play])
    frame[STAGE] = HIT_SET


@rule
def finish_block(g, frame):
    """A block set is complete: it blocks its sum (ruling R7)."""
    g.blocked += g.set_strength
    g.block_sets += 1
    g.set_play = NONE
    g.set_strength = 0
    frame[STAGE] = HIT_BLOCKS


@rule
def finish_hit(g, t, seat):
    """What was not blocked hurts; a status card follows damage that was suffered (rulings R24, R25, R59, R72)."""
    damage = np.int64(g.enemy_strength) - np.int64(g.blocked)
    victim = np.int64(g.victim)
    if damage > 0 and g.enemy_owner != NONE and g.standing[victim]:
        if hurt_figure(g, t, victim, damage) and g.enemy_status != NONE:
            add_status(g, t, np.int64(g.seat_of[victim]), g.enemy_status)
    discard_in_play(g, seat)
    g.attacked = NONE
    g.victim = NONE
    g.blocked = 0
    g.block_sets = 0
    g.drew = 0


@rule
def suffer(g, t, frame):
    """Damage by a boxed effect or a poison card, which Mimir and his bearer may share out (ruling R44) (F_SUFFER)."""
    figure = np.int64(frame[SUFFER_FIGURE])
    if frame[SUFFER_DECIDED] == 0:
        frame[SUFFER_DECIDED] = 1
        if may_change_places(g, figure):
            return ask(g, g.seat_of[MIMIR], SHIELD)
    damage = np.int64(frame[SUFFER_DAMAGE])
    pop(g)
    if g.standing[figure]:
        hurt_figure(g, t, figure, damage)
    return False


@rule
def end_blocks(frame):
    """No more blocks: now the window."""
    frame[STAGE] = HIT_HELPED


@rule
def take_place(g, frame, figure):
    """The figure that was chosen suffers: Mimir or its bearer (§6.1)."""
    if frame[0] == F_SUFFER:
        frame[SUFFER_FIGURE] = figure
    else:
        g.victim = figure
