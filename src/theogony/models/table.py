"""Where models sit: a game with its options, the players of the other seats, and one deal."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from theogony.benchmark.tasks import TEAM, Count, Strict, Suite, Time, shipped
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, Views, in_kernel, make_player
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.models.ask import ModelError
from theogony.models.ladder import ANCHORS, NAME
from theogony.training.rating.arena import Store, ThinksThere
from theogony.training.rating.tournament import Plan
from theogony.wrappers.text import TextEnv

Rules = Literal["given", "renamed", "none"]
Memory = Literal["position", "conversation"]
USUAL_TRIES = 3


class Settings(Strict):
    """How a model plays.

    moves: legal moves are listed, listed with numbers, or hidden.
    rules: given, given with every word of the game's vocabulary replaced by another (`names` is the seed), or none.
    memory: of its own game a model sees the position alone, or the whole conversation.
    brief: texts are short, of a position only what has changed; it takes the memory of a conversation.
    forced: decisions with one legal move are played without asking.
    scratchpad: what it writes in <notes>...</notes> is shown to it at its next decision.
    whole_turns: a reply may hold several moves.
    learn: so many games share the lessons that the model writes after each; 1: none are asked for.
    hint: a player whose move is told with each position; "" for none.
    tries, after_tries: as in `TextEnv`.
    """

    moves: Literal["listed", "numbered", "hidden"] = "listed"
    rules: Rules = "given"
    names: Annotated[int, Field(ge=0)] = 0
    memory: Memory = "position"
    brief: bool = False
    forced: bool = False
    scratchpad: bool = False
    whole_turns: bool = False
    learn: Annotated[int, Field(ge=1, le=1000)] = 1
    hint: Annotated[str, Field(max_length=200)] = ""
    tries: Annotated[int, Field(ge=1, le=100)] = USUAL_TRIES
    after_tries: Literal["random", "forfeit"] = "random"

    @property
    def track(self) -> str:
        """The settings that make a track, in words: "listed", "hidden, renamed rules, scratchpad"."""
        parts = [self.moves, {"given": "", "renamed": "renamed rules", "none": "no rules"}[self.rules]]
        parts += [self.memory if self.memory != "position" else "", "brief" if self.brief else ""]
        parts += ["forced moves skipped" if self.forced else "", "scratchpad" if self.scratchpad else ""]
        parts += ["whole turns" if self.whole_turns else "", f"learns over {self.learn}" if self.learn > 1 else ""]
        parts += [f"hints by {self.hint}" if self.hint else ""]
        parts += [f"{self.tries} tries" if self.tries > USUAL_TRIES else ""]
        return ", ".join(part for part in parts if part)


# ---- Where a model sits: a game with its options, the players of the other seats, and one deal -------------------

PROGRESS, OUTCOME, RANK = "progress", "outcome", "rank"


@dataclass(frozen=True)
class ModelTable:
    """A game with its options, as `name` calls it: "orbis-2p"."""

    game: str
    options: dict[str, Any]

    @functools.cached_property
    def made(self) -> Game:
        """The game. Raises UnknownGame, OptionError or ComponentError."""
        return load(self.game).configure(self.options)

    @property
    def name(self) -> str:
        """The game's name and how many play."""
        return f"{self.made.spec.name}-{self.made.players}p"


def usual_table(game: str, options: dict[str, Any], teams: bool = False) -> ModelTable:
    """The table of a game: for two, and in a cooperative game for one, unless the options say otherwise.

    Raises UnknownGame, OptionError, ComponentError, and ModelError for a team of several where there are no `teams`.
    """
    table = ModelTable(game, {"players": 1 if load(game).cooperative else 2, **options})
    if table.made.spec.cooperative and table.made.players > 1 and not teams:
        raise ModelError(f"{game}: a model plays for the whole team; expected the option players=1, or --seats")
    return table


MODEL = "model:"  # before the name of a model, where a player could stand
BESIDE = " + "  # between those who sit in the other seats, when they are not all the same


@dataclass(frozen=True)
class Job:
    """What a model has to do with one game: the table, who sits in the other seats, the deal and the model's seat.
    `against` is one name for all others, or each of them in turn. `chain` and `number` say where the game stands among
    those that share lessons; of several models `model` says which."""

    table: str
    against: str
    deal: int
    seat: int
    chain: int = 0
    number: int = 0
    model: str = ""

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """What names it in files."""
        return self.model, self.table, self.against, self.deal, self.seat

    @property
    def said(self) -> dict[str, Any]:
        """What files of one model say of it."""
        return {name: getattr(self, name) for name in OfJob.model_fields}

    @property
    def file(self) -> str:
        """What its transcript is called."""
        against = "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in self.against)
        return f"{self.table}-{against}-{self.deal:04}-{self.seat}.jsonl"

    def head(self, model: str, settings: Settings, system: str) -> Head:
        """The first line of its transcript."""
        return Head(**self.said, model=model, settings=settings, system=system)


