"""`theogony models`: a model plays against the ladder, and one results file says how it did."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from theogony.benchmark.agents import digest_of
from theogony.benchmark.run import machine
from theogony.benchmark.tasks import TEAM, Suite, shipped
from theogony.console import interrupt
from theogony.console.progress import Progress
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import make_player
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.ask import Budget, Closed, Model, ModelError, Opened, OverBudget, Request, to_read
from theogony.models.game import ModelGame, Recorded
from theogony.models.ladder import ANCHORS, NAME
from theogony.models.named import Manner, model_named
from theogony.models.results import (
    FORMAT,
    Manners,
    PlayedGame,
    PlayedTable,
    Results,
    as_text,
    figures_of,
    games_folder,
    last_lesson,
    pictures,
    played_game,
    prompt_digest,
    write_results,
)
from theogony.models.table import Job, ModelTable, Seats, Settings, Transcript, Turn, head_of, path_of, usual_table
from theogony.training.storage.disk import only_here, remove_leftovers

Chain = list[Job]  # played one after the other


def tables_of(name: str, options: dict[str, Any]) -> list[ModelTable]:
    """The table of a game, or of every game of a suite. Raises ModelError for options of a suite."""
    if name not in shipped().suites:
        return [usual_table(name, options)]
    if options:
        raise ModelError(f"{name}: is a suite, whose tasks have their options; expected no others")
    return [usual_table(game, {}) for game in dict.fromkeys(task.game for task in Suite.named(name).tasks)]


def opponents_of(table: ModelTable, against: str) -> list[str]:
    """Return who sits in the other seats, in turn: the anchors of the ladder, or players by name; of a team nobody.

    Raises ModelError, PlayerError or CheckpointError.
    """
    from theogony.benchmark.verify import thinks_by_time

    game = table.made
    if game.spec.cooperative:
        return [TEAM]
    named = ANCHORS if against == NAME else (part.strip() for part in against.split(",") if part)
    names = list(dict.fromkeys(named))
    if not names:
        raise ModelError(f"--against: nobody is named; expected {NAME} or players such as greedy,reference")
    for name in names:
        make_player(name, game)
        if thinks_by_time(name):
            raise ModelError(f"{name}: thinks by time, and such games do not repeat; expected a number of simulations")
    return names


def chains_of(table: ModelTable, against: Sequence[str], games: int, settings: Settings) -> list[Chain]:
    """At least `games` games against each, as many in each seat.

    The games of a chain are of different deals, and the seats take turns: nobody learns a deal by heart. Chains are
    counted for each opponent from 0 on, so that a run that goes on with more games, or against others too, finds what
    was played.
    """
    game = table.made
    seats, length = game.players, settings.learn
    deals = math.ceil(math.ceil(games / seats) / length) * length
    found: list[Chain] = []
    for name in against:
        for chain in range(deals // length * seats):
            begin, first = chain // seats * length, chain % seats
            found.append(
                [
                    Job(table.name, name, begin + number, (first + number) % seats, chain, number)
                    for number in range(length)
                ]
            )
    return found


# ---- Many games of a model at once: budgets, stops, and going on where a run was stopped -------------------------

SHORT = 100_000  # characters of a reply that are kept, one more than are read


class Stopped(Exception):
    """Another game has met what stops all of them."""


@dataclass
class Play:
    """Games to play, by whom, and where their transcripts go. `name` is the model as files call it.

    Once `run` has ended, `stopped` says in words why not all were played, "" when all were; `further` how the rest
    comes to be played.
    """

    name: str
    model: Model
    tables: dict[str, ModelTable]
    chains: Sequence[Chain]
    settings: Settings
    folder: Path
    budget: Budget
    at_once: int = 4
    stopped: str = field(default="", init=False)
    further: str = field(default="go on with the same command", init=False)
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _own: threading.local = field(default_factory=threading.local, init=False)

    def run(self) -> list[PlayedGame]:
        """Play what is not played yet. Returns the games that are over, in the order of the chains.

        Raises ModelError for a transcript of another run; an endpoint that fails only stops the run.
        """
        jobs = [job for chain in self.chains for job in chain]
        there = self._count_former(jobs)
        found: dict[tuple[str, str, int, int], PlayedGame] = {}
        with Progress("models", len(jobs), "games", there) as progress, ThreadPoolExecutor(self.at_once) as pool:
            waiting = [pool.submit(self._chain, chain, found, progress) for chain in self.chains]
            try:
                for future in as_completed(waiting):
                    future.result()
            except BaseException:
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                raise
        return [found[job.key] for job in jobs if job.key in found]

    def _count_former(self, jobs: Sequence[Job]) -> int:
        """What was spent before counts too. Returns how many games are over already.

        A game without a reply has not begun: its model may have been named wrongly. Raises ModelError for a game of
        another model or other settings.
        """
        over = 0
        for job in jobs:
            transcript = Transcript(path_of(self.folder, job))
            if not transcript.turns and transcript.end is None:
                transcript.path.unlink(missing_ok=True)
            elif transcript.head is not None:
                transcript.begin(head_of(job, self.name, self.settings, transcript.head.system))
            over += transcript.end is not None
            for turn in transcript.turns:
                self.budget.spend(-1, turn.read, turn.written, turn.cost)
        return over

    def _chain(self, chain: Chain, found: dict, progress: Progress) -> None:
        """Games one after the other, each with the lessons of the one before."""
        lessons = ""
        for job in chain:
            try:
                game, lessons = self._game(job, lessons, progress)
            except Stopped:
                return
            except (OverBudget, ModelError) as problem:
                self._end_all(problem)
                return
            found[job.key] = game

    def _end_all(self, problem: Exception) -> None:
        if not self._stop.is_set():
            self.stopped = str(problem)
            if isinstance(problem, OverBudget):
                self.further += " and a larger budget"
        self._stop.set()

    def _game(self, job: Job, lessons: str, progress: Progress) -> tuple[PlayedGame, str]:
        if self._stop.is_set():
            raise Stopped
        if not hasattr(self._own, "seats"):
            self._own.seats = Seats(self.tables, self.settings)
        path = path_of(self.folder, job)
        transcript = Transcript(path)
        new = transcript.end is None
        if new and isinstance(self.model, Opened):  # what it knew of the game went with its process
            path.unlink(missing_ok=True)
            transcript = Transcript(path)
        if not new:  # `verify` plays it again
            return played_game(transcript, job), last_lesson(transcript)
        game = ModelGame(self._own.seats, job, self.settings, lessons)
        transcript.begin(head_of(job, self.name, self.settings, game.conversation.system))
        recorded = Recorded(transcript.turns, str(transcript.path), strict=True)
        with opened(self.model) as model:
            end = game.play(recorded, lambda request: self._ask(model, request, progress), transcript.add)
        transcript.add(end)
        progress.add()
        return played_game(transcript, job), last_lesson(transcript)

    def _ask(self, model: Model, request: Request, progress: Progress) -> Turn:
        """One request, within the budget. Raises Stopped, OverBudget or ModelError."""
        if self._stop.is_set():
            raise Stopped
        budget, who = self.budget, threading.get_ident()
        budget.reserve(who, to_read(request))
        if self._stop.is_set():  # while it waited for what others had set aside
            budget.release(who)
            raise Stopped
        begun = time.monotonic()
        try:
            response = model.reply(request)
        except BaseException:
            budget.release(who)
            raise
        cost = budget.price(response)
        budget.spend(who, response.read, response.written, cost)
        progress.note = spent_so_far(budget)
        return Turn(
            sent=request.messages[-1]["content"],
            reply=_kept(response.text[: SHORT + 1]),
            thinking=_kept(response.thinking[:SHORT]),
            thought=response.thought,
            finish=response.finish,
            read=response.read,
            written=response.written,
            counted=response.counted,
            cost=round(cost, 9),
            seconds=round(time.monotonic() - begun, 3),
        )


def _kept(text: str) -> str:
    """A text as a file can hold it."""
    return text.encode("utf-8", "replace").decode()


@contextmanager
def opened(model: Model) -> Iterator[Model]:
    """Who plays one game: the model itself, or one that begins with it."""
    own = model.open() if isinstance(model, Opened) else model
    try:
        yield own
    finally:
        if isinstance(own, Opened):
            own.close()


def spent_so_far(budget: Budget) -> str:
    """Tokens and dollars, for the progress bar."""
    dollars = f", {budget.spent_cost:.2f} dollars" if budget.spent_cost else ""
    return f"{budget.spent_tokens:,} tokens{dollars}"


# ---- `theogony models`: a model plays against the ladder, and one results file says how it did -------------------

DEFAULT_REPLY = 4096  # tokens set aside for a reply whose length nobody limits


@dataclass
class Measurement:
    """What is to be measured: a model by its name, on the tables of a game or a suite, against the ladder or others."""

    game: str
    model: str
    out: Path
    against: str = "ladder"
    games: int = 20
    name: str = ""
    settings: Settings = field(default_factory=Settings)
    manner: Manner = field(default_factory=Manner)
    options: dict[str, Any] = field(default_factory=dict)
    max_tokens: int | None = None
    max_cost: float | None = None
    price: tuple[float, float] | None = None
    at_once: int = 4

    @property
    def shown(self) -> str:
        """What files call the model: its name hides the address."""
        return self.name or self.model

    def budget(self) -> Budget:
        """What may be spent. Raises ModelError for a budget of dollars without prices."""
        if self.max_cost is not None and self.price is None:
            raise ModelError("--max-cost needs to know what tokens cost: --price READ,WRITTEN, dollars a million")
        read, written = self.price or (0.0, 0.0)
        return Budget(
            tokens=math.inf if self.max_tokens is None else self.max_tokens,
            cost=math.inf if self.max_cost is None else self.max_cost,
            price_read=read,
            price_written=written,
            longest=self.manner.reply_tokens or DEFAULT_REPLY,
        )


def measure(wanted: Measurement, model: Model | None = None) -> tuple[Results, str]:
    """Play all games that the transcripts beside `out` do not hold. Returns the results, and why games are missing, "".

    The results file and pictures are written when all are played. Raises ModelError, PlayerError, OptionError and
    others before anything is played, and OSError.
    """
    for what in ("learn", "brief"):  # lessons are drawn from a whole game, changes are those of what was told before
        if int(getattr(wanted.settings, what)) > (what == "learn") and wanted.settings.memory != "conversation":
            raise ModelError(f"{what}: takes all of a game so far; expected the memory of a conversation")
    answers = model if model is not None else model_named(wanted.model, replace(wanted.manner, called=wanted.name))
    if isinstance(answers, Opened):  # a program that fails has lost: it is no matter of form
        wanted.settings = wanted.settings.model_copy(update={"tries": 1, "after_tries": "forfeit"})
    budget = wanted.budget()
    tables = {table.name: table for table in tables_of(wanted.game, wanted.options)}
    against = {name: opponents_of(table, wanted.against) for name, table in tables.items()}
    chains = [
        chain
        for name, table in tables.items()
        for chain in chains_of(table, against[name], wanted.games, wanted.settings)
    ]
    folder = games_folder(wanted.out)
    ModelGame(Seats(tables, wanted.settings), chains[0][0], wanted.settings)  # compiles, before there is a folder
    interrupt.say(f"what was played is in {folder}; go on with the same command")
    with only_here(folder), contextlib.ExitStack() as ended:
        if isinstance(answers, Closed):
            ended.callback(answers.close)
        remove_leftovers(folder)
        play = Play(wanted.shown, answers, tables, chains, wanted.settings, folder, budget, wanted.at_once)
        games = play.run()
        results = _results(wanted, play, games, against, answers.sha256 if isinstance(answers, Opened) else None)
    if not play.stopped:
        _write(results, wanted.out)
    left = sum(map(len, chains)) - len(games)
    why = f"{play.stopped}; {left} games are left: {play.further}" if play.stopped else ""
    return results, why


def _write(results: Results, out: Path) -> None:
    """The results file and pictures, and nothing that a killed run left of them."""
    drawn = {f"{out.stem}-{name}.svg": picture for name, picture in pictures(results).items()}
    remove_leftovers(out.parent, (out.name, *drawn))
    write_results(results, out)
    for name, picture in drawn.items():
        replace_file(out.with_name(name), picture.encode())


def run(wanted: Measurement) -> None:
    """The command: measure, print the table. Raises ModelError when games are left."""
    results, why = measure(wanted)
    if results.games:
        print(as_text(results))
    if why:
        raise ModelError(why)
    print(f"{wanted.out}: written", flush=True)


def _results(
    wanted: Measurement, play: Play, games: list[PlayedGame], against: dict[str, list[str]], sha256: str | None
) -> Results:
    from theogony import __version__

    manner, tables = wanted.manner, [_played_table(table, against[name], play) for name, table in play.tables.items()]
    return Results(
        format=FORMAT,
        kind="language model" if sha256 is None else "program",
        theogony=__version__,
        name=wanted.shown,
        model=wanted.shown,
        sha256=sha256,
        settings=wanted.settings,
        track=wanted.settings.track,
        manners=Manners(temperature=manner.temperature, reply_tokens=manner.reply_tokens, more=dict(manner.more)),
        tables=tables,
        games=games,
        figures=figures_of(games, wanted.settings),
        machine=machine(),
    )


def _played_table(table: ModelTable, against: list[str], play: Play) -> PlayedTable:
    game = table.made
    first = next(job for chain in play.chains for job in chain if job.table == table.name)
    head = Transcript(path_of(play.folder, first)).head
    return PlayedTable(
        name=table.name,
        game=game.spec.name,
        version=game.spec.version,
        options=plain_options(game),
        components=game.component_digest,
        prompt=prompt_digest(head.system if head is not None else ""),
        against={name: None if name == TEAM else digest_of(name, game) for name in against},
    )
