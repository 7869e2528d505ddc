"""Many games of a model at once: budgets, stops, and going on where a run was stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from theogony.console.progress import Progress
from theogony.models.ask.budget import Budget, OverBudget
from theogony.models.ask.said import Asked, Model, ModelError, Opened, to_read
from theogony.models.play.game import Game, Recorded
from theogony.models.play.series import Chain
from theogony.models.play.settings import Settings
from theogony.models.play.table import Job, ModelTable, Seats
from theogony.models.play.transcript import End, Transcript, Turn, head_of, path_of
from theogony.models.results.file import PlayedGame

SHORT = 100_000  # characters of a reply that are kept, one more than are read


class Stopped(Exception):
    """Another game has met what stops all of them."""


@dataclass
class Plan:
    """Games to play, by whom, and where their transcripts go. `name` is the model as files call it."""

    name: str
    model: Model
    tables: dict[str, ModelTable]
    chains: Sequence[Chain]
    settings: Settings
    folder: Path
    budget: Budget
    at_once: int = 4


class Play:
    """The games of a plan. `stopped` says in words why not all were played, "" when all were; `further` how the rest
    comes to be played."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.stopped, self.further = plan, "", "go on with the same command"
        self._stop, self._own = threading.Event(), threading.local()

    def run(self) -> list[PlayedGame]:
        """Play what is not played yet. Returns the games that are over, in the plan's order.

        Raises ModelError for a transcript of another run; an endpoint that fails only stops the run.
        """
        plan = self.plan
        jobs = [job for chain in plan.chains for job in chain]
        there = self._count_former(jobs)
        found: dict[tuple[str, str, int, int], PlayedGame] = {}
        with Progress("models", len(jobs), "games", there) as progress, ThreadPoolExecutor(plan.at_once) as pool:
            waiting = [pool.submit(self._chain, chain, found, progress) for chain in plan.chains]
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
            transcript = Transcript(path_of(self.plan.folder, job))
            if not transcript.turns and transcript.end is None:
                transcript.path.unlink(missing_ok=True)
            elif transcript.head is not None:
                transcript.begin(head_of(job, self.plan.name, self.plan.settings, transcript.head.system))
            over += transcript.end is not None
            for turn in transcript.turns:
                self.plan.budget.spend(-1, turn.read, turn.written, turn.cost)
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
            self._own.seats = Seats(self.plan.tables, self.plan.settings)
        path = path_of(self.plan.folder, job)
        transcript = Transcript(path)
        new = transcript.end is None
        if new and isinstance(self.plan.model, Opened):  # what it knew of the game went with its process
            path.unlink(missing_ok=True)
            transcript = Transcript(path)
        if not new:  # `verify` plays it again
            return played_game(transcript, job), last_lesson(transcript)
        game = Game(self._own.seats, job, self.plan.settings, lessons)
        transcript.begin(head_of(job, self.plan.name, self.plan.settings, game.conversation.system))
        recorded = Recorded(transcript.turns, str(transcript.path), strict=True)
        with opened(self.plan.model) as model:
            end = game.play(recorded, lambda asked: self._ask(model, asked, progress), transcript.add)
        transcript.add(end)
        progress.add()
        return played_game(transcript, job), last_lesson(transcript)

    def _ask(self, model: Model, asked: Asked, progress: Progress) -> Turn:
        """One request, within the budget. Raises Stopped, OverBudget or ModelError."""
        if self._stop.is_set():
            raise Stopped
        budget, who = self.plan.budget, threading.get_ident()
        budget.reserve(who, to_read(asked))
        if self._stop.is_set():  # while it waited for what others had set aside
            budget.release(who)
            raise Stopped
        begun = time.monotonic()
        try:
            said = model.reply(asked)
        except BaseException:
            budget.release(who)
            raise
        cost = budget.price(said)
        budget.spend(who, said.read, said.written, cost)
        progress.note = spent_so_far(budget)
        return Turn(
            sent=asked.messages[-1]["content"],
            reply=said.text[: SHORT + 1].encode("utf-8", "replace").decode(),
            read=said.read,
            written=said.written,
            counted=said.counted,
            cost=round(cost, 9),
            seconds=round(time.monotonic() - begun, 3),
        )


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


def last_lesson(transcript: Transcript) -> str:
    """What the model wrote after its game, "" for nothing."""
    return next((turn.reply for turn in reversed(transcript.turns) if turn.lesson), "")[:4000]


def played_game(transcript: Transcript, job: Job) -> PlayedGame:
    """A game that is over, as the results file has it."""
    turns, end = transcript.turns, transcript.end
    assert isinstance(end, End)
    moves = [turn for turn in turns if not turn.lesson]
    first = [turn for turn in moves if turn.first]
    return PlayedGame(
        **asdict(job),
        **end.model_dump(),
        asked=len(first),
        first_legal=sum(turn.legal for turn in first),
        replies=len(turns),
        read=sum(turn.read for turn in turns),
        written=sum(turn.written for turn in turns),
        counted=all(turn.counted for turn in turns),
        cost=round(sum(turn.cost for turn in turns), 9),
        seconds=round(sum(turn.seconds for turn in turns), 3),
        transcript=transcript.path.name,
        sha256=transcript.digest,
    )
