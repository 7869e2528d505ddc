"""What stands between the local page and everybody else: an ASGI layer around all routes, and care for connections.

A page of another origin must not reach the server, be it by a name that it lets point here (DNS rebinding) or by a
request of its own. So the host must be this machine by name, the origin of a request must be that host, and what is
sent must be JSON, for which browsers ask first and get no answer. Sizes are limited, nothing is stored by browsers,
nothing may be framed, and no script runs but the one that comes from here.

A connection waits from its beginning, or from its last answer, until a whole request has come. Waiting costs a place,
so that somebody who opens hundreds of connections and sends half a request on each would block everybody. Therefore a
connection waits for so long at most; and where too many wait, the one that has waited longest goes, of the address that
has most of them.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from theogony.play.session import LARGEST

LOCAL = ("127.0.0.1", "localhost", "[::1]")
LOCAL_HOST = re.compile(rf"({'|'.join(map(re.escape, LOCAL))})(:[0-9]{{1,5}})?")
ONCE = ("host", "origin", "content-length", "content-type")  # headers of which there may be one
METHODS = ("GET", "HEAD", "POST")
LONGEST = 2048  # characters of a path with its query
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class TooLarge(Exception):
    """More was sent than a message may have."""


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer what is refused, and pass on everything else."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks WebSocket
            await send({"type": "websocket.close", "code": 1008})
            return

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in HEADERS if h[0] not in given)]
            await send(message)

        pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        length = len(scope["path"]) + len(scope["query_string"])
        problem = twice(pairs) or refusal(scope["method"], dict(pairs), length)
        if problem is not None:
            await answer(sent, *problem)
            return
        await self._app(scope, limited(receive), sent)


def twice(pairs: list[tuple[str, str]]) -> tuple[int, str] | None:
    """Status and reason for a request with a header twice: which of them counted would be anybody's guess."""
    names = [name for name, _ in pairs]
    return next(((400, f"the header {name} stands there twice") for name in ONCE if names.count(name) > 1), None)


def refusal(method: str, headers: dict[str, str], length: int) -> tuple[int, str] | None:
    """Status and reason for a request that is refused before anybody looks at it; None when it may pass."""
    host = headers.get("host", "")
    if not LOCAL_HOST.fullmatch(host):
        return 403, f"this server answers to {', '.join(LOCAL)} only, not to {host!r:.60}"
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return 403, f"a page of {origin!r:.60} may not talk to this server"
    if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
        return 403, "a page of another site may not talk to this server"
    if method not in METHODS:
        return 405, f"{method!r:.20} is not answered here: expected {', '.join(METHODS)}"
    if length > LONGEST:
        return 414, f"the address is too long: at most {LONGEST} characters were expected"
    size = headers.get("content-length", "0")
    if not size.isdecimal() or len(size) > 12 or int(size) > LARGEST:
        return 413, f"the message is too large: at most {LARGEST} bytes were expected"
    if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return 415, "the message is no JSON: content-type application/json was expected"
    return None


def limited(receive: Any) -> Any:
    """`receive` that raises TooLarge once more was sent than a message may have, whatever its header said."""
    left = LARGEST

    async def bounded() -> Any:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise TooLarge
        return message

    return bounded


async def answer(send: Any, status: int, reason: str) -> None:
    """A refusal as JSON."""
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


# ---- Connections: those that ask nothing do not keep out others

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
