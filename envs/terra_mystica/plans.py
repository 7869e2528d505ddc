"""A plan of one's own round: others let their turns go by, and it ends with the own pass; in the last with the game."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.contract import PASSED_OVER, PLAN_ENDS
from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.actions import PASS
from theogony.envs.terra_mystica.components import ROUNDS
from theogony.envs.terra_mystica.rules.rounds import begin_turn
from theogony.envs.terra_mystica.state import CARD, DRAFT, MAIN, SETTLE


@rule
def plan_stage(g, t, seat):
    """The round, and whether the seat has passed; what follows the last pass is the end of the game."""
    if g.round_number == ROUNDS:
        return 2 * ROUNDS
    return 2 * np.int64(g.round_number) + np.int64(g.passed[seat])


@rule
def pass_over(g, t, seat, mask):
    """Others let their turns go by, and answer what they are asked by the first action: they take power, say.

    While the board is laid out nobody is passed over. In the last round all pass behind the seat, so that the
    final scoring is seen.
    """
    if g.decision == DRAFT or g.decision == SETTLE or g.decision == CARD:
        return PLAN_ENDS
    if g.decision != MAIN:
        answer = 0
        while mask[answer] == 0:
            answer += 1
        return answer
    if g.passed[seat] == 0:
        g.turns_left = 1
        begin_turn(g, seat)
        return PASSED_OVER
    return np.int64(PASS) if g.round_number == ROUNDS else PLAN_ENDS
