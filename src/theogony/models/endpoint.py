"""An endpoint that speaks the usual chat protocol, `http://host:port/v1#model`: POST to `/chat/completions`.

The library `openai` does the asking. The key comes from a variable of the environment. It is sent to this endpoint only
(no redirect is followed), over https or to this machine; it stands in no message, file or error: where an endpoint
repeats it, it is cut out.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import os
import random
import re
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn
from urllib.parse import urlsplit

from theogony.console.extras import missing
from theogony.envs.core.untrusted.outside import parse_json, printable
from theogony.models.ask import KEY, ModelError, Overflow, Request, Response, to_read, tokens

try:
    import httpx2
    import openai
except ImportError as error:
    raise missing(error) from None

PATH = "/chat/completions"
LIMITS = ("max_tokens", "max_completion_tokens")  # what the length of a reply is called, and by models that reason
HERE = ("localhost", "127.0.0.1", "::1")
LARGEST = 1 << 22  # bytes of an answer
FIRST, LONGEST = 2.0, 60.0  # seconds to wait before the first retry, and at most; six of them outlast a minute's quota
PATIENCE = 900.0  # seconds to wait where the endpoint asks for it
AGAIN = (408, 409, 425, 429, *range(500, 600))  # statuses that may pass
REFUSAL = 4096  # bytes of a refusal that are read
MOST_TOKENS, MOST_COST = 100_000_000, 10_000  # that an endpoint is believed to have taken for one reply, in dollars
SHOWN = 200  # characters of an answer that an error repeats
OVERLONG = "(The reply was cut off: it is longer than anybody reads.)"
SENT = ("host", "content-type", "content-length", "accept", "connection", "transfer-encoding")
ASKED = "x-stainless-raw-response"  # by which the library knows in what form the answer is wanted
TOO_LONG = re.compile(  # what refusals of a conversation say that is longer than the model reads
    r"context[ _](?:length|window|size)|maximum context|too many (?:input )?tokens|(?:prompt|input) is too long", re.I
)
OWN = ("model", "messages", "stream", "n")  # parameters of a request that are set here


class RetryableError(Exception):
    """What may go better next time; `wait` is what the endpoint asked for, in seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class _TooMuch(Exception):
    """An answer is longer than anybody reads."""


class _Bounded(httpx2.AsyncByteStream):
    """What comes of an answer, up to `LARGEST` bytes; of a refusal its beginning."""

    def __init__(self, answer: httpx2.Response) -> None:
        assert isinstance(answer.stream, httpx2.AsyncByteStream)
        self._stream, self._refused = answer.stream, answer.status_code >= 300

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if self._refused and size >= REFUSAL:
                yield part[: len(part) - (size - REFUSAL)]
                return
            if size > LARGEST:
                raise _TooMuch
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(answer: httpx2.Response) -> None:
    """Bound an answer before it is read; one that is packed may be of any size, and nobody asked for it."""
    answer.headers.pop("content-encoding", None)
    answer.stream = _Bounded(answer)


