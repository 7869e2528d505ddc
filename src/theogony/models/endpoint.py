"""An endpoint that speaks the usual chat protocol, `http://host:port/v1#model`: POST to `/chat/completions`.

The key comes from a variable of the environment. It is sent to this endpoint only (no redirect is followed), over https
or to this machine; it stands in no message, file or error: where an endpoint repeats it, it is cut out.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import json
import os
import random
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlsplit

from theogony.envs.core.untrusted.outside import parse_json, printable
from theogony.models.ask import ModelError, Request, Response, to_read, tokens


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


# ---- An endpoint that speaks the usual chat protocol, `http://host:port/v1#model`: POST to `/chat/completions` ----

KEY = "THEOGONY_MODEL_KEY"
PATH = "/chat/completions"
LIMITS = ("max_tokens", "max_completion_tokens")  # what the length of a reply is called, and by models that reason
HERE = ("localhost", "127.0.0.1", "::1")
LARGEST = 1 << 22  # bytes of an answer
FIRST, LONGEST = 0.5, 60.0  # seconds to wait before the first retry, and at most
AGAIN = (408, 409, 425, 429, *range(500, 600))  # statuses that may pass
REFUSAL = 4096  # bytes of a refusal that are read
MOST_TOKENS, MOST_COST = 100_000_000, 10_000  # that an endpoint is believed to have taken for one reply, in dollars
BROKEN = (OSError, ValueError, http.client.HTTPException)  # what a connection raises that does not hold
SHOWN = 200  # characters of an answer that an error repeats
OVERLONG = "(The reply was cut off: it is longer than anybody reads.)"


class RetryableError(Exception):
    """What may go better next time; `wait` is what the endpoint asked for, in seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key that follows a redirect is a key given away."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


