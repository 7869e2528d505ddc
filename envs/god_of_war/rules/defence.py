"""A hero is attacked: Mimir or bearer, block sets, helpers, damage (rules 6.1)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.rules.agenda import ask, pop
from theogony.envs.god_of_war.rules.cards import add_status, discard_in_play, play_card
from theogony.envs.god_of_war.rules.figures import gain_rage, hurt_figure
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.rules.sets import number_in_hand, set_possible
from theogony.envs.god_of_war.rules.usable import window_open
from theogony.envs.god_of_war.state import BLOCK, BLOCK_WINDOW, SET, SHIELD
from theogony.envs.god_of_war.words import BLOCK_WINDOW_BIT, MIMIR, NONE


@rule
def hit_hero(g, t, frame):
    """One hero is attacked: Mimir or bearer, block sets, helpers, damage (rules 6.1) (F_HIT)."""
    seat = np.int64(g.seat_of[g.attacked])
    if frame[1] == 0:
        if not all_blocked(g) and g.attacked == g.bearer and g.standing[MIMIR]:
            return ask(g, g.seat_of[MIMIR], SHIELD)
        frame[1] = 1
    if frame[1] == 4:
        if g.set_strength == 0 or number_in_hand(g, t, seat, False):
            return ask(g, seat, SET)
        finish_block(g, frame)
    if frame[1] == 1:
        if not all_blocked(g) and can_block(g, t, seat):
            return ask(g, seat, BLOCK)
        frame[1] = 2
    while frame[2] < g.players and not all_blocked(g):
        asked = (seat + np.int64(frame[2])) % g.players
        if window_open(g, t, asked, BLOCK_WINDOW_BIT):
            return ask(g, asked, BLOCK_WINDOW)
        frame[2] += 1
    damage_hero(g, t, seat)
    pop(g)
    check_again(g, NONE)
    return False


@rule
def all_blocked(g):
    """Blocking ends as soon as nothing is left to block (R48)."""
    return g.blocked >= g.enemy_strength


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
    frame[1] = 4


@rule
def finish_block(g, frame):
    """A block set is complete: it blocks its sum (R7)."""
    g.blocked += g.set_strength
    g.block_sets += 1
    g.set_play = NONE
    g.set_strength = 0
    frame[1] = 1


@rule
def damage_hero(g, t, seat):
    """What was not blocked hurts; a status card follows damage that was suffered (R24, R25, R59)."""
    damage = np.int64(g.enemy_strength) - np.int64(g.blocked)
    victim = np.int64(g.victim)
    if damage > 0 and hurt_figure(g, t, victim, damage) and g.enemy_status != NONE:
        add_status(g, t, np.int64(g.seat_of[victim]), g.enemy_status)
    discard_in_play(g, seat)
    g.attacked = NONE
    g.victim = NONE
    g.blocked = 0
    g.block_sets = 0
