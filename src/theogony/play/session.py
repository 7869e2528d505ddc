"""What a page asks of a table, and what it is told: the same over HTTP (`server.py`) and inside a browser
(`web/desk.py`).

Each question is a method that takes who asks, and the query of the address or the message that was sent; what it gives
can be written as JSON. They may be called in any thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from theogony.play.film import film_of
from theogony.play.messages import KINDS, MOST_FRAMES, Message, Play, number, read
from theogony.play.replay import page
from theogony.play.seats import seat_titles
from theogony.play.seen import Viewer, drawn
from theogony.play.table import Table
from theogony.play.words import introduction_of, words_of

LOOKED = ("news", "words", "introduction", "frame", "preview", "drawn", "course", "replay")
Query = Mapping[str, str]


class Session:
    """The questions about one table. Who may ask as whom, and what people agree on, subclasses say."""

    table: Table

    def asked(self, name: str, who: Viewer, query: Query, body: bytes) -> Any:
        """What a question gives: one of LOOKED by its query, of KINDS by its message. Raises BadMessage, Refused."""
        return getattr(self, name)(who, read(body, KINDS[name]) if name in KINDS else query)

    def seat(self, who: Viewer, message: Message) -> int:
        """The seat of a window that decides. Raises Refused."""
        raise NotImplementedError

    def told(self, who: Viewer, epoch: str | None = None, after: int = -1, frames: int = 1) -> dict[str, Any]:
        """What has happened since a window looked last."""
        return self.table.news(who, epoch, after, frames) | self.around()

    def around(self) -> dict[str, Any]:
        """What is not of the game: who looks on, what people are called, what somebody would like."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ looking

    def news(self, who: Viewer, query: Query) -> Any:
        """What has happened: `?epoch=...&after=...&frames=...`."""
        after, frames = number(query, "after", -1), number(query, "frames", MOST_FRAMES)
        return self.told(who, query.get("epoch"), after, min(max(frames, 1), MOST_FRAMES))

    def words(self, who: Viewer, query: Query) -> Any:
        """What everything in the game is called, and its rules: open to all."""
        return words_of(self.table.game)

    def introduction(self, who: Viewer, query: Query) -> Any:
        """Pictures of another game, with what there is to see: open to all."""
        return introduction_of(self.table.game)

    def frame(self, who: Viewer, query: Query) -> Any:
        """The game as it stood after `?ply=...` decisions."""
        return self.table.frame(who, number(query, "ply"))

    def preview(self, who: Viewer, query: Query) -> Any:
        """What an action of this seat would cost and bring, as far as it is certain: `?decision=...&action=...`."""
        return self.table.preview(who, query.get("decision", ""), number(query, "action"))

    def drawn(self, who: Viewer, query: Query) -> Any:
        """A card or another thing as a picture of its own, whoever has it: `?name=...`; None where there is none."""
        return drawn(self.table.game, query.get("name", ""))

    def course(self, who: Viewer, query: Query) -> Any:
        """Where a game that is over has turned, by what this seat knew."""
        return self.table.course(who)

    def replay(self, who: Viewer, query: Query) -> Any:
        """The game so far, with what the viewer knew, as a page that needs no server."""
        return page(film_of(self.table.copy(), seat_titles(self.table.seats.names, who)), [who])

    # ------------------------------------------------------------------------------------------------ deciding

    def play(self, who: Viewer, message: Play) -> Any:
        """A decision of a person."""
        self.table.play(self.seat(who, message), message.decision, message.action)
        self.table.settle()
        return self.told(who, message.epoch, message.after, message.frames)

    def hurry(self, who: Viewer, message: Message) -> Any:
        """The search of a bot stopped: it plays the best it has found."""
        self.table.hurry(self.seat(who, message), message.decision)
        return {"ok": True}

    def hint(self, who: Viewer, message: Message) -> Any:
        """What a search would do."""
        return asdict(self.table.hint(self.seat(who, message), message.decision))
