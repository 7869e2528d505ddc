"""Games whose decisions are judged, out of whatever holds them: records, tournaments, results of agents and models."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from theogony.benchmark.results import read_results
from theogony.benchmark.tasks import TEAM, BenchmarkError, shipped
from theogony.benchmark.verify import replayed
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.position import Position
from theogony.models import results as models
from theogony.models.table import Turn
from theogony.models.verify import played_again
from theogony.play.film import read_film
from theogony.training.config.modules import find_game
from theogony.training.rating.tournament import PLAYERS, read_records


@dataclass(frozen=True)
class Played:
    """A game by its seed and its actions, and the agents by seat whose decisions are judged.

    `tokens` are those that were written for each move of the agent's seat, `dollars` what all replies cost; of a game
    without them there are none.
    """

    game: Game
    seed: int
    actions: tuple[int, ...]
    agents: dict[int, str]
    tokens: tuple[float, ...] = field(default=())
    dollars: float = 0.0

    @property
    def table(self) -> str:
        """The game's name and how many play; of drawn components also which."""
        game = self.game
        drawn = f" {game.component_digest[:6]}" if game.drawn else ""
        return f"{game.spec.name}-{game.players}p{drawn}"

    @property
    def key(self) -> str:
        """A digest of all that verdicts follow from, but for the judge."""
        game = self.game
        rules = game.spec.name, game.spec.version, plain_options(game), game.component_digest
        told = *rules, self.seed, self.actions, self.agents, self.tokens, self.dollars
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def of(self, seats: Collection[int]) -> Played:
        """The same game, of which these seats are judged."""
        return replace(self, agents={seat: agent for seat, agent in self.agents.items() if seat in seats})


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
        yield _played(position, dict.fromkeys(own, results.agent.name))


def _of_model(path: Path) -> Iterator[Played]:
    """The transcripts of a model's results, played again; random moves after replies without one count as its own."""
    results = models.read_results(path)
    for one, transcript, game in played_again(path, results):
        position, seat = game.sides[0].env.position, one.seat
        own = sum(int(position.states[k].actor) == seat for k in range(position.now))
        tokens = tokens_of(transcript.turns, own)
        yield _played(position, {seat: results.name}, tokens, one.cost)


def _played(position: Position, agents: dict[int, str], tokens: tuple[float, ...] = (), dollars: float = 0.0) -> Played:
    return Played(position.game, position.seed, tuple(position.actions), agents, tokens, dollars)


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
