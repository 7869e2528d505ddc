"""What is left of an entry where the components are others: its results in the suite `unseen`, summed up.

Tasks of that suite come in pairs, with the printed components and with packs that nobody learns with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.results import PlayedTask, Results
from theogony.benchmark.score import task_scores_again

SUITE = "unseen"
PRINTED, UNSEEN = "-printed-", "-unseen-"  # in the ids of a pair
SEED = 34  # of what is drawn for intervals over seeds


class Pair(NamedTuple):
    """The scores of one game, or their means over games, and by how much the second is more, with its 95 % interval."""

    task: str
    printed: float
    unseen: float
    change: float
    low: float
    high: float


def pairs_of(runs: Sequence[Results]) -> list[Pair]:
    """A pair for each game that was played with both kinds of components, in the order of the tasks."""
    return [_pair(name, [printed], [unseen]) for name, printed, unseen in _drawn(runs)]


def left_of(runs: Sequence[Results], members: Sequence[str]) -> Pair | None:
    """The mean over all games; None for an entry that has not played all of these tasks, or has no scores in them."""
    drawn = list(_drawn(runs))
    if len(drawn) < sum(UNSEEN in task for task in members) or not drawn:
        return None
    _, printed, unseen = zip(*drawn, strict=True)
    return _pair("", printed, unseen)


class _Scores(NamedTuple):
    """The score of a task, the mean over seeds, and as it would be with other deals and seeds: (repetitions,)."""

    mean: float
    again: np.ndarray


def _drawn(runs: Sequence[Results]) -> list[tuple[str, _Scores, _Scores]]:
    found = {task.id: task for task in runs[0].tasks}
    scored = {score.task for score in runs[0].scores}
    pairs = [(one, one.replace(UNSEEN, PRINTED)) for one in found if UNSEEN in one]
    return [
        (unseen, _scores(found[printed], runs), _scores(found[unseen], runs))
        for unseen, printed in pairs
        if {unseen, printed} <= scored
    ]


def _scores(task: PlayedTask, runs: Sequence[Results]) -> _Scores:
    mean = np.mean([one.score for run in runs for one in run.scores if one.task == task.id])
    again = task_scores_again(task, runs)
    chosen = np.random.default_rng(SEED).integers(len(runs), size=again.shape)
    return _Scores(float(mean), np.take_along_axis(again, chosen, axis=0).mean(axis=0))


def _pair(task: str, printed: Sequence[_Scores], unseen: Sequence[_Scores]) -> Pair:
    first, second = (float(np.mean([one.mean for one in some])) for some in (printed, unseen))
    again = np.mean([one.again for one in unseen], axis=0) - np.mean([one.again for one in printed], axis=0)
    return Pair(task, first, second, second - first, *statistics.interval(again))