def jobs_of(table: str, seating: Sequence[str], deal: int, chain: int = 0, number: int = 0) -> tuple[Job, ...]:
    """One game by who sits where: a job for every model."""
    return tuple(
        Job(table, _others(seating, seat), deal, seat, chain, number, name.removeprefix(MODEL))
        for seat, name in enumerate(seating)
        if name.startswith(MODEL)
    )


def _others(seating: Sequence[str], seat: int) -> str:
    others = [*seating[seat + 1 :], *seating[:seat]]
    return BESIDE.join(others if len(set(others)) > 1 else others[:1]) or TEAM


def seating_of(job: Job, players: int) -> list[str]:
    """Who sits where, as `jobs_of` takes it. Raises ModelError where too few or too many do."""
    others = [] if job.against == TEAM else job.against.split(BESIDE)
    others = others * (players - 1) if len(others) == 1 else others
    seating = [MODEL + job.model, *others]
    if len(seating) != players or not job.seat < players:
        raise ModelError(f"{job.against}: expected those who have the other seats at a table for {players}")
    return seating[len(seating) - job.seat :] + seating[: len(seating) - job.seat]


def reward_of(game: Game) -> str:
    """What a game pays here: the outcome, for three and more the place; of a team how far it came, where the game
    tells."""
    if game.spec.cooperative:
        return PROGRESS if PROGRESS in game.spec.rewards else OUTCOME
    return OUTCOME if game.players == 2 else RANK


class BySeat:
    """Several players as one, who plays each seat as the one would that sits there."""

    name, needs_positions = "several players", True

    def __init__(self, players: dict[int, Player]) -> None:
        self._players = players

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """The action of the seat that decides."""
        return self._players[int(views.seats[0])].act(views, rng)


class Seats:
    """The tables of one thread. Players are made once, and no other thread asks them. `alone`: each text is read
    without those before it, as it is where a model sees the position alone. `there`: those that search do so on the
    Ray cluster to which this process is connected."""

    def __init__(
        self, tables: dict[str, ModelTable], settings: Settings, alone: bool = False, there: bool = False
    ) -> None:
        self.tables, self.settings, self.there = tables, settings, there
        self._alone = alone or settings.memory == "position"
        self._players: dict[tuple[str, str], Player] = {}

    def sit(self, jobs: Sequence[Job]) -> TextEnv:
        """A game in words for all models of a game, before its deal. Raises PlayerError or OptionError."""
        job, settings = jobs[0], self.settings
        table = self.tables[job.table]
        game = table.made
        return TextEnv(
            table.game,
            seat=job.seat if len(jobs) == 1 else tuple(one.seat for one in jobs),
            opponents=self._opponents(job, game),
            moves=settings.moves,
            whole_turns=settings.whole_turns,
            tries=settings.tries,
            after_tries=settings.after_tries,
            marked=True,
            rules=settings.rules != "none",
            reward=reward_of(game),
            repeat=self._alone,
            **{name: True for name in ("brief", "forced") if getattr(settings, name)},
            **table.options,
        )

    def _opponents(self, job: Job, game: Game) -> Player | str:
        seated = {seat: name for seat, name in enumerate(seating_of(job, game.players)) if not name.startswith(MODEL)}
        names = set(seated.values())
        if len(names) < 2:
            return self.player(names.pop(), job.table, game) if names else "random"
        return BySeat({seat: self.player(name, job.table, game) for seat, name in seated.items()})

    def player(self, name: str, table: str, game: Game) -> Player:
        """A player by name, made for a table."""
        if (name, table) not in self._players:
            made = make_player(name, game)
            searches = getattr(made, "needs_positions", False) and in_kernel(made) is None
            self._players[name, table] = ThinksThere(name, game) if self.there and searches else made
        return self._players[name, table]

    def hint(self, env: TextEnv, job: Job, decision: int) -> str:
        """The move that the player of the hints would make; it sees what the seat does."""
        return env.words(self.choice(self.settings.hint, env, job, decision, deal_seed(job.deal)))

    def choice(self, name: str, env: TextEnv, job: Job, decision: int, seed: int) -> int:
        """The action that a player would choose in the place of the reader."""
        rng = player_rng([seed, job.deal, job.seat, decision])
        return int(self.player(name, job.table, env.game).act(Views.at(env.position), rng)[0])


