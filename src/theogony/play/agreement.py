"""People at separate windows: who sits in a seat, and what all agree on.

One window at a time sits in a seat, so that two do not decide for it unknowingly. It keeps the seat through a reload,
and through a new start of the server. The seat is free for another one when it has gone, or when the other asks to take
it over; whoever has the link may do that.

They agree to take a decision back, or to play anew; who sits alone just does it. A wish is of one seat and one moment:
whatever is decided meanwhile ends it, and so does a seat that does not agree.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from theogony.play.seats import HUMAN
from theogony.play.table import Refused, Table

# Who may be asked to the table from a page, and how strong they are. Other names would name files and programs.
OPPONENTS = {
    "random": "plays anything",
    "greedy": "beginner: takes what looks best at once",
    "mcts:400": "intermediate: thinks ahead",
    "greedy@reference": "advanced: trained by playing",
    "reference": "strongest: trained, and thinks ahead",
}
TAKEN = "this seat is taken: it is open in another window; close it there, or take the seat over"


class Taken(Refused):
    """Another window sits in this seat."""


class Sitting:
    """The windows of one seat."""

    def __init__(self) -> None:
        self.window: str | None = None
        self._open = 0  # streams that this window has open

    @property
    def here(self) -> bool:
        """Whether somebody looks on now."""
        return self._open > 0

    def sit(self, window: str, take: bool = False) -> None:
        """Let a window sit down. Raises Taken when another one is there, unless it takes the seat over."""
        if window == self.window:
            return
        if self.here and not take:
            raise Taken(TAKEN)
        self.window, self._open = window, 0

    def check(self, window: str) -> None:
        """Raises Taken unless this window may decide; a free seat is its own from now on."""
        if self.window != window:
            self.sit(window)

    def open(self, window: str) -> None:
        """A window listens from now on. Raises Taken."""
        self.check(window)
        self._open += 1

    def close(self, window: str) -> None:
        """A window has stopped to listen."""
        if window == self.window:
            self._open = max(0, self._open - 1)


@dataclass
class Wish:
    """What a seat would like: to go back to its last decision ("undo"), or a new game with these seats ("again")."""

    kind: Literal["undo", "again"]
    seat: int
    decision: str
    seats: list[str]
    agreed: set[int]


class Agreement:
    """The wish that is open at a table, if any. `again(names)` lays a new game; without it there is none."""

    def __init__(self, table: Table, again: Callable[[list[str]], None] | None = None) -> None:
        self.table, self._again = table, again
        self._lock = threading.Lock()
        self._wish: Wish | None = None

    @property
    def wish(self) -> Wish | None:
        """The wish that is open now."""
        found = self._wish
        return found if found is not None and found.decision == self.table.decision else None

    def told(self) -> dict[str, Any]:
        """What every window is told: the wish, and who may be asked to a new game."""
        wish = self.wish
        shown = wish and {"kind": wish.kind, "seat": wish.seat, "seats": wish.seats, "agreed": sorted(wish.agreed)}
        return {"wish": shown, "opponents": OPPONENTS if self._again else {}}

    def undo(self, seat: int, decision: str) -> None:
        """Go back to the seat's last decision, or ask the others for that. Raises Refused."""
        if (problem := self.table.undo_problem(seat, agreed=True)) is not None:
            raise Refused(problem)
        self._ask(Wish("undo", seat, decision, [], {seat}))

    def again(self, seat: int, decision: str, seats: list[str]) -> None:
        """A new game with these seats, or ask the others for it. Raises Refused."""
        names = self.table.seats.names
        if self._again is None:
            raise Refused("this table is for one game")
        if [new == HUMAN for new in seats] != [old == HUMAN for old in names]:
            raise Refused("people stay in their seats: a player was expected for each of the others")
        for name in set(seats) - {HUMAN, *names, *OPPONENTS}:
            raise Refused(f"{name!r:.40} cannot be asked from the page; expected one of {', '.join(OPPONENTS)}")
        self._ask(Wish("again", seat, decision, seats, {seat}))

    def answer(self, seat: int, decision: str, agreed: bool) -> None:
        """Agree with what another seat would like, or not. Raises Refused where nothing is asked."""
        with self._lock:
            wish = self.wish
            if wish is None or decision != wish.decision:
                raise Refused("nothing is asked any more")
            if agreed:
                wish.agreed.add(seat)
            else:
                self._wish = None
        self._settle()

    def _ask(self, wish: Wish) -> None:
        with self._lock:
            if wish.decision != self.table.decision:
                raise Refused("meanwhile something was decided: the page now shows it")
            self._wish = wish
        self._settle()

    def _settle(self) -> None:
        """Do what everybody agrees on, and tell everybody how it stands."""
        with self._lock:
            wish = self.wish
            ready = wish is not None and wish.agreed >= set(self.table.seats.people)
            if ready:
                self._wish = None
        if wish is not None and ready:
            if wish.kind == "undo":
                self.table.undo(wish.seat, wish.decision, agreed=True)
            elif self._again is not None:
                self._again(wish.seats)
        self.table.tell()
