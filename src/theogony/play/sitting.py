"""Which window sits in a seat: one at a time, so that two do not decide for the same seat unknowingly.

A window keeps its seat through a reload, and through a new start of the server. It is free for another one when it has
gone, or when the other asks to take it over; whoever has the link may do that.
"""

from __future__ import annotations

from theogony.play.table import Refused

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
