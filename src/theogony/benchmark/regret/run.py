"""`theogony benchmark regret`: judge the games of files and folders, and write what came of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from theogony.benchmark.regret.figures import as_data, as_text, rows_of
from theogony.benchmark.regret.games import Played, games_of
from theogony.benchmark.regret.judge import SEARCHES, Bench, JudgedGame, Priced
from theogony.console.progress import Progress
from theogony.envs.core.untrusted.files import replace_file
from theogony.models import results as models
from theogony.training.rating.arena import each

FORMAT = "theogony-regret-1"


@dataclass(frozen=True)
class Asked:
    """Which games are judged, and how.

    The first `games` of each agent at each table (0: all), of `players` alone where any are named; by the search `by`,
    with `rollouts` games played on from each of two moves, by value, points or odds.
    """

    files: Sequence[Path]
    by: str
    rollouts: int = 16
    seed: int = 0
    players: Sequence[str] = ()
    games: int = 0
    priced: Priced = "value"

    @property
    def how(self) -> str:
        """How it is judged, in a line."""
        return (
            f"judged by {SEARCHES} searches of {self.by}, {self.rollouts} games played on from each of two moves, "
            f"priced in {self.priced}, seed {self.seed}"
        )


def judged(asked: Asked, workers: int | None = None, cluster: str | None = None) -> list[JudgedGame]:
    """Judge all games. What comes does not depend on the processes, or the Ray cluster.

    Raises PlayerError, CheckpointError, BenchmarkError, ModelError or RecordError, before anything is judged.
    """
    games = _chosen(asked)
    make = functools.partial(Bench, asked.by, asked.rollouts, asked.seed, asked.priced)
    bench = make()
    for played in {one.table: one for one in games}.values():
        bench.judge_of(played)
    found: dict[int, list[JudgedGame]] = {}
    with Progress("regret", len(games), "games") as progress:
        for number, one in each(functools.partial(_Numbered, make), list(enumerate(games)), workers, cluster):
            found[number] = one
            progress.add()
    return [one for key in sorted(found) for one in found[key]]


class _Numbered:
    """A bench that says which game a result is of, as they come in the order in which they are done."""

    def __init__(self, make: functools.partial[Bench]) -> None:
        self._bench = make()

    def warm_up(self, jobs: Sequence[tuple[int, Played]]) -> None:
        """As the bench does."""
        self._bench.warm_up([played for _, played in jobs])

    def play(self, job: tuple[int, Played]) -> tuple[int, list[JudgedGame]]:
        """The number of a game, and what came of it."""
        return job[0], self._bench.play(job[1])


def _chosen(asked: Asked) -> list[Played]:
    """The games that are judged, of each agent as many as were asked for."""
    counts: dict[tuple[str, str], int] = {}
    chosen = []
    for path in asked.files:
        for played in games_of(path, asked.players):
            keys = {seat: (played.table, agent) for seat, agent in played.agents.items()}
            left = {seat for seat, key in keys.items() if not asked.games or counts.get(key, 0) < asked.games}
            for key in {keys[seat] for seat in left}:
                counts[key] = counts.get(key, 0) + 1
            if left:
                chosen.append(played.of(left))
    return chosen


def run(asked: Asked, workers: int | None, cluster: str | None, json_file: Path | None, svg_file: Path | None) -> str:
    """Judge, write what is asked for. Returns the figures as text."""
    games = judged(asked, workers, cluster)
    if json_file is not None:
        about = {"format": FORMAT} | asdict(asked) | {"files": [str(path) for path in asked.files]}
        replace_file(json_file, json.dumps(as_data(games, about), indent=1).encode() + b"\n")
    if svg_file is not None:
        from theogony.benchmark.report.plots import spending_svg

        replace_file(svg_file, spending_svg(rows_of(games), ratings_in(asked.files)).encode())
    return as_text(games, asked.how)


def ratings_in(files: Sequence[Path]) -> dict[tuple[str, str], tuple[float, float, float]]:
    """The ratings of language models by table and name, with their intervals."""
    found = [models.read_results(path) for path in files if path.is_file() and models.is_results(path)]
    return {(one.table, each.name): (one.points, one.low, one.high) for each in found for one in each.figures.ratings}
