"""What is sent to a model and what it says."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypedDict, runtime_checkable

KEY = "THEOGONY_MODEL_KEY"  # the variable that holds the key of an endpoint
CUT = "length"  # how a reply finished that became too long
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


class Overflow(ModelError):
    """A conversation is longer than the model reads."""


@dataclass(frozen=True)
class Response:
    """A reply: its text, the tokens that were read and written for it, and what it cost in dollars, where that is told.

    `counted`: the tokens are the endpoint's own numbers; otherwise they are estimated, four characters each.
    `thinking` is what was thought before the text, `thought` how many of the tokens that took, `finish` why the reply
    ended, as far as the endpoint tells.
    """

    text: str
    read: int
    written: int
    counted: bool = False
    cost: float | None = None
    thinking: str = ""
    thought: int = 0
    finish: str = ""


@dataclass(frozen=True)
class Request:
    """A decision that is due: the conversation that ends with it, and for programs the same as data."""

    messages: list[Message]
    view: View | None = None  # None: no move is asked for


class Model(Protocol):
    """Whoever answers. Several threads may ask at once."""

    def reply(self, request: Request) -> Response:
        """The reply to a conversation. Raises ModelError when there will be none."""
        ...


@runtime_checkable
class Closed(Protocol):
    """A model with something to end, a process."""

    def close(self) -> None:
        """Nobody asks any more."""
        ...


@runtime_checkable
class Opened(Model, Closed, Protocol):
    """A model that begins anew with each game, and is closed behind it."""

    sha256: str  # of what it plays by

    def open(self) -> Opened:
        """One that plays one game."""
        ...


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return -(-len(text) // LETTERS)


def to_read(request: Request) -> int:
    """About how many tokens a conversation has."""
    return sum(tokens(message["content"]) for message in request.messages)


def estimated(request: Request, text: str) -> Response:
    """A reply whose tokens nobody counted."""
    return Response(text, to_read(request), tokens(text))


# ---- What may be spent. Requests reserve what they may need before they are sent, so that several games that ask at
# once do not go over the budget together.

MILLION = 1e6


class OverBudget(Exception):
    """The next request could cost more than is left; says what was spent of how much."""


@dataclass
class Budget:
    """At most so many tokens, read and written together, and dollars; `prices` of each model are dollars a million
    tokens, read and written."""

    tokens: float = math.inf
    cost: float = math.inf
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    longest: int = 4096  # tokens that a reply may have, as far as is known beforehand
    spent_tokens: int = 0
    spent_cost: float = 0.0
    _held: dict[int, tuple[int, float]] = field(default_factory=dict)
    _free: threading.Condition = field(default_factory=threading.Condition)

    def price(self, response: Response, model: str = "") -> float:
        """What a reply cost: as the endpoint tells, else by the prices."""
        read, written = self.prices.get(model, (0.0, 0.0))
        own = (response.read * read + response.written * written) / MILLION
        return own if response.cost is None else response.cost

    def reserve(self, who: int, read: int, model: str = "") -> None:
        """Set aside what a request that reads so many tokens may take, when others have left enough of what they set
        aside. Raises OverBudget where it is too much even so."""
        wanted = (read + self.longest, self.price(Response("", read, self.longest), model))
        with self._free:
            while not self._has_room(wanted):
                self._free.wait()
            self._held[who] = wanted

    def _has_room(self, wanted: tuple[int, float]) -> bool:
        """Whether so much is left besides what is set aside. Raises OverBudget where it is not left at all."""
        for what, spent, budget, more, forms in (
            ("tokens", self.spent_tokens, self.tokens, wanted[0], (",", ",")),
            ("dollars", self.spent_cost, self.cost, wanted[1], (".4f", "g")),
        ):
            if spent + more > budget:
                raise OverBudget(
                    f"the budget is used up: {spent:{forms[0]}} of {budget:{forms[1]}} {what} are spent, and the next "
                    f"request may take {more:{forms[0]}}, with a reply of {self.longest:,} tokens (--reply-tokens says "
                    "how many at most)"
                )
        tokens, cost = (sum(one[k] for one in (*self._held.values(), wanted)) for k in (0, 1))
        return self.spent_tokens + tokens <= self.tokens and self.spent_cost + cost <= self.cost

    def spend(self, who: int, read: int = 0, written: int = 0, cost: float = 0.0) -> None:
        """Count a reply, or a request that got none."""
        with self._free:
            self._held.pop(who, None)
            self.spent_tokens += read + written
            self.spent_cost += cost
            self._free.notify_all()
