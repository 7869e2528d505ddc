"""What a page may send. Whatever does not fit is refused with a line that says what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.core.untrusted.outside import parse_json

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


def window(text: str) -> str:
    """The name of a window in a query. Raises BadMessage."""
    return checked(Window, {"window": text}, "the query", BadMessage).window
