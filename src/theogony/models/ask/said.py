"""What is sent to a model and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypedDict, runtime_checkable

LETTERS = 4  # characters of a token, where an endpoint does not count for us


class Message(TypedDict):
    """One message of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


class View(TypedDict):
    """What a seat knows, as data: the same as in the text. `legal` is empty where legal moves are hidden; `observation`
    holds the numbers of the game's features."""

    game: str
    seat: int
    text: str
    legal: list[str]
    observation: list[float]


class ModelError(ValueError):
    """A model cannot be asked, or does not answer: says what was found and what was expected."""


@dataclass(frozen=True)
class Said:
    """A reply: its text, the tokens that were read and written for it, and what it cost in dollars, where that is told.

    `counted`: the tokens are the endpoint's own numbers; otherwise they are estimated, four characters each.
    """

    text: str
    read: int
    written: int
    counted: bool = False
    cost: float | None = None


@dataclass(frozen=True)
class Asked:
    """A decision that is due: the conversation that ends with it, and for programs the same as data."""

    messages: list[Message]
    view: View | None = None  # None: no move is asked for


class Model(Protocol):
    """Whoever answers. Several threads may ask at once."""

    def reply(self, asked: Asked) -> Said:
        """The reply to a conversation. Raises ModelError when there will be none."""
        ...


@runtime_checkable
class Closed(Protocol):
    """A model with something to end, a process."""

    def close(self) -> None:
        """Nobody asks any more."""
        ...


@runtime_checkable
class Opened(Closed, Protocol):
    """A model that begins anew with each game, and is closed behind it."""

    sha256: str  # of what it plays by

    def open(self) -> Model:
        """One that plays one game."""
        ...


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return -(-len(text) // LETTERS)


def to_read(asked: Asked) -> int:
    """About how many tokens a conversation has."""
    return sum(tokens(message["content"]) for message in asked.messages)


def estimated(asked: Asked, text: str) -> Said:
    """A reply whose tokens nobody counted."""
    return Said(text, to_read(asked), tokens(text))
