"""Connections to the local page: those that ask nothing do not keep out others.

A connection waits from its beginning, or from its last answer, until a whole request has come. Waiting costs a place,
so that somebody who opens hundreds of connections and sends half a request on each would block everybody. Therefore a
connection waits for so long at most; and where too many wait, the one that has waited longest goes, of the address that
has most of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # seconds until a whole request must have come
MOST_WAITING = 64  # connections, of all addresses together
MOST_OPEN = 200  # connections, those with a running request among them


class Waiting:
    """The connections of one server that wait for a request, those that have waited longest first."""

    def __init__(self) -> None:
        self._addresses: dict[PatientProtocol, str] = {}

    def add(self, connection: PatientProtocol, address: str) -> None:
        """A connection waits from now on. Where that is one too many, another one is closed."""
        self._addresses[connection] = address
        if len(self._addresses) > MOST_WAITING:
            most = Counter(self._addresses.values()).most_common(1)[0][0]
            next(other for other, known in self._addresses.items() if known == most).give_up()

    def remove(self, connection: PatientProtocol) -> None:
        """A connection waits no more."""
        self._addresses.pop(connection, None)


class PatientProtocol(H11Protocol):
    """A connection that is given up when no whole request comes in time. `waiting` is of the server's."""

    def __init__(self, *arguments: Any, waiting: Waiting, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._waiting = waiting
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """A connection has been opened."""
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        """What has come is looked at: a part of a request, or all of it."""
        super().handle_events()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):  # a whole request has come
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """An answer has been sent: the connection waits for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has been closed."""
        self._stop_waiting()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Close the connection, whatever it was about to say."""
        self._stop_waiting()
        self.connections.discard(self)  # those of a burst are counted before their ends are
        self.transport.abort()

    def _wait(self) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self._patience = self.loop.call_later(PATIENCE, self.give_up)
            self._waiting.add(self, self.client[0] if self.client else "")

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        self._waiting.remove(self)
