"""What a hero does in its activation (§5). Specials, rage and skills also come in windows."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.actions import (
    A_ASK,
    A_ATTACK,
    A_INTERACT,
    A_MOVE,
    A_RAGE,
    A_SKILL,
    A_SPECIAL,
)
from theogony.envs.god_of_war.rules.attack import start_attack
from theogony.envs.god_of_war.rules.figures import move, role_figure
from theogony.envs.god_of_war.rules.interact import start_interaction
from theogony.envs.god_of_war.rules.rounds import ask_mimir, end_turn, note_action
from theogony.envs.god_of_war.rules.specials import play_special, use_rage, use_skill


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
