"""What a page asks of a table, what it may send, and what it is told: the same over HTTP (`server.py`) and inside a
browser (`web/desk.py`). Whatever does not fit is refused with a line that says what was expected.

What a question gives can be written as JSON; it may be asked in any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.core.untrusted.outside import parse_json
from theogony.play.film import film_of
from theogony.play.replay import page
from theogony.play.seats import seat_titles
from theogony.play.seen import Viewer, drawn
from theogony.play.table import Table
from theogony.play.words import introduction_of, words_of

Query = Mapping[str, str]
LARGEST = 4096  # bytes of a message
MOST_FRAMES = 40  # positions that one answer shows
Text = Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")


class BadMessage(ValueError):
    """A message is not what was expected."""


def number(query: Mapping[str, Any], name: str, usual: int | None = None) -> int:
    """A whole number of a query. Raises BadMessage."""
    text = str(query.get(name, "" if usual is None else usual))
    if not text.removeprefix("-").isdecimal() or len(text) > 9:
        raise BadMessage(f"{name}={text!r:.40}: a number was expected")
    return int(text)


class Window(BaseModel):
    """What every message says: which window sends it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    window: str = Text


class Sit(Window):
    """Sit down; with `take` also where another window sits. `name` is what the person would like to be called."""

    take: bool = False
    name: str = Field(default="", max_length=24)


class Message(Window):
    """About a decision: its name, as `news` gave it."""

    decision: str = Text


class Play(Message):
    """Play an action by its id; `epoch` and `after` say what the window knows, the answer tells what came since.

    `frames` is how many of the last positions it wants to see.
    """

    action: int = Field(ge=0, le=1 << 31)
    epoch: str = Text
    after: int = Field(ge=-1, le=1 << 31)
    frames: int = Field(default=MOST_FRAMES, ge=1, le=MOST_FRAMES)


class Again(Message):
    """Play anew, with these players in the seats."""

    seats: list[str] = Field(min_length=1, max_length=8)


class Answer(Message):
    """Whether one agrees with what another seat would like."""

    agreed: bool


KINDS: dict[str, type[Window]] = {
    "sit": Sit, "play": Play, "undo": Message, "hurry": Message, "hint": Message, "again": Again, "answer": Answer,
}  # fmt: skip
Kind = TypeVar("Kind", bound=BaseModel)


def read(content: bytes, kind: type[Kind]) -> Kind:
    """A message. Raises BadMessage."""
    data: Any = parse_json(content, "the message", BadMessage, LARGEST)
    return checked(kind, data, "the message", BadMessage)


def window_named(text: str) -> str:
    """The name of a window in a query. Raises BadMessage."""
    return checked(Window, {"window": text}, "the query", BadMessage).window


# ---- Questions


class Session:
    """The questions about one table. Who may ask as whom, and what people agree on, subclasses say."""

    table: Table

    def asked(self, name: str, who: Viewer, query: Query, body: bytes) -> Any:
        """What a question gives: one of LOOKED by its query, of KINDS by its message. Raises BadMessage, Refused."""
        if name in KINDS:
            return getattr(self, name)(who, read(body, KINDS[name]))
        return LOOKED[name](self, who, query)

    def seat(self, who: Viewer, message: Message) -> int:
        """The seat of a window that decides. Raises Refused."""
        raise NotImplementedError

    def told(self, who: Viewer, epoch: str | None = None, after: int = -1, frames: int = 1) -> dict[str, Any]:
        """What has happened since a window looked last."""
        return self.table.news(who, epoch, after, frames) | self.around()

    def around(self) -> dict[str, Any]:
        """What is not of the game: who looks on, what people are called, what somebody would like."""
        raise NotImplementedError

    def news(self, who: Viewer, query: Query) -> Any:
        """What has happened: `?epoch=...&after=...&frames=...`."""
        after, frames = number(query, "after", -1), number(query, "frames", MOST_FRAMES)
        return self.told(who, query.get("epoch"), after, min(max(frames, 1), MOST_FRAMES))

    def replay(self, who: Viewer) -> str:
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


LOOKED: dict[str, Callable[[Session, Viewer, Query], Any]] = {  # what a page looks at, and how it is told
    "news": Session.news,
    "words": lambda at, who, query: words_of(at.table.game),  # what all is called, and the rules: open to all
    "introduction": lambda at, who, query: introduction_of(at.table.game),  # pictures of another game: open to all
    "frame": lambda at, who, query: at.table.frame(who, number(query, "ply")),  # after so many decisions
    "preview": lambda at, who, query: at.table.preview(who, query.get("decision", ""), number(query, "action")),
    "drawn": lambda at, who, query: drawn(at.table.game, query.get("name", "")),  # whoever has it; None: there is none
    "course": lambda at, who, query: at.table.course(who),
    "replay": lambda at, who, query: at.replay(who),
}
