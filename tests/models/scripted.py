"""A local server that speaks the chat protocol and answers by scripts: `http://127.0.0.1:PORT/v1#policy`.

`python tests/models/scripted.py PORT` serves until Ctrl-C.
"""

from __future__ import annotations

import json
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LISTED = re.compile(r"^(?:- |\d+\. )(.*)$", re.MULTILINE)
WRITTEN = 10  # tokens that every reply is said to have
HINT = re.compile(r"^Hint: .*? would play: (.*)$", re.MULTILINE)


def listed(text: str) -> list[str]:
    """The legal moves that a text lists."""
    return LISTED.findall(text.rpartition("Legal moves:")[2])


def last(messages: list[dict[str, str]]) -> str:
    """The last of what the model was sent that lists moves: behind a refusal too there is a list."""
    return next((m["content"] for m in reversed(messages) if "Legal moves:" in m["content"]), messages[-1]["content"])


def first_legal(messages: list[dict[str, str]]) -> str:
    """The first move of the list, after some thoughts; or a lesson, when that is asked for."""
    if "The game is over" in messages[-1]["content"]:
        return "Lesson: take the first."
    moves = listed(last(messages))
    return f"I must not {moves[-1]} here.\nMove: {moves[0]}"


def random_legal(messages: list[dict[str, str]]) -> str:
    """Any legal move, drawn from the text, so that a run that is stopped and goes on is the same run."""
    text = last(messages)
    return f"Move: {random.Random(text).choice(listed(text))}"


def hinted(messages: list[dict[str, str]]) -> str:
    """The move of the hint."""
    return f"Move: {HINT.findall(last(messages))[-1]}"


def two_moves(messages: list[dict[str, str]]) -> str:
    """Two moves in one line; when that is refused, one."""
    moves = listed(last(messages))
    return f"Move: {moves[0]}" if len(messages) > 2 else f"Move: {moves[0]} or {moves[-1]}"


def nonsense(messages: list[dict[str, str]]) -> str:
    """No move at all."""
    return "The weather is fine."


def over_long(messages: list[dict[str, str]]) -> str:
    """More than anybody reads; when that is refused, a move."""
    return first_legal(messages) if len(messages) > 2 else "so " * 50_000 + f"\nMove: {listed(last(messages))[0]}"


POLICIES: dict[str, Callable[[list[dict[str, str]]], str]] = {
    "first": first_legal,
    "random": random_legal,
    "hinted": hinted,
    "two": two_moves,
    "nonsense": nonsense,
    "long": over_long,
}


class Scripted(ThreadingHTTPServer):
    """`seen` has every request; `faults` are (status, headers, body) or functions of the handler, one an answer, before
    policies are asked again."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.seen: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.faults: list[Any] = []
        self.always: Any = None  # a fault that does not go away
        self.most = 0  # letters of a conversation that it reads, 0 for any number
        self.lock = threading.Lock()

    def address(self, policy: str) -> str:
        """The name of a model for `theogony models`."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1#{policy}"


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Scripted  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        """`/v1/chat/completions`."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append(asked)
            self.server.keys.append(self.headers.get("Authorization"))
            fault = self.server.faults.pop(0) if self.server.faults else self.server.always
        if callable(fault):
            fault(self)
        elif fault is not None:
            self.answer(*fault)
        elif 0 < self.server.most < sum(len(message["content"]) for message in asked["messages"]):
            self.answer(400, {}, {"error": {"message": "This model's maximum context length is 7 tokens."}})
        else:
            text = POLICIES[asked["model"]](asked["messages"])
            letters = sum(len(message["content"]) for message in asked["messages"])
            usage = {"prompt_tokens": letters // 5, "completion_tokens": WRITTEN}
            usage["total_tokens"] = sum(usage.values())
            whole = {"id": "1", "object": "chat.completion", "created": 0, "model": asked["model"], "usage": usage}
            if asked.get("stream"):
                return self.stream(whole, text)
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            self.answer(200, {}, {**whole, "choices": [choice]})

    def stream(self, whole: dict[str, Any], text: str) -> None:
        """The same in pieces, as clients ask for that show words while they come."""
        said = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
        end = {"index": 0, "delta": {}, "finish_reason": "stop"}
        pieces = [{**whole, "object": "chat.completion.chunk", "choices": [one]} for one in (said, end)]
        lines = [f"data: {line}\n\n" for line in (*map(json.dumps, pieces), "[DONE]")]
        self.answer(200, {"Content-Type": "text/event-stream"}, "".join(lines).encode())

    def answer(self, status: int, headers: dict[str, str], body: Any) -> None:
        """Send an answer, and break off where the other side has."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def trickle(handler: Handler) -> None:
    """An answer that never ends, a byte now and then."""
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(1000):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.02)
    except OSError:
        pass


def cut_off(status: int) -> Callable[[Handler], None]:
    """An answer in chunks that ends within one."""

    def fault(handler: Handler) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(status)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"1000\r\nnot as much as that")
        handler.close_connection = True

    return fault


def no_protocol(handler: Handler) -> None:
    """An answer that is not HTTP."""
    handler.wfile.write(b"good morning\r\n\r\n")
    handler.close_connection = True


def flood(handler: Handler) -> None:
    """An answer of which there is more than anybody reads."""
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(200):
            handler.wfile.write(b"x" * (1 << 16))
    except OSError:
        pass


def echo_key(status: int) -> Callable[[Handler], None]:
    """An answer that repeats the key."""

    def fault(handler: Handler) -> None:
        handler.answer(status, {}, {"error": {"message": f"no such model for {handler.headers['Authorization']}"}})

    return fault


@contextmanager
def serving() -> Iterator[Scripted]:
    """A server on this machine, until the block ends."""
    server = Scripted()
    thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    Scripted(int(sys.argv[1])).serve_forever()
