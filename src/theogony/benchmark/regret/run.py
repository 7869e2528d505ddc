"""`theogony benchmark regret`: judge the games of files and folders, and write what came of it.

Games come out of whatever holds them: records, tournaments, results of agents and models.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from theogony.benchmark.agents import digest_of
from theogony.benchmark.regret.figures import as_data, as_text, rows_of
from theogony.benchmark.regret.judge import SEARCHES, Bench, Judged, JudgedGame, Played, Priced
from theogony.benchmark.results import read_results
from theogony.benchmark.run import Line, Partial, partial_of, tidy
from theogony.benchmark.tasks import TEAM, BenchmarkError, shipped
from theogony.benchmark.verify import replayed
from theogony.console import interrupt
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import read_json
from theogony.models import results as models
from theogony.models.table import Turn
from theogony.models.verify import played_again
from theogony.play.film import read_film
from theogony.training.config.modules import find_game
from theogony.training.rating.arena import Kept
from theogony.training.rating.tournament import PLAYERS, read_records

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
    counts, chosen = Counter[tuple[str, str]](), []
    for path in asked.files:
        for played in games_of(path, asked.players):
            keys = {seat: (played.table, agent) for seat, agent in played.agents.items()}
            left = {seat for seat, key in keys.items() if not asked.games or counts[key] < asked.games}
            counts.update({keys[seat] for seat in left})
            if left:
                chosen.append(played.of(left))
    return chosen


def run(asked: Asked, workers: int | None, cluster: str | None, json_file: Path | None, svg_file: Path | None) -> str:
    """Judge, write what is asked for. Returns the figures as text."""
    about = {"format": FORMAT} | asdict(asked) | {"files": [str(path) for path in asked.files]}
    if json_file is not None:
        tidy(json_file)
        wanted = json.loads(json.dumps(about))
        former = read_json(json_file, str(json_file), BenchmarkError) if json_file.exists() else wanted
        known = former if isinstance(former, dict) else {}
        if differs := next((key for key in wanted if known.get(key) != wanted[key]), None):
            raise BenchmarkError(
                f"{json_file}: is there already, and {differs} differs; remove it, or name another file"
            )
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


# ---- The games of files and folders


def games_of(path: Path, players: Sequence[str] = ()) -> Iterator[Played]:
    """The games of a file or folder, with those agents only that are named in `players`, or with all.

    Raises BenchmarkError, ModelError, RecordError or ValueError, naming the file and what does not fit.
    """
    found = 0
    for played in _read(path):
        mine = played.of([seat for seat, agent in played.agents.items() if not players or agent in players])
        if mine.agents and mine.actions:
            found += 1
            yield mine
    if not found:
        whose = f" of {', '.join(players)}" if players else ""
        raise BenchmarkError(f"{path}: holds no game{whose}")


def _read(path: Path) -> Iterator[Played]:
    if path.is_dir():
        return _of_tournament(path)
    if models.is_results(path):
        return _of_model(path)
    return _of_results(path) if path.name.endswith((".json", ".json.gz")) else _of_record(path)


def _of_tournament(folder: Path) -> Iterator[Played]:
    """The records of `theogony tournament` or `theogony evaluate`; everybody who sat there is judged."""
    if not (folder / PLAYERS).exists():
        raise BenchmarkError(f"{folder}: holds no {PLAYERS}; expected the --records of a tournament or an evaluation")
    records = read_records(folder)
    for path in sorted(folder.glob("*.jsonl")):
        yield from _of_record(path, records.seats(path))


def _of_record(path: Path, seats: Sequence[str] = ()) -> Iterator[Played]:
    """One record; who sat where is told by the file beside it, else agents are called by their seats."""
    film = read_film(path, lambda name: find_game(name, path))
    if film.seed is None:
        raise BenchmarkError(f"{path}: was not played from a seed, so it cannot be played again")
    yield Played(film.game, film.seed, tuple(film.actions), dict(enumerate(seats or film.names)))


def _of_results(path: Path) -> Iterator[Played]:
    """The records of a results file of `benchmark run`: those games of the agent that were kept."""
    results = read_results(path)
    for sample in results.records:
        game = shipped().task(sample.task).make_game()
        position = replayed(sample, game)
        own = range(game.players) if sample.against == TEAM else (sample.seat,)
        agents = dict.fromkeys(own, results.agent.name)
        yield Played(position.game, position.seed, tuple(position.actions), agents)


def _of_model(path: Path) -> Iterator[Played]:
    """The transcripts of a model's results, played again; random moves after replies without one count as its own."""
    results = models.read_results(path)
    for one, transcript, game, _ in played_again(path, results):
        position, seat = game.sides[0].env.position, one.seat
        own = sum(int(position.states[k].actor) == seat for k in range(position.now))
        agents, tokens = {seat: results.name}, tokens_of(transcript.turns, own)
        yield Played(position.game, position.seed, tuple(position.actions), agents, tokens, one.cost)


def tokens_of(turns: Sequence[Turn], moves: int) -> tuple[float, ...]:
    """The tokens that were written for each of so many moves of a seat.

    Refused replies count for the move that came in the end, several moves of one reply share its tokens, and moves
    before the first reply, which were not asked for, took none.
    """
    found: list[float] = []
    waiting = 0.0
    for turn in turns:
        waiting += 0 if turn.lesson else turn.written
        if turn.played:
            found += [waiting / len(turn.played)] * len(turn.played)
            waiting = 0.0
    return (*[0.0] * (moves - len(found)), *found)
