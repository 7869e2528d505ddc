"""What stands between the local page and everybody else: an ASGI layer around all routes.

A page of another origin must not reach the server, be it by a name that it lets point here (DNS rebinding) or by a
request of its own. So the host must be this machine by name, the origin of a request must be that host, and what is
sent must be JSON, for which browsers ask first and get no answer. Sizes are limited, nothing is stored by browsers,
nothing may be framed, and no script runs but the one that comes from here.
"""

from __future__ import annotations

import json
import re
from typing import Any

from theogony.play.messages import LARGEST

LOCAL = ("127.0.0.1", "localhost", "[::1]")
PORT = re.compile(r":[0-9]{1,5}")
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
    if not is_local(host):
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


def is_local(host: str) -> bool:
    """Whether a host, perhaps with a port, is written exactly as one of LOCAL is."""
    return any(host == name or (host.startswith(name) and PORT.fullmatch(host[len(name) :])) for name in LOCAL)


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
