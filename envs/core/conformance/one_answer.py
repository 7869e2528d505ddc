"""Decisions with one legal action: what is asked though nothing is left to choose, by the kind of that action.

No property forbids them, as a game may ask so that the same action always names the same thing. Each kind has its
reason on the game's page.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.conformance.base import Case, Report, walk
from theogony.envs.core.record import RUNNING


def count_alone(case: Case, report: Report) -> None:
    """Count the decisions in the games of a case, and those with one legal action, into a report."""
    for seed, greed in case.plays():
        for position in walk(case.game, seed, greed):
            legal = np.flatnonzero(position.mask[0])
            report.decisions += position.over == RUNNING
            if len(legal) == 1:
                report.alone[case.game.actions.decode(int(legal[0]))[0]] += 1
