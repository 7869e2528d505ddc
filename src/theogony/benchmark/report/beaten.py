"""How far an entry can be beaten: what exploiters won, and what its own games for two against fixed opponents show.

At each table the strongest opponent is chosen on every second deal and measured on the others, so that the choice lends
it nothing. Games of another suite count as well where the same agent played them, by its seed and its weights. A copy
of the entry wins its part of the games, half of them at a table of two: no bound is below that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from theogony.benchmark.agents import PREFIX
from theogony.benchmark.exploit.file import KNOWN, Exploited, same_table, share, shown
from theogony.benchmark.report.markdown import cell, table
from theogony.benchmark.results import WORTH, PlayedTask, Results, rounded
from theogony.benchmark.tasks import TEAM, Tasks

TWO = 2


class Bound(NamedTuple):
    """The share of games that somebody won against an entry at the table of a task, with its 95 % interval.

    `learnt`: the decisions that it learnt from, against this entry alone; None for who is the same for all entries.
    """

    task: str
    by: str
    learnt: int | None
    won: float
    low: float
    high: float
    deals: int
    players: int

    @property
    def says_more(self) -> bool:
        """Whether it says more than that a copy of the entry wins its part."""
        return self.low > 1 / self.players

    @property
    def who(self) -> str:
        """Who won, in words."""
        name = "held back" if self.by.startswith(PREFIX) else self.by
        return name if self.learnt is None else f"{name}, learnt from {self.learnt:,} decisions"


def bounds_of(
    runs: Sequence[Results], others: Iterable[Results], exploits: Iterable[Exploited], tasks: Tasks
) -> tuple[Bound, ...]:
    """What is known of an entry, table by table. `others`: all results of its submission."""
    same = [one for one in others if all(one is not run for run in runs)]
    return (*map(_of_exploit, exploits), *map(_of_games, _tables(runs, same, tasks).values()))


def worst_of(bounds: Iterable[Bound]) -> Bound | None:
    """The highest bound at a table of two, by where its interval begins: few games make no bound high."""
    return max((one for one in bounds if one.players == TWO), key=lambda one: one.low, default=None)


def bounds_table(entries: Iterable[tuple[str, Sequence[Bound]]]) -> Iterator[str]:
    """A line for every entry and table: who beat it, how often, and how often a copy of the entry would."""
    rows = (
        [cell(name), cell(shown(one.task)), cell(one.who), _won(one), f"{1 / one.players:.0%}", f"{one.deals:,}"]
        for name, bounds in entries
        for one in sorted(bounds, key=lambda one: -one.low)
    )
    yield from table(["entry", "at the table of", "beaten by", "in", "a copy wins", "deals"], rows)


def _won(one: Bound) -> str:
    return f"{one.won:.1%} ({one.low:.1%} to {one.high:.1%})"


def _of_exploit(found: Exploited) -> Bound:
    best = found.best
    learnt = None if best.player in KNOWN else found.budget
    return Bound(found.task, best.player, learnt, best.won, best.low, best.high, len(best.seats[0]), len(best.seats))


# ---------------------------------------------------------------------------------------------------- its own games


class _Games(NamedTuple):
    """What an opponent won of an entry's games in a task, float64 (runs, deals, seats)."""

    task: str
    by: str
    won: np.ndarray


def _tables(runs: Sequence[Results], others: Sequence[Results], tasks: Tasks) -> dict[str, list[_Games]]:
    """The games for two against each opponent, by table: a game with its options."""
    found: dict[str, list[_Games]] = {}
    played = {task.id: task for one in (*runs, *others) for task in one.tasks if TEAM not in task.opponents}
    for task in played.values():
        mine = [one for run in runs if (one := _run_with(task, run, others, tasks)) is not None]
        for opponent in task.opponents:
            games = _won_by(opponent, task, mine)
            if games is not None and games.won.shape[2] == TWO and task.deals > 1:
                known = tasks.task(task.id)
                found.setdefault(f"{known.game} {json.dumps(known.options, sort_keys=True)}", []).append(games)
    return found


def _run_with(task: PlayedTask, run: Results, others: Sequence[Results], tasks: Tasks) -> Results | None:
    """The run itself where it has played a task, else other results of the same agent that have."""
    if any(one.id == task.id for one in run.tasks):
        return run
    table, agent = tasks.task(task.id), run.agent
    digests = [agent.sha256.get(one.id) for one in run.tasks if same_table(tasks.task(one.id), table)]
    for other in others:
        same = (other.agent.player, other.agent.seed, other.agent.track) == (agent.player, agent.seed, agent.track)
        if same and task.id in other.agent.sha256 and other.agent.sha256[task.id] in digests:
            return other
    return None


def _won_by(opponent: str, task: PlayedTask, runs: Sequence[Results]) -> _Games | None:
    """What an opponent won of the games of a task; None where nobody played them."""
    won = []
    for run in runs:
        series = [one for one in run.games if (one.task, one.against) == (task.id, opponent)]
        letters = [one.results for one in sorted(series, key=lambda one: one.seat)]
        won.append([[1 - WORTH[letter] for letter in seat] for seat in letters])
    return _Games(task.id, opponent, np.array(won).transpose(0, 2, 1)) if won else None


def _of_games(games: Sequence[_Games]) -> Bound:
    """The strongest opponent at a table, chosen on every second deal, measured on the others."""
    best = max(games, key=lambda one: _share(one.won[:, ::2])[1])
    measured = best.won[:, 1::2]
    return Bound(best.task, best.by, None, *_share(measured), *measured.shape[1:])


def _share(won: np.ndarray) -> tuple[float, float, float]:
    """The mean of float64 (runs, deals, seats) with its 95 % interval, over deals and, if there are several, runs."""
    runs, deals, _ = won.shape
    apart = float(won.mean(axis=(1, 2)).var(ddof=1)) / runs if runs > 1 else 0.0
    mean, low, high = share(won.transpose(1, 0, 2).reshape(deals, -1), apart)
    return rounded(mean), rounded(low), rounded(high)
