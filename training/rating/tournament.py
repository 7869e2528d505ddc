"""Tournaments: the same deals for every line-up of players, everybody in every seat, all processors, stoppable.

A *line-up* is who sits at one table; where there are more seats than players, some sit twice. A *deal* is a seed: each
line-up plays it once in every rotation of its seats. What happens follows from the seed alone, not from the number of
processes or from stops (players that go by the clock excepted). In a cooperative game a player plays whole teams.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import BaseModel, Field

from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options, write_record
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.rng import mixed
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.outside import printable, read_bytes, read_json
from theogony.training.players.names import run_of
from theogony.training.rating.arena import Kept, Store, places_of, play_out, seated
from theogony.training.storage.checkpoint import POLICY, checkpoint_path
from theogony.training.storage.disk import is_used, remove_leftovers
from theogony.training.storage.header import read_header

PLAYERS = "players.json"
LARGEST = 1 << 20  # bytes of that file


class _Numbered(BaseModel, extra="forbid", strict=True):
    """What `players.json` holds."""

    tournament: dict[str, Any]
    players: list[str]


class Records(NamedTuple):
    """A folder of records, the players in the order of their numbers, and what their games have in common."""

    folder: Path
    players: tuple[str, ...]
    tournament: dict[str, Any]

    def path(self, seats: Sequence[str], deal: int, turn: int) -> Path:
        """The file of a game: its deal, the turn of its seats in that deal, and who sits where."""
        table = "-".join(str(self.players.index(name)) for name in seats)
        return self.folder / f"{deal:06}_{turn}_{table}.jsonl"

    def seats(self, path: Path) -> list[str]:
        """Who sat where, as the name of a record says. Empty for another name."""
        numbers = path.stem.rpartition("_")[2].split("-")
        known = all(number.isdecimal() and int(number) < len(self.players) for number in numbers)
        return [self.players[int(number)] for number in numbers] if known else []


def open_records(folder: Path, game: Game, seed: int, players: Sequence[str]) -> Records:
    """The folder for the records of a tournament; new players come behind those that have a number.

    Raises ValueError where it holds games of another tournament, which would be written over.
    """
    said = json.loads(json.dumps(_about(game, seed)))
    known: tuple[str, ...] = ()
    if (folder / PLAYERS).exists():
        found = read_records(folder)
        if differs := next((key for key in said if found.tournament.get(key) != said[key]), None):
            raise ValueError(f"{folder}: holds games of another tournament: {differs} differs; name another folder")
        known = found.players
    elif any(folder.glob("*.jsonl")):
        raise ValueError(f"{folder}: holds records and no {PLAYERS}; expected a new folder or a tournament's")
    numbered = (*known, *sorted(set(players) - set(known)))
    make_folder(folder)
    remove_leftovers(folder)
    replace_file(folder / PLAYERS, json.dumps({"tournament": said, "players": numbered}, indent=1).encode() + b"\n")
    return Records(folder, numbered, said)


def _about(game: Game, seed: int) -> dict[str, Any]:
    """What games must have in common to belong to one tournament."""
    name, version, components = game.spec.name, game.spec.version, game.component_digest
    return {"game": name, "version": version, "options": plain_options(game), "components": components, "seed": seed}


def read_records(folder: Path) -> Records:
    """The folder of a tournament's records. Raises ValueError for what is none."""
    path = folder / PLAYERS
    found = checked(_Numbered, read_bytes(path, str(path), ValueError, LARGEST), str(path), ValueError)
    return Records(folder, tuple(found.players), found.tournament)


# ---- Games: the same deals for every line-up, everybody in every seat ----------------------------------------------

DEALS = 3  # what a tournament's seed is mixed with


class Job(NamedTuple):
    """A line-up, and the number of a deal."""

    lineup: tuple[str, ...]
    deal: int

    @property
    def key(self) -> Job:
        """What names it: all of it."""
        return self


class Crash(BaseModel, extra="forbid", frozen=True):
    """A player that broke off a game, by an error or an action that is not legal: it lost that game."""

    player: str
    error: str


class Played(BaseModel, extra="forbid", frozen=True):
    """One game: who sat where, and the place of each seat from 1 on. A team has 1 when it won and 2 when it lost."""

    seats: list[str]
    places: list[Annotated[int, Field(ge=1, le=100)]]
    crash: Crash | None = None


