"""HTTP requests that are over by a deadline, however slowly the other side takes and gives.

A socket's own timeout counts anew for every piece, so a line that comes byte by byte, or an endless row of
`100 Continue`, would outlast it. Here each read gets what is left of the time. Only the look-up of a name is left to
the system, which has a limit of its own.
"""

from __future__ import annotations

import functools
import http.client
import socket
import ssl
import time
import urllib.request
from typing import Any


class _Timed:
    """A socket of which every read and every write ends by `end`, on the clock of `time.monotonic`."""

    end: float

    def recv_into(self, *given: Any, **named: Any) -> int:
        set_timeout(self, self.end)
        return super().recv_into(*given, **named)  # pyright: ignore[reportAttributeAccessIssue]

    def send(self, *given: Any, **named: Any) -> int:
        set_timeout(self, self.end)
        return super().send(*given, **named)  # pyright: ignore[reportAttributeAccessIssue]


class _Plain(_Timed, socket.socket):
    pass


class _Secure(_Timed, ssl.SSLSocket):
    pass


def set_timeout(sock: Any, end: float) -> None:
    """Leave a socket the time until `end`. Raises TimeoutError when there is none."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    sock.settimeout(left)


def _connect(end: float, address: tuple[str, int], *_: Any) -> socket.socket:
    """A connection to the first address of a host that takes one. Raises OSError."""
    problem = OSError("the host has no address")
    for family, kind, protocol, _name, place in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
        made = _Plain(family, kind, protocol)
        made.end = end
        try:
            set_timeout(made, end)
            made.connect(place)
            return made
        except OSError as error:
            problem = error
            made.close()
    raise problem


class _Http(http.client.HTTPConnection):
    def __init__(self, host: str, end: float, **given: Any) -> None:
        super().__init__(host, **given)
        self._create_connection = functools.partial(_connect, end)


class _Https(http.client.HTTPSConnection):
    def __init__(self, host: str, end: float, **given: Any) -> None:
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        context.sslsocket_class = _Secure
        super().__init__(host, context=context, **given)
        self._create_connection, self._end = functools.partial(_connect, end), end

    def connect(self) -> None:
        """The handshake as a whole has the time that the plain socket had left."""
        super().connect()
        assert isinstance(self.sock, _Secure)
        self.sock.end = self._end


class Handler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens http and https for `urllib.request`, each request until `end`."""

    def __init__(self, end: float) -> None:
        super().__init__()
        self._end = end

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """A response to a request, of which the status and all headers have come."""
        return self.do_open(functools.partial(_Http, end=self._end), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """The same over https."""
        return self.do_open(functools.partial(_Https, end=self._end), req)
