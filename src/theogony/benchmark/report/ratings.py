"""One rating for each competitive task: Elo points above greedy play, from the games against the task's opponents.

The opponents are rungs of known strength (Bradley-Terry): they are rated by the games among themselves alone, which are
in the entries that play as they do. No submission moves them: where several say they are one player, the one counts
that was played anew and is called so. An entry has one unknown strength against them. A
drawn game is half a win; at a larger table the share of the others that one comes before is the share of a game won. As
in tournaments, every pair begins with one imagined game, drawn, so strengths stay finite.
Intervals are 95 %: deals are drawn anew, for the rungs as well, and seeds where there are several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from theogony.benchmark import score as statistics
from theogony.benchmark.agents import PREFIX
from theogony.benchmark.report.entries import Entry
from theogony.benchmark.report.markdown import cell, table
from theogony.benchmark.results import PlayedTask, Results
from theogony.benchmark.score import means_of
from theogony.benchmark.tasks import TEAM
from theogony.training.rating.elo import ELO, LEAST, PSEUDO_COUNT

ZERO = "greedy"  # whose rating is 0: random play hardly ever wins, so how far it is below is known badly
SEED, SAMPLES, ROUNDS = 34, 1000, 60  # of the bootstrap; of Newton's method at most
TRUST = ("replayed", "checked", "-")  # what `verify` has found of an entry, the best first
FEWEST = 3  # opponents without whom there is no ladder


class Rating(NamedTuple):
    """Elo points above greedy play with the 95 % interval."""

    agent: str
    task: str
    points: float
    low: float
    high: float


class _Rungs(NamedTuple):
    """Strengths of the opponents, float64 (1 + samples, rungs): as measured, then on deals drawn anew."""

    names: list[str]
    strengths: np.ndarray
    deals: np.ndarray  # how often each deal counts, float64 (1 + samples, deals)


def ratings_of(entries: Sequence[Entry]) -> list[Rating]:
    """Of all entries of a suite, and of opponents that are no entry, in every competitive task that has a ladder."""
    tasks = {task.id: task for entry in entries for task in entry.runs[0].tasks}
    return [rating for task in tasks.values() if _has_ladder(task) for rating in _of_task(task, entries)]


def _has_ladder(task: PlayedTask) -> bool:
    return TEAM not in task.opponents and ZERO in task.opponents and len(task.opponents) >= FEWEST


def _of_task(task: PlayedTask, entries: Sequence[Entry]) -> Iterator[Rating]:
    mine = [entry for entry in entries if any(one.id == task.id for one in entry.runs[0].tasks)]
    names = list(task.opponents)
    own = _own(entry for entry in mine if entry.runs[0].agent.track is None)
    rungs = _rungs(task, names, {name: own[name].runs[0] for name in names if name in own})
    zero = rungs.strengths[:, names.index(ZERO)]
    said = {own[name].name for name in names if name in own}
    for k, name in enumerate(names):
        yield _rating(own[name].name if name in own else name, task, rungs.strengths[:, k] - zero)
    for entry in mine:
        if entry.name not in said:
            yield _rating(entry.name, task, _strength(task, entry.runs, rungs) - zero)


def _own(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The entry that each player is measured by. Of several that say they are one player, the one whose games were
    played anew counts, then the one that is called as the player is, so that nobody takes a rung's place."""
    found: dict[str, Entry] = {}
    for entry in sorted(
        entries, key=lambda entry: (TRUST.index(entry.verified.split(" ")[0]), not _is_namesake(entry))
    ):
        found.setdefault(entry.runs[0].agent.player, entry)
    return found


def _is_namesake(entry: Entry) -> bool:
    return entry.name == entry.runs[0].agent.player.replace(":", "-")


def _rating(agent: str, task: PlayedTask, strengths: np.ndarray) -> Rating:
    points, again = ELO * strengths[0], ELO * strengths[1:]
    low, high = statistics.interval(again, task.deals)
    return Rating(agent, task.id, float(points), float(min(low, points)), float(max(high, points)))