class Dealt(BaseModel, extra="forbid", frozen=True):
    """All games of one line-up in one deal."""

    lineup: list[str]
    deal: Annotated[int, Field(ge=0, lt=2**31)]
    games: list[Played]

    @property
    def key(self) -> Job:
        """The job."""
        return Job(tuple(self.lineup), self.deal)


@dataclass(frozen=True)
class Plan:
    """What decides a tournament, but for how many deals are played."""

    game: Game
    players: tuple[str, ...]
    seed: int
    records: Records | None = None  # where a record of every game that ends by the rules is kept

    def __post_init__(self) -> None:
        twice = [name for name in self.players if self.players.count(name) > 1]
        if twice:
            raise ValueError(f"players: {twice[0]!r} is named twice")
        if len(self.players) < 2:
            raise ValueError(f"players: {', '.join(self.players) or 'nobody'}: a tournament needs at least two")

    def lineups(self) -> list[tuple[str, ...]]:
        """Who sits together: every player as often as the others or once more, in alphabetical order."""
        seats, players = self.game.players, sorted(self.players)
        if self.game.spec.cooperative:
            return [(player,) * seats for player in players]
        times, rest = divmod(seats, len(players))
        return [tuple(sorted(players * times + list(more))) for more in itertools.combinations(players, rest)]

    def games_a_deal(self) -> int:
        """Games that a line-up plays in one deal."""
        return 1 if self.game.spec.cooperative else self.game.players

    def deals(self, games: int) -> list[Job]:
        """Every line-up in so many deals that it plays at least `games` games, deal by deal."""
        count = math.ceil(games / self.games_a_deal())
        return [Job(lineup, deal) for deal in range(count) for lineup in self.lineups()]

    def seatings(self, lineup: Sequence[str], deal: int) -> list[list[str]]:
        """Who sits where in each game of a deal: in an order drawn for the deal, moving on by one each game."""
        order = np.random.default_rng([self.seed, deal]).permutation(self.game.players)
        seated = [lineup[int(i)] for i in order]
        return [seated[turn:] + seated[:turn] for turn in range(self.games_a_deal())]

    def check(self, dealt: Dealt) -> None:
        """Raise ValueError saying what is impossible in games that were read from a file."""
        if len(dealt.lineup) != self.game.players or dealt.lineup != sorted(dealt.lineup):
            raise ValueError(f"the line-up {', '.join(dealt.lineup)} is none of {self.game.players} in order")
        if [game.seats for game in dealt.games] != self.seatings(dealt.lineup, dealt.deal):
            raise ValueError(f"in deal {dealt.deal} the line-up sits otherwise")
        for game in dealt.games:
            if (crash := game.crash) is None:
                possible = self._possible(game.places)
            elif crash.player in game.seats:
                possible = game.places == places_after_crash(game.seats, crash.player)
            else:
                raise ValueError(f"{crash.player} crashed, but sits in another game")
            if not possible:
                raise ValueError(f"the places {game.places} are impossible")

    def _possible(self, places: list[int]) -> bool:
        """Whether a game can end so: places count who came before; a team has won or lost together."""
        if self.game.spec.cooperative:
            return places in ([1] * self.game.players, [2] * self.game.players)
        ranked = [1 + sum(other < place for other in places) for place in places]
        return len(places) == self.game.players and places == ranked


def weights_of_runs(names: Sequence[str]) -> dict[str, str]:
    """For each player that plays by a checkpoint the digest of its weights. Raises CheckpointError."""
    runs = {name: run_of(name) for name in names}
    headers = {name: read_header(checkpoint_path(Path(run))) for name, run in runs.items() if run is not None}
    return {name: header.files[POLICY][:16] for name, header in headers.items()}


# ---------------------------------------------------------------------------------------------------- one table