# ---- Who sits with whom: the tables of a game or a suite, line-ups of models and players, and the games they play ---

Jobs = tuple[Job, ...]  # a job for each model that sits there
Chain = list[Jobs]  # played one after the other
TEAMMATES = "+"  # between those who sit together in a cooperative game
OWN_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,40}")  # of a model among several


def tables_of(name: str, options: dict[str, Any], teams: bool = False) -> list[ModelTable]:
    """The table of a game, or of every game of a suite. Raises ModelError for options of a suite."""
    if name not in shipped().suites:
        return [usual_table(name, options, teams)]
    if options:
        raise ModelError(f"{name}: is a suite, whose tasks have their options; expected no others")
    return [usual_table(game, {}) for game in dict.fromkeys(task.game for task in Suite.named(name).tasks)]


def opponents_of(table: ModelTable, against: str) -> list[str]:
    """Return who sits in the other seats, in turn: the anchors of the ladder, or players by name; of a team nobody.

    Raises ModelError, PlayerError or CheckpointError.
    """
    game = table.made
    if game.spec.cooperative:
        return [TEAM]
    named = ANCHORS if against == NAME else (part.strip() for part in against.split(",") if part)
    if not (names := list(dict.fromkeys(named))):
        raise ModelError(f"--against: nobody is named; expected {NAME} or players such as greedy,reference")
    for name in names:
        check_player(name, game)
    return names


def check_player(name: str, game: Game) -> None:
    """Raise ModelError, PlayerError or CheckpointError for one that cannot sit at a table of models."""
    from theogony.benchmark.verify import thinks_by_time

    make_player(name, game)
    if thinks_by_time(name):
        raise ModelError(f"{name}: thinks by time, and such games do not repeat; expected a number of simulations")


