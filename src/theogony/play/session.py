"""What a page asks of a table, and what it is told: the same over HTTP (`server.py`) and inside a browser
(`web/desk.py`).

Each question is a method that takes who asks, the query of the address, and the message that was sent; what it gives
can be written as JSON. They may be called in any thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theogony.play import messages
from theogony.play.messages import MOST_FRAMES, Message, Play, number
from theogony.play.replay import seat_page
from theogony.play.seen import Viewer, drawn
from theogony.play.table import Table
from theogony.play.words import introduction_of, words_of

LOOKED = ("news", "words", "introduction", "frame", "preview", "drawn", "course", "replay")
SENT = ("sit", "play", "undo", "hurry", "hint")
Query = Mapping[str, str]


class Session:
    """The questions about one table. Who may ask as whom, and what people agree on, subclasses say."""

    table: Table

    def seat(self, who: Viewer, message: Message) -> int:
        """The seat of a window that decides. Raises Refused."""
        raise NotImplementedError

    def settle(self) -> None:
        """Wait a moment for bots, where others let them play."""

    def told(self, who: Viewer, epoch: str | None = None, after: int = -1, frames: int = 1) -> dict[str, Any]:
        """What has happened since a window looked last."""
        return self.table.news(who, epoch, after, frames) | self.around()

    def around(self) -> dict[str, Any]:
        """What is not of the game: who looks on, what people are called, what somebody would like."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ looking

    def news(self, who: Viewer, query: Query, body: bytes) -> Any:
        """What has happened: `?epoch=...&after=...&frames=...`."""
        after, frames = number(query, "after", -1), number(query, "frames", MOST_FRAMES)
        return self.told(who, query.get("epoch"), after, min(max(frames, 1), MOST_FRAMES))

    def words(self, who: Viewer, query: Query, body: bytes) -> Any:
        """What everything in the game is called, and its rules: open to all."""
        return words_of(self.table.game)

    def introduction(self, who: Viewer, query: Query, body: bytes) -> Any:
        """Pictures of another game, with what there is to see: open to all."""
        return introduction_of(self.table.game)

    def frame(self, who: Viewer, query: Query, body: bytes) -> Any:
        """The game as it stood after `?ply=...` decisions."""
        return self.table.frame(who, number(query, "ply"))

    def preview(self, who: Viewer, query: Query, body: bytes) -> Any:
        """What an action of this seat would cost and bring, as far as it is certain: `?decision=...&action=...`."""
        return self.table.preview(who, query.get("decision", ""), number(query, "action"))

    def drawn(self, who: Viewer, query: Query, body: bytes) -> Any:
        """A card or another thing as a picture of its own, whoever has it: `?name=...`; None where there is none."""
        return drawn(self.table.game, query.get("name", ""))

    def course(self, who: Viewer, query: Query, body: bytes) -> Any:
        """Where a game that is over has turned, by what this seat knew."""
        return self.table.course(who)

    def replay(self, who: Viewer, query: Query, body: bytes) -> Any:
        """The game so far, with what the viewer knew, as a page that needs no server."""
        return seat_page(self.table.copy(), who, list(self.table.seats.names))

    # ------------------------------------------------------------------------------------------------ deciding

    def play(self, who: Viewer, query: Query, body: bytes) -> Any:
        """A decision of a person."""
        message = messages.read(body, Play)
        self.table.play(self.seat(who, message), message.decision, message.action)
        self.settle()
        return self.told(who, message.epoch, message.after, message.frames)

    def hurry(self, who: Viewer, query: Query, body: bytes) -> Any:
        """The search of a bot stopped: it plays the best it has found."""
        message = messages.read(body, Message)
        self.table.hurry(self.seat(who, message), message.decision)
        return {"ok": True}

    def hint(self, who: Viewer, query: Query, body: bytes) -> Any:
        """What a search would do."""
        message = messages.read(body, Message)
        return self.table.hint(self.seat(who, message), message.decision).as_json()
