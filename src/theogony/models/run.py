"""`theogony models`: models play against the ladder and each other, and a results file of each says how it did."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from theogony import __version__
from theogony.benchmark.run import machine
from theogony.console import interrupt
from theogony.console.progress import Progress
from theogony.envs.core.gamerecord import plain_options
from theogony.models import results as output
from theogony.models import table as seating
from theogony.models.ask import Budget, Closed, Model, ModelError, Opened, OverBudget, Request, to_read
from theogony.models.game import ModelGame, Recorded, Voice
from theogony.models.named import ADDRESS, Manner, model_named
from theogony.models.results import Manners, PlayedGame, PlayedTable, Results, figures_of, games_folder, played_game
from theogony.models.table import MODEL, Chain, Job, Jobs, ModelTable, Seats, Settings, Transcript, Turn
from theogony.models.verify import digest_of_others
from theogony.training.rating.arena import ClusterError, connected
from theogony.training.storage.disk import only_here, remove_leftovers

# ---- Many games of a model at once: budgets, stops, and going on where a run was stopped -------------------------

SHORT = 100_000  # characters of a reply that are kept, one more than are read


class Stopped(Exception):
    """Another game has met what stops all of them."""


@dataclass
class Asked:
    """A model: as files call it and as it was named, how it is to play, and its results file."""

    name: str
    named: str
    model: Model
    settings: Settings
    out: Path

    def path(self, job: Job) -> Path:
        """The transcript of a game."""
        return games_folder(self.out) / job.file


@dataclass
class Play:
    """Games to play, and by whom, by the names of the models.

    Once `run` has ended, `left` says how many were not played, and `stopped` in words why, "" when all were; `further`
    how the rest comes to be played.
    """

    models: dict[str, Asked]
    tables: dict[str, ModelTable]
    chains: Sequence[Chain]
    settings: Settings
    budget: Budget
    at_once: int = 4
    there: bool = False  # players that search do so on the cluster to which this process is connected
    stopped: str = field(default="", init=False)
    further: str = field(default="go on with the same command", init=False)
    left: int = field(default=0, init=False)
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _own: threading.local = field(default_factory=threading.local, init=False)

    def run(self) -> dict[str, list[PlayedGame]]:
        """Play what is not played yet. Returns the games of each model that are over, in the order of the chains.

        Raises ModelError for a transcript of another run; an endpoint that fails only stops the run.
        """
        games = [game for chain in self.chains for game in chain]
        # What was spent before counts too. All jobs of a game are looked at, though the first says that it is not over.
        there = sum([all([self._count(job) for job in game]) for game in games])
        found: dict[tuple[Any, ...], PlayedGame] = {}
        with Progress("models", len(games), "games", there) as progress, ThreadPoolExecutor(self.at_once) as pool:
            waiting = [pool.submit(self._chain, chain, found, progress) for chain in self.chains]
            try:
                for future in as_completed(waiting):
                    future.result()
            except BaseException:
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                raise
        jobs = [job for game in games for job in game if job.key in found]
        self.left = sum(any(job.key not in found for job in game) for game in games)
        return {name: [found[job.key] for job in jobs if job.model == name] for name in self.models}

    def _count(self, job: Job) -> bool:
        """Count the transcript of a job. Returns whether it is over. One without a reply has not begun: its model may
        have been named wrongly. Raises ModelError for a game of another model or other settings."""
        asked = self.models[job.model]
        transcript = Transcript(asked.path(job))
        if not transcript.turns and transcript.end is None:
            transcript.path.unlink(missing_ok=True)
        elif transcript.head is not None:
            transcript.begin(job.head(asked.name, asked.settings, transcript.head.system))
        for turn in transcript.turns:
            self.budget.spend(-1, turn.read, turn.written, turn.cost)
        return transcript.end is not None

    def _chain(self, chain: Chain, found: dict, progress: Progress) -> None:
        """Games one after the other, each with the lessons of the one before."""
        lessons: list[str] = []
        for jobs in chain:
            try:
                transcripts = self._game(jobs, lessons, progress)
            except Stopped:
                return
            except (OverBudget, ModelError, ClusterError) as problem:
                if not self._stop.is_set():
                    self.stopped = str(problem)
                    self.further += " and a larger budget" * isinstance(problem, OverBudget)
                self._stop.set()
                return
            found |= {job.key: played_game(one, job) for job, one in zip(jobs, transcripts, strict=True)}
            lessons = [one.lesson for one in transcripts]

    def _game(self, jobs: Jobs, lessons: list[str], progress: Progress) -> list[Transcript]:
        if self._stop.is_set():
            raise Stopped
        if not hasattr(self._own, "seats"):
            self._own.seats = Seats(self.tables, self.settings, there=self.there)
        models = [self.models[job.model] for job in jobs]
        paths = [asked.path(job) for asked, job in zip(models, jobs, strict=True)]
        transcripts = [Transcript(path) for path in paths]
        if all(one.end is not None for one in transcripts):  # `verify` plays it again
            return transcripts
        if any(isinstance(asked.model, Opened) for asked in models):  # what it knew of the game went with its process
            for path in paths:
                path.unlink(missing_ok=True)
            transcripts = [Transcript(path) for path in paths]
        game = ModelGame(self._own.seats, jobs, [asked.settings for asked in models], lessons)
        for side, asked, transcript in zip(game.sides, models, transcripts, strict=True):
            transcript.begin(side.job.head(asked.name, asked.settings, side.conversation.system))
        with contextlib.ExitStack() as open_ones:
            voices = []
            for asked, transcript in zip(models, transcripts, strict=True):
                model = asked.model
                if isinstance(model, Opened):  # one that begins with the game
                    model = open_ones.enter_context(contextlib.closing(model.open()))
                recorded = Recorded(transcript.turns, str(transcript.path), strict=True)
                ask = functools.partial(self._ask, asked.name, model, progress)
                voices.append(Voice(recorded, ask, transcript.add))
            ends = game.play(voices)
        for transcript, end in zip(transcripts, ends, strict=True):
            if transcript.end is None:
                transcript.add(end)
        progress.add()
        return transcripts

    def _ask(self, name: str, model: Model, progress: Progress, request: Request) -> Turn:
        """One request, within the budget. Raises Stopped, OverBudget or ModelError."""
        if self._stop.is_set():
            raise Stopped
        budget, who = self.budget, threading.get_ident()
        budget.reserve(who, to_read(request), name)
        if self._stop.is_set():  # while it waited for what others had set aside
            budget.spend(who)
            raise Stopped
        begun = time.monotonic()
        try:
            response = model.reply(request)
        except BaseException:
            budget.spend(who)
            raise
        cost = budget.price(response, name)
        budget.spend(who, response.read, response.written, cost)
        dollars = f", {budget.spent_cost:.2f} dollars" if budget.spent_cost else ""
        progress.note = f"{budget.spent_tokens:,} tokens{dollars}"
        shown = response.text[: SHORT + 1], response.thinking[:SHORT]
        text, thinking = (one.encode("utf-8", "replace").decode() for one in shown)  # as a file can hold it
        counts = {name: getattr(response, name) for name in ("thought", "finish", "read", "written", "counted")}
        sent, seconds = request.messages[-1]["content"], round(time.monotonic() - begun, 3)
        return Turn(sent=sent, reply=text, thinking=thinking, **counts, cost=round(cost, 9), seconds=seconds)


# ---- `theogony models`: games of models, and a results file of each ---------------------------------------------

DEFAULT_REPLY = 4096  # tokens set aside for a reply whose length nobody limits


@dataclass
class Measurement:
    """What is to be measured: a model by its name, on the tables of a game or a suite, against the ladder or others.

    With `seats`, several: all who sit there, models as `model:NAME` by the names in `models`; then `out` is for what is
    said of all of them, and `prices` of each replace the `price` of all.
    """

    game: str
    model: str
    out: Path
    against: str = "ladder"
    seats: Sequence[str] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    games: int = 20
    name: str = ""
    settings: Settings = field(default_factory=Settings)
    manner: Manner = field(default_factory=Manner)
    options: dict[str, Any] = field(default_factory=dict)
    max_tokens: int | None = None
    max_cost: float | None = None
    price: tuple[float, float] | None = None
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    at_once: int = 4
    cluster: str | None = None

    @property
    def shown(self) -> str:
        """What files call the model: its name hides the address."""
        return self.name or self.model

    def files(self) -> dict[str, Path]:
        """The results file of each model."""
        if not self.seats:
            return {self.shown: self.out}
        return {name: self.out.with_name(f"{self.out.stem}-{name}.json") for name in self.models}

    def budget(self) -> Budget:
        """What may be spent. Raises ModelError for a budget of dollars without prices."""
        prices = {name: price for name in self.files() if (price := self.prices.get(name, self.price)) is not None}
        if self.max_cost is not None and len(prices) < len(self.files()):
            raise ModelError("--max-cost needs to know what tokens cost: --price READ,WRITTEN, dollars a million")
        return Budget(
            tokens=math.inf if self.max_tokens is None else self.max_tokens,
            cost=math.inf if self.max_cost is None else self.max_cost,
            prices=prices,
            longest=self.manner.reply_tokens or DEFAULT_REPLY,
        )


def measure(wanted: Measurement, budget: Budget | None = None) -> tuple[Results, str]:
    """Measure one model, within what is left of a budget. Returns its results, and why games are missing, ""."""
    found, why = measure_all(wanted, budget)
    return found[wanted.shown], why


def measure_all(wanted: Measurement, budget: Budget | None = None) -> tuple[dict[str, Results], str]:
    """Play all games that the transcripts beside results files do not hold. Returns the results of each model, and why
    games are missing, "".

    Results files and pictures are written when all are played. Raises ModelError, PlayerError, OptionError and others
    before anything is played, and OSError.
    """
    for what in ("learn", "brief"):  # lessons are drawn from a whole game, changes are those of what was told before
        if int(getattr(wanted.settings, what)) > (what == "learn") and wanted.settings.memory != "conversation":
            raise ModelError(f"{what}: takes all of a game so far; expected the memory of a conversation")
    budget = budget or wanted.budget()
    models = {name: _asked(wanted, name, file) for name, file in wanted.files().items()}
    tables = {table.name: table for table in seating.tables_of(wanted.game, wanted.options, teams=bool(wanted.seats))}
    lineups = [(table, _lineups(wanted, table)) for table in tables.values()]
    chains = [one for pair in lineups for one in seating.chains_of(*pair, wanted.games, wanted.settings.learn)]
    first = chains[0][0]
    settings = [models[job.model].settings for job in first]
    ModelGame(Seats(tables, wanted.settings), first, settings)  # compiles, before there is a folder
    folders = [games_folder(asked.out) for asked in models.values()]
    interrupt.say(f"what was played is in {', '.join(map(str, folders))}; go on with the same command")
    with contextlib.ExitStack() as ended:
        if wanted.cluster is not None:
            ended.enter_context(connected(wanted.cluster))
        for folder, asked in zip(folders, models.values(), strict=True):
            ended.enter_context(only_here(folder))
            remove_leftovers(folder)
            if isinstance(asked.model, Closed):
                ended.callback(asked.model.close)
        play = Play(models, tables, chains, wanted.settings, budget, wanted.at_once, wanted.cluster is not None)
        games = play.run()
        results = {name: _results(wanted, play, asked, games[name]) for name, asked in models.items()}
    if not play.stopped:
        for name, found in results.items():
            output.write_results(found, models[name].out)
    why = f"{play.stopped}; {play.left} games are left: {play.further}" if play.stopped else ""
    return results, why


def run(wanted: Measurement) -> None:
    """The command: measure, print the table. Raises ModelError when games are left."""
    found, why = measure_all(wanted)
    if any(results.games for results in found.values()):
        print(output.told(found) if wanted.seats else output.as_text(found[wanted.shown]))
    if why:
        raise ModelError(why)
    if wanted.seats:
        output.write_standings(found, wanted.out)
    print(f"{wanted.out}: written", flush=True)


def _asked(wanted: Measurement, name: str, file: Path) -> Asked:
    """A model that is ready to be asked. Raises ModelError."""
    named, called = (wanted.models[name], name) if wanted.seats else (wanted.model, wanted.name)
    model, settings = model_named(named, replace(wanted.manner, called=called)), wanted.settings
    if isinstance(model, Opened):  # a program that fails has lost: it is no matter of form
        settings = settings.model_copy(update={"tries": 1, "after_tries": "forfeit"})
    shown = (ADDRESS.match(named) and named.partition("#")[2]) or named
    return Asked(name, shown if wanted.seats else name, model, settings, file)


def _lineups(wanted: Measurement, table: ModelTable) -> list[tuple[str, ...]]:
    """Who sits together at a table. Raises ModelError, PlayerError or CheckpointError."""
    if wanted.seats:
        return seating.lineups_of(table, wanted.seats)
    others = seating.opponents_of(table, wanted.against)
    return [(MODEL + wanted.shown, *[name] * (table.made.players - 1)) for name in others]


def _results(wanted: Measurement, play: Play, asked: Asked, games: list[PlayedGame]) -> Results:
    manner, files = wanted.manner, wanted.files()
    sha256 = asked.model.sha256 if isinstance(asked.model, Opened) else None
    return Results(
        kind="language model" if sha256 is None else "program",
        theogony=__version__,
        name=asked.name,
        model=asked.named,
        sha256=sha256,
        settings=asked.settings,
        track=asked.settings.track,
        manners=Manners(temperature=manner.temperature, reply_tokens=manner.reply_tokens, more=dict(manner.more)),
        tables=[_played_table(table, play, asked) for table in play.tables.values()],
        games=games,
        figures=figures_of(games, asked.settings),
        machine=machine(),
        beside={name: file.name for name, file in files.items() if name != asked.name},
    )


def _played_table(table: ModelTable, play: Play, asked: Asked) -> PlayedTable:
    game = table.made
    every = (job for chain in play.chains for jobs in chain for job in jobs)
    mine = [job for job in every if job.table == table.name and job.model == asked.name]
    head = Transcript(asked.path(mine[0])).head
    return PlayedTable(
        name=table.name,
        game=game.spec.name,
        version=game.spec.version,
        options=plain_options(game),
        components=game.component_digest,
        prompt=hashlib.sha256((head.system if head is not None else "").encode()).hexdigest()[:12],
        against={name: digest_of_others(name, game) for name in dict.fromkeys(job.against for job in mine)},
    )