def chains_of(table: ModelTable, lineups: Sequence[Sequence[str]], games: int, length: int) -> list[Chain]:
    """At least `games` games of each line-up, every deal in every rotation of its seats, in chains of such a length.

    The games of a chain are of different deals, and the seats take turns: nobody learns a deal by heart. Chains are
    counted for each line-up from 0 on, so that a run that goes on with more games, or with others too, finds what was
    played.
    """
    found: list[Chain] = []
    for lineup in lineups:
        turned = (tuple(lineup[len(lineup) - k :]) + tuple(lineup[: len(lineup) - k]) for k in range(len(lineup)))
        seatings = list(dict.fromkeys(turned))
        count = len(seatings)
        deals = math.ceil(math.ceil(games / count) / length) * length
        for chain in range(deals // length * count):
            begin, first = chain // count * length, chain % count
            places = [(seatings[(first + number) % count], begin + number, number) for number in range(length)]
            found.append([jobs_of(table.name, seating, deal, chain, number) for seating, deal, number in places])
    return found


# ---- Several models: `--seats model:a,model:b,reference` ---------------------------------------------------------


def seats_named(text: str, models: Collection[str]) -> list[str]:
    """Who is to meet, by the names in a list; `ladder` stands for its anchors. Raises ModelError."""
    found: list[str] = []
    for name in (part.strip() for part in text.split(",")):
        found += ANCHORS if name == NAME else [name] if name else []
    found = list(dict.fromkeys(found))
    mates = [mate for name in found for mate in name.split(TEAMMATES)]
    named = {mate.removeprefix(MODEL) for mate in mates if mate.startswith(MODEL)}
    if len(found) < 2:
        raise ModelError(f"--seats: {text or 'nobody'}: expected two names or more: {MODEL}a,{MODEL}b,reference")
    if not named:
        raise ModelError(f"--seats: {text}: names no model; expected {MODEL}{next(iter(models), 'a')} among them")
    if unknown := next((name for name in named if name not in models), None):
        raise ModelError(f"--seats: {MODEL}{unknown}: expected one that --model NAME=... names: {', '.join(models)}")
    if idle := next((name for name in models if name not in named), None):
        raise ModelError(f"--model: {idle}: has no seat; expected {MODEL}{idle} in --seats")
    return found


def lineups_of(table: ModelTable, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Who sits together: as in a tournament, but for those line-ups in which there is no model.

    In a cooperative game each name is a team, of one or of `a+b`. Raises ModelError, PlayerError or CheckpointError.
    """
    game = table.made
    if game.spec.cooperative:
        found = []
        for name in names:  # a team of heroes, all alike or each another
            mates = name.split(TEAMMATES)
            if len(mates) not in (1, game.players):
                raise ModelError(f"--seats: {name}: is a team of {len(mates)}; expected one name, or {game.players}")
            found.append(tuple(mates * game.players if len(mates) == 1 else mates))
    elif together := next((name for name in names if TEAMMATES in name or BESIDE in name), None):
        raise ModelError(f"--seats: {together}: {game.spec.name} has no teams; expected one name")
    else:
        found = Plan(game, tuple(names), 0).lineups()
    for name in dict.fromkeys(name for lineup in found for name in lineup if not name.startswith(MODEL)):
        check_player(name, game)
    return [lineup for lineup in found if any(name.startswith(MODEL) for name in lineup)]


# ---- Transcripts: a file of JSON lines for each game, written while it is played ---------------------------------
#
# The first line says which game it is and holds what stood at the head of every request, then comes a line for every
# reply, then how it ended. Games follow from their deal and the replies alone, so one that was stopped is played up to
# its last reply and goes on there; `benchmark verify` plays a whole one.

FORMAT: Literal["theogony-transcript-1"] = "theogony-transcript-1"
LARGEST = 1 << 28  # bytes of a transcript


class OfJob(Strict):
    """Which `Job` it is of, field by field."""

    table: str
    against: str
    deal: Count
    seat: Count
    chain: Count
    number: Count


class Head(OfJob):
    """Which game it is. `model` is its name; no key stands anywhere."""

    format: Literal["theogony-transcript-1"] = FORMAT
    model: str
    settings: Settings
    system: str


class Turn(Strict):
    """One request and its reply: what was sent last, what came, and the moves that the seat made by it.

    `first`: it is the first reply at this decision; `legal`: it named a legal move. A `lesson` asks for no move.
    `thinking` is what was thought before the reply, which took `thought` tokens; `finish` is why the reply ended.
    `shortened`: the conversation had become too long, so it began anew with this position.
    """

    sent: str
    reply: str
    played: list[str] = []
    first: bool = True
    legal: bool = False
    lesson: bool = False
    thinking: str = ""
    thought: Count = 0
    finish: str = ""
    shortened: bool = False
    read: Count
    written: Count
    counted: bool
    cost: Time
    seconds: Time


class End(Strict):
    """How a game ended for the model's seat; `places` are those of all seats, from 1 on."""

    result: Annotated[str, Field(pattern="^[WDL]$")]
    reward: float
    score: float | None
    decisions: Count
    invalid: Count
    random_moves: Count
    forfeited: bool
    places: list[Annotated[int, Field(ge=1, le=100)]]


Line = Head | Turn | End


class Transcript:
    """The file of one game; with `mend` a last line that a kill cut off is removed.

    Raises ModelError when it is another game's, or damaged.
    """

    def __init__(self, path: Path, mend: bool = True) -> None:
        self.path, self._mend, self._store = path, mend, Store(path, ModelError, LARGEST)
        self.head: Head | None = None
        self.turns: list[Turn] = []
        self.end: End | None = None
        if path.exists():
            self._read()

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(read_bytes(self.path, str(self.path), ModelError, LARGEST)).hexdigest()

    @property
    def lesson(self) -> str:
        """What the model wrote after its game, "" for nothing."""
        return next((turn.reply for turn in reversed(self.turns) if turn.lesson), "")[:4000]

    def begin(self, head: Head) -> None:
        """The first line, or a comparison with the one that is there."""
        if self.head is None:
            self.head = head
            self._store.begin(_bytes(head))
        elif self.head != head:
            there, here = self.head.model_dump(), head.model_dump()
            what = next(name for name in here if here[name] != there[name])
            which = f" {self.head.model!r:.200}" if what == "model" else ""
            raise ModelError(f"{self.path}: is of another {what}{which}; name another file of results with --out")

    def add(self, line: Turn | End) -> None:
        """One more line, written at once."""
        if isinstance(line, Turn):
            self.turns.append(line)
        else:
            self.end = line
        self._store.add(_bytes(line))

    def _read(self) -> None:
        lines = self._store.read(self._mend)
        for what, first in itertools.islice(lines, 1):
            self.head = checked(Head, first, what, ModelError)
        for what, line in lines:
            if self.end is not None:
                raise ModelError(f"{what}: the game was over before")
            if line.startswith(b'{"result"'):
                self.end = checked(End, line, what, ModelError)
            else:
                self.turns.append(checked(Turn, line, what, ModelError))


def _bytes(line: Line) -> bytes:
    return json.dumps(line.model_dump(), ensure_ascii=False).encode("utf-8", "replace")