class TournamentTable:
    """Where line-ups play; the players are made once. Raises ValueError naming a player that there is not."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.players: dict[str, Player] = {name: make_player(name, plan.game) for name in plan.players}

    def warm_up(self, _: Sequence[Job] = ()) -> None:
        """One decision of everybody, so that their rules are compiled before several processes do it at once."""
        for player in self.players.values():
            with contextlib.suppress(Exception):  # it will crash again where that counts
                player.act(Views.at(Position(self.plan.game, 0)), np.random.default_rng(0))

    def play(self, job: Job) -> Dealt:
        """The games of a line-up in a deal."""
        lineup, deal = job
        seatings = enumerate(self.plan.seatings(lineup, deal))
        return Dealt(lineup=list(lineup), deal=deal, games=[self._play(seats, deal, turn) for turn, seats in seatings])

    def _play(self, seats: list[str], deal: int, turn: int) -> Played:
        plan, position = self.plan, Position(self.plan.game, mixed(self.plan.seed, deal, DEALS))
        rngs = [player_rng([plan.seed, deal, turn, seat]) for seat in range(len(seats))]
        players = [seated(self.players[name], rng) for name, rng in zip(seats, rngs, strict=True)]
        if broken := play_out(position, players, range(len(seats))):
            name, reason = seats[broken[0]], printable(broken[1])[:300]
            places = places_after_crash(seats, name)
            return Played(seats=seats, places=places, crash=Crash(player=name, error=reason))
        if plan.records is not None:
            write_record(position, plan.records.path(seats, deal, turn))
        return Played(seats=seats, places=places_of(position))


def places_after_crash(seats: list[str], crashed: str) -> list[int]:
    """The others share the win; of a team, all have lost."""
    return [2 if name == crashed else 1 for name in seats]


# ---- The folder: `tournament.json` and a line of `games.jsonl` for every deal --------------------------------------
#
# A tournament that was stopped goes on from there, with more games or more players if they are wanted.

FORMAT = "theogony-tournament-1"
HEADER, GAMES = "tournament.json", "games.jsonl"


class TournamentError(ValueError):
    """A folder holds no tournament, or another one; the message names the file and what was expected."""


def refuse_foreign(path: Path) -> None:
    """Raise TournamentError for a folder of somebody else, before anything is written there."""
    if not (path / HEADER).exists() and is_used(path):
        raise TournamentError(f"{path}: holds other files and no {HEADER}; expected a new folder or a tournament's")


class Folder(Kept[Dealt]):
    """The games of a tournament in a folder. Raises TournamentError when another one is there, and for a line that is
    none, is there twice, or cannot be. A last line that a kill cut off is removed."""

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__()
        header, self._games = identity(plan), Store(path / GAMES, TournamentError)
        if (path / HEADER).exists():
            _check_same(path / HEADER, header)
        remove_leftovers(path)
        replace_file(path / HEADER, json.dumps(header, indent=1).encode())
        for what, line in self._games.read() if self._games.path.exists() else ():
            dealt = checked(Dealt, line, what, TournamentError)
            try:
                plan.check(dealt)
            except ValueError as error:
                raise TournamentError(f"{what}: {error}") from None
            if dealt.key in self.done:
                raise TournamentError(f"{what}: deal {dealt.deal} of {', '.join(dealt.lineup)} is there twice")
            self.done[dealt.key] = dealt

    def keep(self, done: Dealt) -> None:
        """Write a deal down at once."""
        self._games.add(done.model_dump_json(exclude_none=True).encode())


def identity(plan: Plan) -> dict[str, Any]:
    """What must be the same for games to belong to one tournament, and what its players play by."""
    return {"format": FORMAT, **_about(plan.game, plan.seed), "weights": weights_of_runs(plan.players)}


class _TournamentHeader(BaseModel, extra="forbid", strict=True):
    """What `tournament.json` holds; `identity` makes it."""

    format: str
    game: str
    version: int
    options: dict[str, Any]
    components: str
    seed: int
    weights: dict[str, str]


def _check_same(path: Path, wanted: dict[str, Any]) -> None:
    """Raise TournamentError unless the header there is that of this tournament; takes over the weights it knows."""
    content = read_json(path, str(path), TournamentError)
    found = checked(_TournamentHeader, content, f"{path}: is no header of a tournament", TournamentError).model_dump()
    for name in wanted:
        if name != "weights" and found[name] != wanted[name]:
            raise TournamentError(
                f"{path}: {name} was {found[name]!r}, now it is {wanted[name]!r}; expected another folder"
            )
    for player, digest in found["weights"].items():
        if wanted["weights"].setdefault(player, digest) != digest:
            raise TournamentError(f"{path}: {player} has learnt since its games there; expected another folder")