@dataclass(frozen=True)
class Endpoint:
    """Where to ask and how.

    `temperature` and `longest` (tokens of a reply) are sent when given; `timeout` is the seconds that one answer may
    take in all; `retries` how often a failure is tried again. Raises ModelError for an address that cannot be.
    """

    address: str
    temperature: float | None = None
    longest: int | None = None
    timeout: float = 120.0
    retries: int = 6
    key_variable: str = KEY
    sleep: Callable[[float], None] = time.sleep
    _limit: list[str] = field(default_factory=lambda: [LIMITS[0]], init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if not parts.hostname or not parts.fragment:
            raise ModelError(
                f"{parts.scheme}://{parts.hostname}: expected an address with a model, http://host/v1#name"
            )
        if parts.username or parts.password or parts.query:
            raise ModelError(
                f"{parts.scheme}://{parts.hostname}: an address must hold no key; expected it in {self.key_variable}"
            )
        if not (self.key.isascii() and self.key.isprintable()):
            raise ModelError(f"the variable {self.key_variable} holds signs that stand in no key")
        if self.key and parts.scheme != "https" and parts.hostname not in HERE:
            raise ModelError(f"{parts.scheme}://{parts.hostname}: a key is sent over https only, or to this machine")

    @property
    def key(self) -> str:
        """The key, "" for none."""
        return os.environ.get(self.key_variable, "").strip()

    @property
    def url(self) -> str:
        """Where it is asked."""
        place = self.address.partition("#")[0].rstrip("/")
        return place if place.endswith(PATH) else place + PATH

    def reply(self, request: Request) -> Response:
        """Ask, again where that may help. Raises ModelError."""
        for turn in range(self.retries + 1):
            try:
                return self._response(request, self._post(request))
            except RetryableError as problem:
                if turn == self.retries:
                    tries = "once" if turn == 0 else f"{turn + 1} times"
                    raise ModelError(f"{self.url}: {problem}; asked {tries}") from None
                self.sleep(self._pause(turn, problem.wait))
        raise AssertionError("the last turn returns or raises")

    def _pause(self, turn: int, asked: float | None) -> float:
        """Twice as long each time, with chance in it so that games do not come back all at once."""
        own = FIRST * 2**turn * random.uniform(0.75, 1.25)
        return min(LONGEST, own if asked is None else max(asked, 0.0))

    def _post(self, request: Request) -> bytes | None:
        """The bytes of an answer; None for one that is too long. Raises RetryableError or ModelError."""
        body: dict[str, Any] = {"model": urlsplit(self.address).fragment, "messages": request.messages}
        body |= {} if self.temperature is None else {"temperature": self.temperature}
        body |= {} if self.longest is None else {self._limit[0]: self.longest}
        headers = {"Content-Type": "application/json", "User-Agent": "theogony"}
        headers |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        post = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        try:
            with self._opener().open(post, timeout=self.timeout) as answer:
                return self._read(answer)
        except urllib.error.HTTPError as error:
            with error:
                self._refused(error, self._reason(error))
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise RetryableError(f"did not answer within {self.timeout:g} s") from None
            raise RetryableError(f"cannot be reached: {self._clean(str(error.reason))}") from None
        except TimeoutError:
            raise RetryableError(f"did not answer within {self.timeout:g} s") from None
        except BROKEN as error:
            raise RetryableError(f"broke off: {self._clean(str(error)) or type(error).__name__}") from None

    def _opener(self) -> urllib.request.OpenerDirector:
        """What sends a request within the time: to this machine without a proxy, which would be given the key."""
        handlers: list[Any] = [_NoRedirect, Handler(time.monotonic() + self.timeout)]
        if urlsplit(self.address).hostname in HERE:
            handlers.append(urllib.request.ProxyHandler({}))
        return urllib.request.build_opener(*handlers)

    def _read(self, answer: Any) -> bytes | None:
        """All of an answer; None for one that is too long."""
        parts, size = [], 0
        while part := answer.read1(1 << 16):
            parts.append(part)
            size += len(part)
            if size > LARGEST:
                return None
        expected = answer.headers.get("Content-Length", "")
        if expected.isdecimal() and size < int(expected):
            raise RetryableError(f"broke off after {size} of {expected} bytes")
        return b"".join(parts)

    def _reason(self, error: urllib.error.HTTPError) -> str:
        """What a refusal says, "" where that broke off as well; of a long one not the end, which may be half a key."""
        with contextlib.suppress(*BROKEN):
            said = error.read(REFUSAL)
            text = self._cut(said.decode("utf-8", "replace"))
            return self._clean(text[: -2 * len(self.key)] if self.key and len(said) == REFUSAL else text)
        return ""

    def _refused(self, error: urllib.error.HTTPError, said: str) -> NoReturn:
        if error.code in (401, 403):
            found = "was refused" if self.key else "is not set"
            raise ModelError(f"{self.url}: status {error.code}: the key in {self.key_variable} {found}")
        if error.code == 400 and self.longest is not None and LIMITS[1] in said and self._limit[0] == LIMITS[0]:
            self._limit[0] = LIMITS[1]
            raise RetryableError(f"status 400: {said}", 0.0)
        if error.code in AGAIN:
            wait = error.headers.get("Retry-After", "")
            what = "limits how often it is asked" if error.code == 429 else f"failed: {said}".removesuffix(": ")
            raise RetryableError(f"status {error.code}: {what}", float(wait) if wait.isdecimal() else None)
        raise ModelError(f"{self.url}: status {error.code}: {said or self._clean(str(error.reason))}")

    def _response(self, request: Request, content: bytes | None) -> Response:
        """What the model said. Raises RetryableError for an answer that is none of the protocol."""
        read = to_read(request)
        if content is None:
            return Response(OVERLONG, read, self.longest or LARGEST // 4)
        try:
            data = parse_json(content, "the answer", ModelError)
            choice = data["choices"][0]
            text, thinking = map(self._cut, said_in(choice["message"]))
        except (ModelError, LookupError, TypeError):
            start = self._clean(content.decode("utf-8", "replace"))
            raise RetryableError(f"answered nonsense, expected choices[0].message.content: {start!r}") from None
        usage = data.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        mine, written = (_number(counts.get(name), MOST_TOKENS) for name in ("prompt_tokens", "completion_tokens"))
        paid = _number(counts.get("cost"), MOST_COST)
        cost = None if paid is None else float(paid)
        finish = self._clean(str(choice.get("finish_reason") or ""))[:20]
        details = counts.get("completion_tokens_details")
        thought = _number(details.get("reasoning_tokens"), MOST_TOKENS) if isinstance(details, dict) else None
        thought = thought if isinstance(thought, int) else tokens(thinking)
        if isinstance(mine, int) and isinstance(written, int):
            return Response(text, mine, written, True, cost, thinking, thought, finish)
        return Response(text, read, tokens(text) + tokens(thinking), False, cost, thinking, thought, finish)

    def _cut(self, text: str) -> str:
        """Without the key, should an endpoint repeat it; also as JSON or Python would write it."""
        key = self.key
        for form in (key, key.replace("/", "\\/"), json.dumps(key)[1:-1], repr(key)[1:-1]) if key else ():
            text = text.replace(form, "...")
        return text

    def _clean(self, text: str) -> str:
        """What an endpoint says, as part of one line; the key is cut out of all of it, then a part is shown."""
        return printable(" ".join(self._cut(text).split())[:SHOWN])[:SHOWN]


THOUGHT = ("reasoning_content", "reasoning", "thinking")  # fields of a message


def said_in(message: Any) -> tuple[str, str]:
    """What a message says and what was thought before: a text, or a list of parts. Raises LookupError or TypeError."""
    content = message["content"]
    parts = content if isinstance(content, list) else [content]
    if not all(isinstance(part, str | dict | None) for part in parts):
        raise TypeError
    said = [part if isinstance(part, str) else part.get("text") for part in parts if part is not None]
    fields = [message.get(name) for name in THOUGHT] + [
        part.get("thinking") for part in parts if isinstance(part, dict)
    ]
    thought = [field if isinstance(field, str) else json.dumps(field, ensure_ascii=False) for field in fields if field]
    return "".join(part for part in said if isinstance(part, str)), "\n\n".join(dict.fromkeys(thought))


def _number(told: Any, most: int) -> int | float | None:
    """A number that an endpoint tells of a reply; None for what cannot be one, which counts as if it told none."""
    known = isinstance(told, int | float) and not isinstance(told, bool) and 0 <= told <= most
    return told if known else None
