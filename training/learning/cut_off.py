"""What a game that a limit ended counts in training: the key `cut_off` of a training file.

A limit on rounds or decisions is not always a part of the task. Where it is none, the game would go on, and is worth
what the learner expects of its last position (Pardo et al. 2018, "Time limits in reinforcement learning"). Where it is
one, as for a team, whose evaluations count such a game as lost, that estimate only confirms itself: an agent which
holds out for ever never learns that it has not won.
"""

from __future__ import annotations

import math

from theogony.envs.core.game import Game
from theogony.training.config.sections import CutOff


def worth_of_cut_off(cut_off: CutOff, game: Game, reward: str) -> float:
    """What is learnt of such a game in place of a final reward; NaN: what the learner expects of its last position."""
    if cut_off == "goes_on":
        return math.nan
    return -1.0 if game.spec.cooperative and reward == "outcome" else 0.0
