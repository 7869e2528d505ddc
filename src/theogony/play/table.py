"""A game at a table: people and bots decide in turn, every decision is saved before anybody hears of it.

A decision has a name, `decision`: it changes with everything that happens, so that an action which is sent twice, late
or out of turn is refused instead of hitting another decision. Bots think on a copy, in a thread of their own; what
they chose counts only if the game still stands where it stood.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.gamerecord import Keeper
from theogony.envs.core.players import Player, Views
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.play import background
from theogony.play.background import compiled_elsewhere
from theogony.play.hints import Adviser, Hint, course
from theogony.play.seats import Seats, seat_titles
from theogony.play.seen import Moment, Viewer, frame, history, moment, move, preview, result
from theogony.training.players.threads import one_thread

FRAMES = 256  # that are kept as drawn
MOMENT = 0.1  # seconds for which a person's decision waits to be told together with what bots answer
NOT_LEGAL = "it chose an action that is not legal"  # which one, and what would be, is not for the others who read it
RETRY = 2.0  # seconds until a bot's decision that could not be saved is tried again


class Refused(ValueError):
    """What somebody asked for is not done; the game stands as it stood."""


class Table:
    """A game, its seats and its record. All methods may be called from any thread.

    `listeners` are called after every change, `trouble` is a sentence when something keeps the game from going on,
    `rng` is what bots draw from.
    """

    coming = ""  # what is waited for before one can decide, see `first.py`

    def __init__(self, position: Position, seats: Seats, keeper: Keeper | None = None) -> None:
        self.position, self.game, self.seats = position, position.game, seats
        self.listeners: list[Callable[[], None]] = []
        self.trouble: str | None = None
        self._keeper = keeper
        self.rng = np.random.default_rng()
        self.changed = threading.Condition()  # held by whoever reads or changes the game, told of every change
        self._begun, self._undone = secrets.token_hex(3), 0
        self._bots_run = self._closed = False
        self._failed = self._hurried = ""  # decisions at which a bot has failed, or goes by what was found so far
        self._told: dict[tuple[str, int, Viewer], dict[str, Any] | None] = {}  # of this epoch
        self._drawn: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()
        self._adviser: Adviser | None = None
        self._advising = threading.Lock()  # one hint at a time
        self._preparing = False

    def save(self) -> None:
        """Write the record as it stands. Raises OSError."""
        with self.changed:
            if self._keeper is not None:
                self._keeper.save()

    # ------------------------------------------------------------------------------------------------ decisions

    @property
    def epoch(self) -> str:
        """Changes when the game starts anew or goes back: what was drawn before does not count any more."""
        return f"{self._begun}{self._undone}"

    @property
    def decision(self) -> str:
        """The name of the decision that is due."""
        return f"{self.epoch}-{self.position.now}"

    def play(self, seat: int, decision: str, action: int) -> None:
        """One decision of a person. Raises Refused, and OSError when it cannot be saved; then nothing has changed."""
        with self.changed:
            self._check_due(seat, decision)
            self.decide(action)

    def settle(self) -> None:
        """Wait a moment for bots that decide without a search, so that one answer tells what they did as well."""
        with self.changed:
            self.changed.wait_for(lambda: not (self._bots_run and self._bot_goes_on() and not self._searches()), MOMENT)

    def undo(self, seat: int, decision: str, agreed: bool = False) -> None:
        """Go back to the seat's last decision. Raises Refused where there is none, or where other people play who have
        not `agreed`."""
        with self.changed:
            self._check_current(decision)
            if (problem := self.undo_problem(seat, agreed)) is not None:
                raise Refused(problem)
            taken = self._go_back(seat)
            try:
                self.save()
            except OSError:
                for action in taken:
                    self.position.play(action)
                raise
            self._undone += 1
            self.trouble = None
            self.tell()

    def _go_back(self, seat: int) -> list[int]:
        """Undo until the seat decides. Returns what was taken back, in the order in which it was played."""
        taken = [self.position.undo()]
        while self.position.actor != seat:
            taken.insert(0, self.position.undo())
        return taken

    def undo_problem(self, seat: Viewer, agreed: bool = False) -> str | None:
        """Why a seat cannot take a decision back; None when it can."""
        if seat not in self.seats.people:
            return "only who plays may take a decision back"
        if not agreed and self.seats.people != [seat]:
            return "decisions stand: only who plays alone against bots may take one back"
        if not any(int(self.position.states[k].actor) == seat for k in range(self.position.now)):
            return "there is no decision of yours to take back"
        return None

    def hurry(self, seat: Viewer, decision: str) -> None:
        """Let the bot that is due stop its search and play the best it has found. Raises Refused."""
        with self.changed:
            self._check_current(decision)
            if seat not in self.seats.people:
                raise Refused("only who plays may stop a search")
            if not self._searches():
                raise Refused("there is no search to stop")
            self._hurried = decision

    def hint(self, seat: int, decision: str) -> Hint:
        """What a search would do in place of the seat. Raises Refused."""
        with self.changed:
            self._check_due(seat, decision)
            clone = self.position.clone()
        with self._advising:
            return self._ask().look(clone, np.random.default_rng())

    def preview(self, seat: Viewer, decision: str, action: int) -> list[str]:
        """What an action of the seat that decides would cost and bring for certain. Raises Refused."""
        with self.changed:
            if not isinstance(seat, int):
                raise Refused("only a seat decides")
            self._check_due(seat, decision)
            clone = self.position.clone()
        try:
            return preview(clone, action, np.random.default_rng())
        except IllegalAction as error:
            raise Refused(str(error)) from None

    def course(self, seat: Viewer) -> dict[str, Any]:
        """Where a game that is over has turned for a person, by what that seat knew (`hints.py`). Raises Refused."""
        with self.changed:
            if seat not in self.seats.people or self.position.over == RUNNING:
                raise Refused("only who has played sees where a game has turned, when it is over")
            past = history(self.position)
        with self._advising:
            return course(past, int(seat), self._ask())  # pyright: ignore[reportArgumentType]

    def _ask(self) -> Adviser:
        """Who gives hints, made when first needed."""
        if self._adviser is None:
            with one_thread():
                self._adviser = Adviser(self.game)
        return self._adviser

    @property
    def hints(self) -> str:
        """Whether hints are "ready", are "preparing" (rules are compiled), or are for nobody here: "none"."""
        if not self.seats.people:
            return "none"
        return "preparing" if self._adviser is None else "ready"

    def prepare_hints(self) -> None:
        """Read what hints need in a thread, for the first one not to take long; compile it in another process."""
        with self.changed:
            if self._preparing or not self.seats.people:
                return
            self._preparing = True
        background.begin("hints", self.make_adviser, compiled_elsewhere)

    def make_adviser(self, made: Callable[..., Adviser] = lambda make, *work: make()) -> None:
        """Compile and read what hints need, in this thread, or as `made` does it."""
        with self._advising:
            made(self._ask, "hints", self.game)
        self.tell()

    def _check_current(self, decision: str) -> None:
        if decision != self.decision:
            raise Refused("this decision was taken already, or taken back: the page now shows the one that is due")

    def _check_due(self, seat: int, decision: str) -> None:
        position = self.position
        if position.over != RUNNING:
            raise Refused("the game is over")
        if position.actor != seat:
            raise Refused(f"it is not your turn: {self.name(position.actor)} decides")
        self._check_current(decision)

    def decide(self, action: int) -> None:
        """Play and save a decision, or neither."""
        try:
            self.position.play(action)
        except IllegalAction as error:
            raise Refused(str(error)) from None
        try:
            self.save()
        except OSError:
            self.position.undo()
            raise
        self.trouble = None
        self.tell()

    @property
    def record(self) -> Path | None:
        """Where the running game is kept: after another one was begun, the record of that one."""
        return None if self._keeper is None else self._keeper.path

    def begin(self, position: Position, seats: Seats, keeper: Keeper) -> None:
        """Play another game of the same kind at this table. Raises OSError when it cannot be saved."""
        keeper.save()
        with self.changed:
            self.position, self.seats, self._keeper = position, seats, keeper
            self._begun, self._undone, self.trouble = secrets.token_hex(3), 0, None
            self.tell()

    def follow(self, position: Position) -> None:
        """Show how a game goes on that is played elsewhere."""
        with self.changed:
            old, self.position = self.position, history(position)
            now = min(old.now, self.position.now)
            if old.now > now or not np.array_equal(old.states[: now + 1], self.position.states[: now + 1]):
                self._undone += 1
            self.tell()

    def tell(self) -> None:
        """Let everybody look at what there is."""
        with self.changed:
            self.changed.notify_all()
            for listener in self.listeners:
                listener()

    # ------------------------------------------------------------------------------------------------ bots

    def start(self) -> None:
        """Let the bots play from now on, whenever it is their turn."""
        background.begin("bots", self._run_bots, end=self.close)

    def close(self) -> None:
        """Bots play no more."""
        with self.changed:
            self._closed = True
            self.changed.notify_all()

    def bot_due(self) -> bool:
        """Whether a bot decides next."""
        return self.position.over == RUNNING and self.position.actor in self.seats.bots

    def play_bot(self) -> None:
        """One decision of the bot that is due. Raises OSError when it cannot be saved, and whatever the bot raises."""
        for _ in self.thinking():
            if self._closed:
                return

    def thinking(self) -> Iterator[None]:
        """The same in pieces, of which those of a search take some 50 milliseconds each.

        The decision is taken when all are done or somebody has hurried the bot, and by nobody when the game does not
        stand any more where it stood.
        """
        with self.changed:
            if not self.bot_due():
                return
            decision, clone = self.decision, self.position.clone()
            player = self.seats.bots[clone.actor]
        action = -1
        for answer in self._answers(player, Views.at(clone)):
            action = answer
            yield
            if self._hurried == decision or self.decision != decision or self._closed:
                break
        with self.changed:
            if decision == self.decision and not self._closed:
                if action not in self.position.legal_actions():
                    raise Refused(NOT_LEGAL)
                self.decide(action)

    def _answers(self, player: Player, views: Views) -> Iterator[int]:
        """What a bot would do, the last after all its thinking. Raises whatever it raises, but for what an
        IllegalAction lists."""

        def improving() -> Iterator[int]:
            if hasattr(player, "improving"):
                yield from player.improving(views, self.rng)  # pyright: ignore[reportAttributeAccessIssue]
            else:
                yield int(player.act(views, self.rng)[0])

        answers = improving()
        while True:
            try:
                with one_thread():
                    answer = next(answers, None)
            except IllegalAction:
                raise Refused(NOT_LEGAL) from None
            if answer is None:
                return
            yield answer

    def _searches(self) -> bool:
        """Whether the bot that is due searches, so that it can be told to decide by what it has found so far."""
        return self.bot_due() and hasattr(self.seats.bots[self.position.actor], "improving")

    def _bot_goes_on(self) -> bool:
        return not self._closed and self.bot_due() and self._failed != self.decision

    def _run_bots(self) -> None:
        """Play whenever it is a bot's turn, until the table is closed. A bot that has failed is asked again when the
        game stands elsewhere: after a decision was taken back, or in another game."""
        self._bots_run = True
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self._closed or self._bot_goes_on())
            if self._closed:
                return
            try:
                self.play_bot()
            except Exception as error:  # a player of somebody's own may raise whatever it likes
                self._say_trouble(error)

    def _say_trouble(self, error: Exception) -> None:
        """Tell everybody why a bot does not go on, and wait where it is to try again."""
        again = isinstance(error, OSError)
        with self.changed:
            said = f"{self.name(self.position.actor)} cannot go on: {getattr(error, 'strerror', None) or error}"
            self.trouble = said + (" (it is tried again)" if again else " (all is saved; start anew with --resume)")
            self.tell()
            if again:
                self.changed.wait(RETRY)
            else:
                self._failed = self.decision

    # ------------------------------------------------------------------------------------------------ what is seen

    def name(self, seat: int, viewer: Viewer = None) -> str:
        """A seat for people to read."""
        return seat_titles(self.seats.names, viewer)[seat]

    def moment(self, k: int | None = None) -> Moment:
        """The moment after k decisions, by default the present one. Raises Refused when there were not so many."""
        with self.changed:
            after = self.position.now if k is None else k
            if not 0 <= after <= self.position.now:
                raise Refused(f"there is no decision {after}: {self.position.now} were taken so far")
            return moment(self.position, after)

    def copy(self) -> Position:
        """The game so far, which nobody plays on."""
        with self.changed:
            return history(self.position)

    def frame(self, who: Viewer, k: int | None = None) -> dict[str, Any]:
        """What a viewer is shown after k decisions, see `seen.frame`. Raises Refused."""
        with self.changed:
            at, now, epoch = self.moment(k), self.position.now, self.epoch
        return self._drawn_at(at, now, epoch, who)

    def _drawn_at(self, at: Moment, now: int, epoch: str, who: Viewer) -> dict[str, Any]:
        key = (epoch, now if len(at.legal) else -1, int(at.g.ply), who)
        found = self._drawn.get(key)
        if found is None:
            found = self._drawn[key] = frame(at, who, who in self.seats.people)
            while len(self._drawn) > FRAMES:
                self._drawn.popitem(last=False)
        return found

    def news(self, who: Viewer, epoch: str | None, after: int, frames: int = 1) -> dict[str, Any]:
        """What has happened since a viewer knew `after` decisions of an epoch; all of it for another epoch.

        `moves` are the decisions since then, beginning with number `first`; 0 and 1 both begin at the start. `frames`
        are so many of the positions since then as drawn, at least the present one.
        """
        with self.changed:
            first = after + 1 if epoch == self.epoch and 0 <= after <= self.position.now else 0
            now = self.position.now
            about = self._about(who)
            moves = self.moves(who, first)
            drawn = range(max(first, now + 1 - frames), now + 1) if first else (now,)
            moments, epoch = [self.moment(k) for k in drawn], self.epoch
        return about | {
            "first": first,
            "moves": moves,
            "frames": [self._drawn_at(at, now, epoch, who) for at in moments],
        }

    def moves(self, who: Viewer, first: int = 1) -> list[dict[str, Any] | None]:
        """The decisions from number `first` on in words, as far as a viewer knows them."""
        with self.changed:
            epoch, known = self.epoch, self._told
            missing = [k for k in range(max(first, 1), self.position.now + 1) if (epoch, k, who) not in known]
            moments = [moment(self.position, k) for k in missing]
            last = self.position.now
        found: dict[tuple[str, int, Viewer], dict[str, Any] | None] = {
            (epoch, k, who): move(at, who) for k, at in zip(missing, moments, strict=True)
        }
        with self.changed:
            known = self._told = {key: one for key, one in self._told.items() if key[0] == epoch} | found
            return [known[epoch, k, who] for k in range(max(first, 1), last + 1)]

    def _about(self, who: Viewer) -> dict[str, Any]:
        position = self.position
        return {
            "title": self.game.spec.title,
            "seats": list(self.seats.names),
            "names": seat_titles(self.seats.names, who),
            "you": who if who in self.seats.people else None,
            "epoch": self.epoch,
            "now": position.now,
            "decision": self.decision,
            "undo": self.undo_problem(who, agreed=True) is None,
            "hurry": who in self.seats.people and self._searches(),
            "result": result(self.game, position.states[position.now : position.now + 1]),
            "trouble": self.trouble,
            "hints": self.hints,
        }