def ratings_table(ratings: Sequence[Rating]) -> Iterator[str]:
    """A row for each agent, the best first by its mean, a column for each task."""
    tasks = list(dict.fromkeys(one.task for one in ratings))
    agents: dict[str, dict[str, Rating]] = {}
    for one in ratings:
        held = one.agent.startswith(PREFIX)  # another one at each table
        agents.setdefault("held back" if held else one.agent, {})[one.task] = one
    order = sorted(agents, key=lambda agent: (-len(agents[agent]), -_mean(agents[agent]), agent))
    rows = ([cell(agent), *(_points(agents[agent].get(task)) for task in tasks)] for agent in order)
    yield from table(["agent", *map(cell, tasks)], rows)


def _mean(found: dict[str, Rating]) -> float:
    return float(np.mean([one.points for one in found.values()]))


def _points(one: Rating | None) -> str:
    return "-" if one is None else f"{one.points + 0.0:+.0f} ({one.low:+.0f} to {one.high:+.0f})"


# ---------------------------------------------------------------------------------------------------- strengths


def _won(task: PlayedTask, run: Results) -> np.ndarray:
    """The share won of the games of each deal against each opponent, one in every seat: float64 (deals, opponents).

    Rewards of competitive tasks are from -1 for the last to 1 for the first.
    """
    return (1 + means_of(task, run.games)) / 2


def _seats(task: PlayedTask, run: Results) -> int:
    return len({one.seat for one in run.games if one.task == task.id})


def _rungs(task: PlayedTask, names: list[str], runs: dict[str, Results]) -> _Rungs:
    """The opponents, rated by what those of them won that are entries too."""
    rng, count = np.random.default_rng(SEED), len(names)
    deals = np.ones((1 + SAMPLES, task.deals))
    deals[1:] = rng.multinomial(task.deals, np.full(task.deals, 1 / task.deals), size=SAMPLES)
    wins = np.full((1 + SAMPLES, count, count), PSEUDO_COUNT)
    wins[1:] = np.maximum(rng.gamma(PSEUDO_COUNT, size=(SAMPLES, count, count)), LEAST)
    for name, run in runs.items():
        i, won, games = names.index(name), _seats(task, run) * deals @ _won(task, run), _seats(task, run) * task.deals
        wins[:, i] += won
        wins[:, :, i] += games - won
    wins[:, range(count), range(count)] = 0.0
    return _Rungs(names, fitted(wins), deals)


def fitted(wins: np.ndarray) -> np.ndarray:
    """The likeliest strengths, float64 (samples, players), mean 0, of games won by the row against the column."""
    samples, count, _ = wins.shape
    met, strength = wins + wins.transpose(0, 2, 1), np.zeros((samples, count))
    for _ in range(ROUNDS):
        chance = _chance(strength[:, :, None] - strength[:, None, :])
        slope = met * chance * (1 - chance)
        curve = slope.sum(2)[:, :, None] * np.eye(count) - slope + 1.0 / count
        step = np.linalg.solve(curve, (wins - met * chance).sum(2)[:, :, None])[:, :, 0]
        strength += _held(step)
        if np.abs(step).max() < 1e-6:
            break
    return strength - strength.mean(1, keepdims=True)


def _strength(task: PlayedTask, runs: Sequence[Results], rungs: _Rungs) -> np.ndarray:
    """One strength against the rungs, float64 (1 + samples,)."""
    rng, count = np.random.default_rng(SEED + 1), len(runs)
    seats = _seats(task, runs[0])
    won = seats * np.stack([rungs.deals @ _won(task, run) for run in runs])  # (runs, 1 + samples, rungs)
    chosen = rng.multinomial(count, np.full(count, 1 / count), size=1 + SAMPLES).astype(float)
    chosen[0] = 1.0
    wins, games = np.einsum("sr,rso->so", chosen, won), float(count * seats * task.deals)
    imagined = np.full((2, *wins.shape), PSEUDO_COUNT)
    imagined[:, 1:] = np.maximum(rng.gamma(PSEUDO_COUNT, size=imagined[:, 1:].shape), LEAST)
    wins, met, strength = wins + imagined[0], games + imagined.sum(0), np.zeros(len(wins))
    for _ in range(ROUNDS):
        chance = _chance(strength[:, None] - rungs.strengths)
        step = (wins - met * chance).sum(1) / (met * chance * (1 - chance)).sum(1)
        strength += _held(step)
        if np.abs(step).max() < 1e-6:
            break
    return strength


def _held(step: np.ndarray) -> np.ndarray:
    """Newton's step, no longer than 1: far from the end it would overshoot."""
    return np.clip(step, -1.0, 1.0)


def _chance(ahead: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-ahead))
