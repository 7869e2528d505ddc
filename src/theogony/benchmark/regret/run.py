"""`theogony benchmark regret`: judge the games of files and folders, and write what came of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from theogony.benchmark.agents import digest_of
from theogony.benchmark.regret.figures import as_data, as_text, rows_of
from theogony.benchmark.regret.games import Played, games_of
from theogony.benchmark.regret.judge import SEARCHES, Bench, Judged, JudgedGame, Priced
from theogony.benchmark.run import Line, Partial, partial_of, tidy
from theogony.benchmark.tasks import BenchmarkError
from theogony.console import interrupt
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import read_json
from theogony.models import results as models
from theogony.training.rating.arena import Kept

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


def judged(
    asked: Asked, workers: int | None = None, cluster: str | None = None, out: Path | None = None
) -> list[JudgedGame]:
    """Judge all games, but those that the partial file beside `out` has. What comes does not depend on the processes,
    the Ray cluster, or stops.

    Raises PlayerError, CheckpointError, BenchmarkError, ModelError or RecordError, before anything is judged.
    """
    games = _chosen(asked)
    make = functools.partial(Bench, asked.by, asked.rollouts, asked.seed, asked.priced)
    bench, tables = make(), {one.table: one for one in games}
    for played in tables.values():
        bench.judge_of(played)
    kept = Kept[Judged]()
    if out is not None:
        weights = {table: digest_of(asked.by, played.game) for table, played in tables.items()}
        how = {"by": asked.by, "rollouts": asked.rollouts, "seed": asked.seed, "price": asked.priced}
        kept = Partial(out, {"format": FORMAT} | how | {"weights": weights}, Line[Judged])
    done = kept.play(make, games, "regret", workers, cluster, unit="games")
    return [one for game in done for one in game.games]


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
    about = {"format": FORMAT} | asdict(asked) | {"files": [str(path) for path in asked.files]}
    if json_file is not None:
        tidy(json_file)
        _check_former(json_file, json.loads(json.dumps(about)))
    else:
        interrupt.say("the verdicts are lost; with --json FILE they are kept")
    games = judged(asked, workers, cluster, json_file)
    if json_file is not None:
        replace_file(json_file, json.dumps(as_data(games, about), indent=1).encode() + b"\n")
        partial_of(json_file).unlink(missing_ok=True)
    if svg_file is not None:
        from theogony.benchmark.report.plots import spending_svg

        found = [models.read_results(path) for path in asked.files if models.is_results(path)]
        ratings = {
            (one.table, each.name): (one.points, one.low, one.high) for each in found for one in each.figures.ratings
        }
        replace_file(svg_file, spending_svg(rows_of(games), ratings).encode())
    return as_text(games, asked.how)


def _check_former(file: Path, about: dict[str, Any]) -> None:
    """Raise BenchmarkError where a file holds what was measured otherwise: that is not overwritten."""
    if not file.exists():
        return
    former = read_json(file, str(file), BenchmarkError)
    differs = next((key for key in about if not isinstance(former, dict) or former.get(key) != about[key]), None)
    if differs is not None:
        raise BenchmarkError(f"{file}: is there already, and {differs} differs; remove it, or name another file")