@dataclass(frozen=True)
class Endpoint:
    """Where to ask and how.

    `temperature`, `longest` (tokens of a reply) and the parameters in `more` are sent when given; `timeout` is the
    seconds that one answer may take in all; `retries` how often a failure is tried again; `called` stands in errors for
    the address. Raises ModelError for an address or a parameter that cannot be.
    """

    address: str
    temperature: float | None = None
    longest: int | None = None
    timeout: float = 120.0
    retries: int = 6
    key_variable: str = KEY
    more: Mapping[str, Any] = field(default_factory=dict)
    called: str = ""
    sleep: Callable[[float], None] = time.sleep
    _limit: list[str] = field(default_factory=lambda: [LIMITS[0]], init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        where = self.called or f"{parts.scheme}://{parts.hostname}"
        if not parts.hostname or not parts.fragment:
            raise ModelError(f"{where}: expected an address with a model, http://host/v1#name")
        if parts.username or parts.password or parts.query:
            raise ModelError(f"{where}: an address must hold no key; expected it in {self.key_variable}")
        if not (self.key.isascii() and self.key.isprintable()):
            raise ModelError(f"the variable {self.key_variable} holds signs that stand in no key")
        if self.key and parts.scheme != "https" and parts.hostname not in HERE:
            raise ModelError(f"{where}: a key is sent over https only, or to this machine")
        for name in self.more:
            if name in OWN or "key" in name.lower() or "authorization" in name.lower():
                raise ModelError(f"--set {name}: is not to be set; the key is in {self.key_variable}")

    @property
    def key(self) -> str:
        """The key, "" for none."""
        return os.environ.get(self.key_variable, "").strip()

    @property
    def url(self) -> str:
        """Where it is asked, without the path that the protocol adds."""
        return self.address.partition("#")[0].rstrip("/").removesuffix(PATH)

    def reply(self, request: Request) -> Response:
        """Ask, again where that may help. Raises ModelError; Overflow where the conversation is too long."""
        for turn in range(self.retries + 1):
            try:
                return self._response(request, self._post(request))
            except RetryableError as problem:
                if turn == self.retries:
                    tries = "once" if turn == 0 else f"{turn + 1} times"
                    raise ModelError(f"{self._name}: {problem}; asked {tries}") from None
                # Twice as long each time, with chance in it: games do not come back all at once.
                own = min(LONGEST, FIRST * 2**turn * random.uniform(0.75, 1.25))
                self.sleep(own if problem.wait is None else min(PATIENCE, max(problem.wait, 0.0)))
        raise AssertionError("the last turn returns or raises")

    @property
    def _name(self) -> str:
        """What errors call it."""
        return self.called or self.url + PATH

    # ---- One exchange ----------------------------------------------------------------------------------------------

    def _post(self, request: Request) -> bytes | None:
        """The bytes of an answer; None for one that is too long. Raises RetryableError or ModelError."""
        try:
            return asyncio.run(asyncio.wait_for(self._exchange(request), self.timeout))
        except (TimeoutError, openai.APITimeoutError):
            raise RetryableError(f"did not answer within {self.timeout:g} s") from None
        except openai.APIStatusError as error:
            self._refused(error.response)
        except Exception as error:
            chain = list(_chain(error))
            if any(isinstance(one, _TooMuch) for one in chain):
                return None
            if not any(isinstance(one, openai.APIConnectionError | httpx2.HTTPError | OSError) for one in chain):
                raise
            found = [one for one in chain if isinstance(one, OSError)]
            why = next((os.strerror(one.errno) for one in found if one.errno), str((found or chain)[-1]))
            what = "cannot be reached" if isinstance(error.__cause__, httpx2.ConnectError) else "broke off"
            raise RetryableError(f"{what}: {self._clean(why) or type(chain[-1]).__name__}") from None

    async def _exchange(self, request: Request) -> bytes:
        """Ask once."""
        body = dict(self.more) | ({} if self.temperature is None else {"temperature": self.temperature})
        body |= {} if self.longest is None else {self._limit[0]: self.longest}
        local = urlsplit(self.address).hostname in HERE  # a proxy would be given the key
        hooks = {"request": [self._only_what_is_needed], "response": [_bound]}
        async with (
            httpx2.AsyncClient(
                verify=self._trusted, timeout=None, follow_redirects=False, trust_env=not local, event_hooks=hooks
            ) as link,
            openai.AsyncOpenAI(
                api_key=self.key or "none", base_url=self.url, max_retries=0, http_client=link
            ) as client,
        ):
            asked: Any = request.messages
            ask = client.chat.completions.with_raw_response.create
            answer = await ask(model=urlsplit(self.address).fragment, messages=asked, extra_body=body, timeout=None)
            return answer.content

    @cached_property
    def _trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    async def _only_what_is_needed(self, request: httpx2.Request) -> None:
        """Send no header but these: the library takes some from the environment, and tells of this machine."""
        headers = {name: value for name, value in request.headers.items() if name in (*SENT, ASKED)}
        headers |= {"user-agent": "theogony", "accept-encoding": "identity"}
        request.headers = httpx2.Headers(headers | ({"authorization": f"Bearer {self.key}"} if self.key else {}))

    def _refused(self, answer: httpx2.Response) -> NoReturn:
        """Raise what a status means."""
        status, said = answer.status_code, self._reason(answer)
        if status in (401, 403):
            found = "was refused" if self.key else "is not set"
            raise ModelError(f"{self._name}: status {status}: the key in {self.key_variable} {found}")
        if status == 400 and self.longest is not None and LIMITS[1] in said and self._limit[0] == LIMITS[0]:
            self._limit[0] = LIMITS[1]
            raise RetryableError(f"status 400: {said}", 0.0)
        if status == 413 or (status in (400, 422, 500) and TOO_LONG.search(said)):
            raise Overflow(f"{self._name}: status {status}: {said}")
        if status in AGAIN:
            what = "limits how often it is asked" if status == 429 else f"failed: {said}".removesuffix(": ")
            raise RetryableError(f"status {status}: {what}", _seconds(answer.headers.get("Retry-After", "")))
        raise ModelError(f"{self._name}: status {status}: {said or self._clean(answer.reason_phrase)}")

    def _reason(self, answer: httpx2.Response) -> str:
        """What a refusal says; of a long one not the end, which may be half a key."""
        text = self._cut(answer.content.decode("utf-8", "replace"))
        return self._clean(text[: -2 * len(self.key)] if self.key and len(answer.content) >= REFUSAL else text)

    # ---- What an answer says ---------------------------------------------------------------------------------------

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
        """Without the key, should an endpoint repeat it; also as JSON or Python would write it. Where the endpoint has
        another name, without its host."""
        key, host = self.key, urlsplit(self.address).netloc if self.called else ""
        forms = (key, key.replace("/", "\\/"), json.dumps(key)[1:-1], repr(key)[1:-1], host, host.partition(":")[0])
        for form in filter(None, forms):
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
    fields = [message.get(name) for name in THOUGHT]
    fields += [part.get("thinking") for part in parts if isinstance(part, dict)]
    thought = [field if isinstance(field, str) else json.dumps(field, ensure_ascii=False) for field in fields if field]
    return "".join(part for part in said if isinstance(part, str)), "\n\n".join(dict.fromkeys(thought))


def _chain(error: BaseException | None) -> list[BaseException]:
    """An error, and what led to it."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _seconds(told: str) -> float | None:
    """What `Retry-After` asks for, seconds or a date; None for anything else."""
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", told):
        return float(told)
    try:
        return email.utils.parsedate_to_datetime(told[:100]).timestamp() - time.time()
    except (ValueError, TypeError):
        return None


def _number(told: Any, most: int) -> int | float | None:
    """A number that an endpoint tells of a reply; None for what cannot be one, which counts as if it told none."""
    known = isinstance(told, int | float) and not isinstance(told, bool) and 0 <= told <= most
    return told if known else None
