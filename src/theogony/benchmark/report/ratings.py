"""One rating for each competitive task: Elo points above greedy play, from the games against the task's opponents.

The opponents are anchors (Bradley-Terry): they are rated by the games among themselves alone, which are in the entries
that play as they do. No submission moves them: where several say they are one player, the one counts that was played
anew and is called so. An entry has one unknown strength against them. A drawn game is half a win; at a larger table the
share of the others that one comes before is the share of a game won. As in tournaments, every pair begins with a
pseudo-count of one drawn game, so strengths stay finite. Intervals are 95 %: deals are drawn anew, for the anchors as
well, and seeds where there are several.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.report.entries import Entry
from theogony.benchmark.results import PlayedTask, Results
from theogony.benchmark.score import means_of
from theogony.benchmark.tasks import TEAM
from theogony.training.rating.elo import ELO, PSEUDO_COUNT, SAMPLES, fit, fit_one, pseudo_counts

ZERO = "greedy"  # whose rating is 0: random play hardly ever wins, so how far it is below is known badly
SEED = 34  # of the bootstrap
TRUST = ("replayed", "checked", "-")  # what `verify` has found of an entry, the best first
FEWEST = 3  # opponents without whom there is no ladder


class Rating(NamedTuple):
    """Elo points above greedy play with the 95 % interval."""

    agent: str
    task: str
    points: float
    low: float
    high: float


class _Anchors(NamedTuple):
    """Strengths of the opponents, float64 (1 + samples, opponents): as measured, then on deals drawn anew; and how
    often each deal counts, float64 (1 + samples, deals)."""

    strengths: np.ndarray
    deals: np.ndarray


def ratings_of(entries: Sequence[Entry]) -> list[Rating]:
    """Of all entries of a suite, and of opponents that are no entry, in every competitive task that has a ladder."""
    tasks = {task.id: task for entry in entries for task in entry.runs[0].tasks}
    ladders = [one for one in tasks.values() if ZERO in one.opponents and TEAM not in one.opponents]
    return [rating for task in ladders if len(task.opponents) >= FEWEST for rating in _of_task(task, entries)]


def _of_task(task: PlayedTask, entries: Sequence[Entry]) -> Iterator[Rating]:
    mine = [entry for entry in entries if any(one.id == task.id for one in entry.runs[0].tasks)]
    names = list(task.opponents)
    own = _own(entry for entry in mine if entry.runs[0].agent.track is None)
    anchors = _anchors(task, names, {name: own[name].runs[0] for name in names if name in own})
    zero = anchors.strengths[:, names.index(ZERO)]
    said = {own[name].name for name in names if name in own}
    for k, name in enumerate(names):
        yield _rating(own[name].name if name in own else name, task, anchors.strengths[:, k] - zero)
    for entry in mine:
        if entry.name not in said:
            yield _rating(entry.name, task, _strength(task, entry.runs, anchors) - zero)


def _own(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The entry that each player is measured by. Of several that say they are one player, the one whose games were
    played anew counts, then the one that is called as the player is, so that nobody takes an anchor's place."""

    def doubts(entry: Entry) -> tuple[int, bool]:
        namesake = entry.runs[0].agent.player.replace(":", "-")
        return TRUST.index(entry.verified.split(" ")[0]), entry.name != namesake

    return {entry.runs[0].agent.player: entry for entry in reversed(sorted(entries, key=doubts))}


def _rating(agent: str, task: PlayedTask, strengths: np.ndarray) -> Rating:
    points, again = ELO * strengths[0], ELO * strengths[1:]
    low, high = statistics.interval(again, task.deals)
    return Rating(agent, task.id, float(points), float(min(low, points)), float(max(high, points)))


def _won(task: PlayedTask, run: Results) -> np.ndarray:
    """Games won of each deal against each opponent, one in every seat: float64 (deals, opponents).

    Rewards of competitive tasks are from -1 for the last to 1 for the first.
    """
    return _seats(task, run) * (1 + means_of(task, run.games)) / 2


def _seats(task: PlayedTask, run: Results) -> int:
    return len({one.seat for one in run.games if one.task == task.id})


def _anchors(task: PlayedTask, names: list[str], runs: dict[str, Results]) -> _Anchors:
    """The opponents, rated by what those of them won that are entries too."""
    rng, count = np.random.default_rng(SEED), len(names)
    deals = np.ones((1 + SAMPLES, task.deals))
    deals[1:] = statistics.counts_again(task.deals, rng, SAMPLES)
    wins = np.full((1 + SAMPLES, count, count), PSEUDO_COUNT)
    wins[1:] = pseudo_counts(rng, (SAMPLES, count, count))
    for name, run in runs.items():
        i, won = names.index(name), deals @ _won(task, run)
        wins[:, i] += won
        wins[:, :, i] += _seats(task, run) * task.deals - won
    pairs = np.array(list(itertools.permutations(range(count), 2)))
    return _Anchors(fit(pairs, wins[:, pairs[:, 0], pairs[:, 1]], count), deals)


def _strength(task: PlayedTask, runs: Sequence[Results], anchors: _Anchors) -> np.ndarray:
    """One strength against the anchors, float64 (1 + samples,)."""
    rng, count = np.random.default_rng(SEED + 1), len(runs)
    won = np.stack([anchors.deals @ _won(task, run) for run in runs])  # (runs, 1 + samples, opponents)
    chosen = statistics.counts_again(count, rng, 1 + SAMPLES).astype(float)
    chosen[0] = 1.0
    wins, games = np.einsum("sr,rso->so", chosen, won), float(count * _seats(task, runs[0]) * task.deals)
    pseudo = np.full((2, *wins.shape), PSEUDO_COUNT)
    pseudo[:, 1:] = pseudo_counts(rng, pseudo[:, 1:].shape)
    return fit_one(anchors.strengths, wins + pseudo[0], games + pseudo.sum(0))
