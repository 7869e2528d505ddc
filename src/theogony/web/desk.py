"""A table in a browser: what `play/session.py` answers, as function calls of one process without threads.

Everybody sits at one screen, so a page shows what the person sees whose turn it is; the game itself, with all that is
hidden, is in the memory of the browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.gamerecord import Keeper, RecordError, read_record
from theogony.envs.core.portable.modules import interpreted
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load_registered
from theogony.play.seats import SeatError, Seats, game_for
from theogony.play.seen import Viewer
from theogony.play.session import KINDS, LOOKED, BadMessage, Message, Query, Session, Sit
from theogony.play.table import Refused, Table

KNOWN = re.compile(
    r"human|random|reference|greedy(:[\d.]{1,6})?(@reference)?|plan:\d{1,5}(ms|x\d{1,4})?(@reference)?"
    r"|(mcts|gumbel|flat):\d{1,6}(ms|x\d{1,2})?(:[a-z]{1,6})?(@reference)?"
)
STATUS: dict[type[Exception], int] = {Refused: 409, BadMessage: 400}
NO_HINT = "there are no hints here: rules of {game} are interpreted, and the search for one would take minutes"


class Desk(Session):
    """One game in play, and the record of it in a file."""

    def __init__(self, name: str, seats: str, seed: int | None, record: Path, kept: str) -> None:
        """`kept` is the text of a record to go on from, "" for a new game. Raises ValueError in words."""
        names = [who.strip() for who in seats.split(",")]
        for who in names:
            if not KNOWN.fullmatch(who):
                raise SeatError(f"seat {who!r:.40}: expected human, random, greedy, reference, a plan or a search")
        game, names = game_for(load_registered(name), ",".join(names), {})
        self._path, self.said = record, ""
        position = self._kept(game, kept) if kept else None
        self.position = Position(game, seed) if position is None else position
        self.table = Table(self.position, Seats.make(names, game), Keeper(self.position, record))
        self.table.save()
        self._last = next(iter(self.table.seats.people), None)
        self._thoughts: Iterator[None] | None = None  # of a bot that thinks

    def _kept(self, game: Any, kept: str) -> Position | None:
        """The game that a page has kept; None, and a sentence, where it is none of this page."""
        self._path.write_text(kept)
        try:
            position = read_record(self._path)
        except (RecordError, ValueError) as error:
            self.said = f"the game that was kept cannot be read, so a new one begins: {error}"
            return None
        if position.game.spec is not game.spec or position.game.players != game.players:
            return None
        return position

    @property
    def who(self) -> int | None:
        """The person whose view is shown: who decides, or else who decided last."""
        actor = self.table.position.actor
        if actor in self.table.seats.people:
            self._last = actor
        return self._last

    # ------------------------------------------------------------------------------------------------ answers

    def answer(self, path: str, query: str, body: str) -> str:
        """What a page asks: `[status, JSON]` as text."""
        try:
            if path not in ANSWERED:
                raise BadMessage("there is no such page")
            return json.dumps([200, self.asked(path, self.who, json.loads(query), body.encode())])
        except (Refused, BadMessage) as error:
            return json.dumps([STATUS[type(error)], {"error": str(error)}])

    def told(self, who: Viewer, epoch: str | None = None, after: int = -1, frames: int = 1) -> dict[str, Any]:
        """News for whoever sits there now, after what was asked; for another person they begin anew."""
        who = self.who
        begun, _, known = (epoch or "").partition("_")
        found = super().told(who, begun if known == str(who) else None, after, frames)
        return found | {"epoch": f"{found['epoch']}_{who}", "undo": self._decided() is not None}

    def around(self) -> dict[str, Any]:
        """What the pages of a server hear of each other: here everybody looks on, and nobody has to be asked."""
        seats = self.table.seats  # where no hint can be given, who asks for one is told
        hints = "ready" if self._slow and seats.people else self.table.hints
        called = [None] * len(seats.names)
        return {"here": seats.people, "called": called, "wish": None, "opponents": {}, "hints": hints}

    def sit(self, who: Viewer, message: Sit) -> Any:
        """Everybody sits here."""
        return {"ok": True}

    def asked(self, name: str, who: Viewer, query: Query, body: bytes) -> Any:
        """See `Session.asked`. Where a search takes minutes, those that need one are refused."""
        if self._slow and name in ("course", "hint"):
            raise Refused(NO_HINT.format(game=self.table.game.spec.name))
        if name == "record":  # for the page to keep
            return self._path.read_text()
        return super().asked(name, who, query, body)

    def undo(self, who: Viewer, message: Message) -> Any:
        """The last decision of a person taken back; nobody has to be asked."""
        if (seat := self._decided()) is None:
            raise Refused("there is no decision to take back")
        self.table.undo(seat, message.decision, agreed=True)
        return self.told(who)

    def _decided(self) -> int | None:
        """The person who decided last, which whoever sits there may take back; None before the first one did."""
        position, people = self.table.position, self.table.seats.people
        actors = (int(position.states[k].actor) for k in range(position.now - 1, -1, -1))
        return next((seat for seat in actors if seat in people), None)

    def seat(self, who: Viewer, message: Message) -> int:
        """Whoever sits there. Raises Refused where nobody does."""
        if not isinstance(who, int):
            raise Refused("nobody of this page sits at the table")
        return who

    # ------------------------------------------------------------------------------------------------ bots

    def event(self) -> str:
        """What a page hears whenever something has changed."""
        return json.dumps({"decision": self.table.decision, "trouble": self.table.trouble} | self.around())

    def think(self) -> str:
        """A piece of what the bot does that is due: "thinks", "decided" where it was the last, "" where none is due."""
        table = self.table
        if self._thoughts is None:
            if table.trouble or not table.bot_due():
                return ""
            self._thoughts = table.thinking()
        try:
            next(self._thoughts)
            return "thinks"
        except StopIteration:
            pass
        except Exception as error:  # whatever a player raises, the page says it
            table.trouble = f"{table.name(table.position.actor)} cannot go on: {error}"
        self._thoughts = None
        return "decided"

    def prepare_hints(self) -> None:
        """Make ready who gives hints, unless that would hold the page up for minutes."""
        if not self._slow:
            self.table.make_adviser()

    @property
    def _slow(self) -> bool:
        return interpreted(self.table.game.spec.name)


ANSWERED = {*LOOKED, *KINDS, "record"} - {"again", "answer"}  # nobody has to be asked
