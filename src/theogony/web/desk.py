"""A table in a browser: what `play/server.py` answers, as function calls of one process without threads.

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
from theogony.envs.core.portable.kernel import interpreted
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load_registered
from theogony.play import messages
from theogony.play.messages import MOST_FRAMES, BadMessage, Message, Play, Sit
from theogony.play.replay import seat_page
from theogony.play.seats import SeatError, Seats, game_for
from theogony.play.seen import drawn
from theogony.play.table import Refused, Table
from theogony.play.words import introduction_of, words_of

KNOWN = re.compile(
    r"human|random|reference|greedy(:[\d.]{1,6})?(@reference)?|plan:\d{1,5}(ms|x\d{1,4})?(@reference)?"
    r"|(mcts|gumbel|flat):\d{1,6}(ms|x\d{1,2})?(:[a-z]{1,6})?(@reference)?"
)
STATUS: dict[type[Exception], int] = {Refused: 409, BadMessage: 400}
TROUBLE = "{name} cannot go on: {error}"
NO_HINT = "there are no hints here: rules of {game} are interpreted, and the search for one would take minutes"


class Desk:
    """One game in play, and the record of it in a file."""

    def __init__(self, name: str, seats: str, seed: int | None, record: Path, kept: str) -> None:
        """`kept` is the text of a record to go on from, "" for a new game. Raises ValueError in words."""
        names = [who.strip() for who in seats.split(",")]
        for who in names:
            if not KNOWN.fullmatch(who):
                raise SeatError(f"seat {who!r:.40}: expected human, random, greedy, reference, a plan or a search")
        game, names = game_for(load_registered(name), ",".join(names), {})
        self.record, self.said = record, ""
        position = self._kept(game, kept) if kept else None
        self.position = Position(game, seed) if position is None else position
        self.table = Table(self.position, Seats.make(names, game), Keeper(self.position, record))
        self.table.save()
        self._last = next(iter(self.table.seats.people), None)
        self._thoughts: Iterator[None] | None = None  # of a bot that thinks

    def _kept(self, game: Any, kept: str) -> Position | None:
        """The game that a page has kept; None, and a sentence, where it is none of this page."""
        self.record.write_text(kept)
        try:
            position = read_record(self.record)
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
            found = getattr(self, f"_{path}" if path in ANSWERED else "_unknown")(json.loads(query), body.encode())
            return json.dumps([200, found])
        except (Refused, BadMessage) as error:
            return json.dumps([STATUS[type(error)], {"error": str(error)}])

    def _unknown(self, query: dict[str, str], body: bytes) -> Any:
        raise BadMessage("there is no such page")

    def _news(self, query: dict[str, str], body: bytes) -> Any:
        try:
            after, frames = int(query.get("after", -1)), int(query.get("frames", MOST_FRAMES))
        except ValueError:
            raise BadMessage("after and frames are numbers") from None
        return self._told(query.get("epoch"), after, min(max(frames, 1), MOST_FRAMES))

    def _told(self, epoch: str | None, after: int, frames: int = 1) -> dict[str, Any]:
        """News for whoever sits there now; for another person they begin anew."""
        who = self.who
        begun, _, known = (epoch or "").partition("_")
        found = self.table.news(who, begun if known == str(who) else None, after, frames)
        return found | {"epoch": f"{found['epoch']}_{who}", "undo": self._decided() is not None} | self._around()

    def _around(self) -> dict[str, Any]:
        """What the pages of a server hear of each other: here everybody looks on, and nobody has to be asked."""
        seats = self.table.seats
        called = [None] * len(seats.names)
        return {"here": seats.people, "called": called, "wish": None, "opponents": {}, "hints": self.hints}

    def _sit(self, query: dict[str, str], body: bytes) -> Any:
        messages.read(body, Sit)
        return {"ok": True}

    def _frame(self, query: dict[str, str], body: bytes) -> Any:
        ply = query.get("ply", "")
        if not re.fullmatch(r"\d{1,9}", ply):
            raise BadMessage(f"ply={ply!r:.40}: a number was expected")
        return self.table.frame(self.who, int(ply))

    def _preview(self, query: dict[str, str], body: bytes) -> Any:
        action = query.get("action", "")
        if not re.fullmatch(r"\d{1,9}", action):
            raise BadMessage(f"action={action!r:.40}: a number was expected")
        return self.table.preview(self.who, query.get("decision", ""), int(action))

    def _course(self, query: dict[str, str], body: bytes) -> Any:
        if self._slow:
            raise Refused(NO_HINT.format(game=self.table.game.spec.name))
        return self.table.course(self._seat())

    def _drawn(self, query: dict[str, str], body: bytes) -> Any:
        return drawn(self.table.game, query.get("name", ""))

    def _words(self, query: dict[str, str], body: bytes) -> Any:
        return words_of(self.table.game)

    def _introduction(self, query: dict[str, str], body: bytes) -> Any:
        return introduction_of(self.table.game)

    def _play(self, query: dict[str, str], body: bytes) -> Any:
        message = messages.read(body, Play)
        self.table.play(self._seat(), message.decision, message.action)
        return self._told(message.epoch, message.after, message.frames)

    def _undo(self, query: dict[str, str], body: bytes) -> Any:
        message = messages.read(body, Message)
        if (seat := self._decided()) is None:
            raise Refused("there is no decision to take back")
        self.table.undo(seat, message.decision, agreed=True)
        return self._told(None, -1)

    def _decided(self) -> int | None:
        """The person who decided last, which whoever sits there may take back; None before the first one did."""
        position, people = self.table.position, self.table.seats.people
        actors = (int(position.states[k].actor) for k in range(position.now - 1, -1, -1))
        return next((seat for seat in actors if seat in people), None)

    def _hurry(self, query: dict[str, str], body: bytes) -> Any:
        self.table.hurry(self._seat(), messages.read(body, Message).decision)
        return {"ok": True}

    def _hint(self, query: dict[str, str], body: bytes) -> Any:
        message = messages.read(body, Message)
        if self._slow:
            raise Refused(NO_HINT.format(game=self.table.game.spec.name))
        return self.table.hint(self._seat(), message.decision).as_json()

    def _replay(self, query: dict[str, str], body: bytes) -> Any:
        return seat_page(self.table.copy(), self.who, list(self.table.seats.names))

    def _record(self, query: dict[str, str], body: bytes) -> Any:
        return self.record.read_text()

    def _seat(self) -> int:
        if self.who is None:
            raise Refused("nobody of this page sits at the table")
        return self.who

    # ------------------------------------------------------------------------------------------------ bots

    def event(self) -> str:
        """What a page hears whenever something has changed."""
        table = self.table
        told = {"decision": table.decision, "trouble": table.trouble}
        return json.dumps(told | self._around())

    def think(self) -> str:
        """A piece of what the bot does that is due: "thinks", "decided" where it was the last, "" where none is due."""
        table = self.table
        if self._thoughts is None:
            if table.trouble or not table.bot_due():
                return ""
            self._thoughts = table.bots.thinking(table)
        try:
            next(self._thoughts)
            return "thinks"
        except StopIteration:
            pass
        except Exception as error:  # whatever a player raises, the page says it
            name = table.name(table.position.actor)
            table.trouble = TROUBLE.format(name=name, error=error)
        self._thoughts = None
        return "decided"

    def prepare_hints(self) -> None:
        """Make ready who gives hints, unless that would hold the page up for minutes."""
        if not self._slow:
            self.table.make_adviser()

    @property
    def hints(self) -> str:
        """As those of a table; where none can be given that is said when one is asked for."""
        return "ready" if self._slow and self.table.seats.people else self.table.hints

    @property
    def _slow(self) -> bool:
        return interpreted(self.table.game.spec.name)


ANSWERED = (
    "news", "words", "introduction", "sit", "frame", "preview", "drawn", "course", "play", "undo", "hurry", "hint",
    "replay", "record",
)  # fmt: skip
