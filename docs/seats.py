"""The table of what a seat is worth, for the pages of the games: from the benchmark's games between equals."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from theogony.benchmark.results.file import read_results
from theogony.envs.core.game import GameSpec

RESULTS = Path(__file__).parents[1] / "leaderboard/results"
PLAYERS = ("greedy", "reference")
# The first that has a version of a task; their tasks are of 1,000 deals.
FILES = ("standard-0.json.gz", "full-1-0.json.gz", "standard-1-0.json.gz")
NORMAL = 1.96


class Seats(NamedTuple):
    """How often each seat won alone, of so many games, where all seats play alike."""

    task: str
    game: str
    player: str
    won: tuple[float, ...]
    games: int


@functools.cache
def measured() -> tuple[Seats, ...]:
    """All games of a player against itself, by task, its newest version."""
    found: dict[tuple[str, str], Seats] = {}
    for one in (one for player in PLAYERS for file in FILES for one in _of(player, RESULTS / player / file)):
        found.setdefault((one.task.rpartition("-v")[0], one.player), one)
    return tuple(found.values())


def _of(player: str, file: Path) -> Iterator[Seats]:
    if not file.exists():
        return
    results = read_results(file)
    for task in results.tasks:
        series = [one for one in results.games if (one.task, one.against) == (task.id, player)]
        if len(series) > 1:
            won = tuple(one.results.count("W") / len(one.results) for one in series)
            yield Seats(task.id, task.game, player, won, len(series[0].results))


def seats(spec: GameSpec) -> str:
    """What a seat is worth: how often it wins alone where all play alike, with the 95 % interval of each figure."""
    mine = [one for one in measured() if one.game == spec.name]
    most = max(len(one.won) for one in mine)
    heads = ["task", "all seats are", *(f"seat {seat}" for seat in range(most)), "games each"]
    rows = [[f"`{one.task}`", one.player, *_cells(one, most), f"{one.games:,}"] for one in mine]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *rows))


def _cells(one: Seats, most: int) -> list[str]:
    cells = [f"{share:.0%} ± {NORMAL * math.sqrt(share * (1 - share) / one.games):.0%}" for share in one.won]
    return cells + [""] * (most - len(cells))
