"""The local page from outside: every route as every seat and as nobody, and whatever does not fit."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from typing import Any

import pytest
from serving import Opener, Served

from theogony.envs.core.gamerecord import read_record
from theogony.play import guard, table
from theogony.play.launch import PortError, listening
from theogony.play.session import LARGEST

NOBODY = "/seat/AAAAAAAAAAAAAAAAAAAAAAAA/"
ASKED = ("", "news", "frame?ply=0", "picture.svg", "replay.html")
SENT = ("sit", "play", "undo", "hint", "hurry")


def secrets_of(at: Served, seat: int | None) -> list[str]:
    """What must be in no answer to a viewer: the seed, the record, the links of the others."""
    links = [link for number, link in enumerate(at.kept.links) if link is not None and number != seat]
    return [str(at.table.position.seed), at.record.name, *links, *([at.kept.watch] if seat is not None else [])]


def test_every_route_as_everybody(served: Opener) -> None:
    """Seats see their own picture and choices; those who look on see what is public; nobody sees anything."""
    at = served("innovation", ["human", "human", "human"], seed=765_432_198_765)
    for k in range(8):
        assert at.play(at.table.position.actor, int(at.table.position.legal_actions()[k % 2]))[0] == 200
    for seat in (None, 0, 1, 2):
        for name in ASKED:
            status, body, headers = at.ask("GET", at.path(seat) + name)
            assert status == 200, (seat, name, body)
            assert headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"
            for secret in secrets_of(at, seat):
                assert secret not in body.decode()
        shown = at.get(seat, "news")["frames"][-1]
        assert shown["svg"].encode() == at.ask("GET", at.path(seat) + "picture.svg")[1]
        assert bool(shown["choices"]) == (seat == at.table.position.actor)
    before = at.table.position.key()
    for name in (*ASKED, *SENT, "events?window=x", "anything"):
        for method in ("GET", "POST"):
            status, body, _ = at.ask(method, NOBODY + name, {"window": "x"} if method == "POST" else None)
            assert status in (404, 405), (name, method)
            assert len(body) < 200 and not any(secret.encode() in body for secret in secrets_of(at, None))
    assert at.ask("GET", "/")[0] == 403
    for path in ("/static/play.html", "/static/..%2fseen.py", "/static/", "/seat/", "/docs", "/openapi.json"):
        assert at.ask("GET", path)[0] == 404
    assert at.table.position.key() == before


def test_every_message_as_everybody(served: Opener) -> None:
    at = served("push_of_faith", ["human", "human", "human"])
    action = int(at.table.position.legal_actions()[0])
    refused = [(1, "play"), (2, "hint"), (1, "undo"), (0, "undo"), (0, "hurry")]
    for seat, name in [(None, name) for name in SENT[1:]] + refused:
        content: dict[str, Any] = {"decision": at.table.decision}
        content |= {"action": action, "epoch": "none", "after": -1} if name == "play" else {}
        status, answer = at.post(seat, name, **content)
        assert status == 409 and answer["error"], (seat, name)
    assert at.table.position.now == 0
    status, answer = at.play(0, action)
    assert status == 200 and answer["now"] == 1 and answer["moves"][0]["seat"] == 0


def test_twice_and_out_of_turn(served: Opener) -> None:
    at = served("push_of_faith", ["human", "human"])
    decision, action = at.table.decision, int(at.table.position.legal_actions()[0])
    assert at.play(0, action, decision)[0] == 200
    status, answer = at.play(at.table.position.actor, action, decision)
    assert status == 409 and "was taken already" in answer["error"]
    status, answer = at.play(1 - at.table.position.actor, action)
    assert status == 409 and "it is not your turn" in answer["error"]
    assert read_record(at.record).now == 1


@pytest.mark.parametrize(
    ("content", "status", "problem"),
    [
        (b"{", 400, "the message: is not JSON"),
        (b"[]", 400, "the message: Input should be"),
        (b"\xff\xfe", 400, "the message: is not"),
        (b'{"window": "w"}', 400, "Field required"),
        (b'{"window": "w", "decision": "d", "action": "1", "epoch": "e", "after": 0}', 400, "action: Input should be"),
        (b'{"window": "w", "decision": "d", "action": -1, "epoch": "e", "after": 0}', 400, "action: Input should be"),
        (b'{"window": "w", "decision": "d", "action": 1e99, "epoch": "e", "after": 0}', 400, "action"),
        (b'{"window": "<b>", "decision": "d", "action": 1, "epoch": "e", "after": 0}', 400, "window: String should"),
        (b'{"window": "w", "decision": "d", "action": 1, "epoch": "e", "after": 0, "seat": 1}', 400, "seat: Extra"),
        (b"[" * 3000, 400, "nested"),
        (b" " * (LARGEST + 1), 413, "too large"),
    ],
)
def test_what_does_not_fit_is_refused(served: Opener, content: bytes, status: int, problem: str) -> None:
    at = served("push_of_faith", ["human", "random"])
    found, body, _ = at.ask("POST", at.path(0) + "play", content)
    assert (found, problem in json.loads(body)["error"]) == (status, True), body
    assert at.play(0, int(at.table.position.legal_actions()[0]))[0] == 200  # the game goes on


def test_more_than_was_announced(served: Opener) -> None:
    """A body without a length is counted while it comes in."""
    at = served("push_of_faith", ["human", "random"])
    with socket.create_connection(("127.0.0.1", at.port), timeout=20) as line:
        head = f"POST {at.path(0)}play HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        line.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        line.sendall(b"".join(b"400\r\n" + b" " * 1024 + b"\r\n" for _ in range(6)) + b"0\r\n\r\n")
        assert b" 413 " in line.recv(4096).splitlines()[0] + b" "


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 403),
        ({"host": "evil.example:80"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": "localhost@evil.example"}, 403),
        ({"host": "[::1"}, 403),
        ({"host": ""}, 403),
        ({"host": "localhost/evil.example"}, 403),
        ({"host": "127.0.0.1?evil.example"}, 403),
        ({"host": "localhost#evil.example:1"}, 403),
        ({"host": "evil@localhost"}, 403),
        ({"host": "::1"}, 403),
        ({"host": "localhost."}, 403),
        ({"host": "localhost:"}, 403),
        ({"host": "localhost:1x"}, 403),
        ({"host": "localhost:123456"}, 403),
        ({"host": "[::1]:80"}, 200),
        ({"host": "localhost:1"}, 200),  # through a tunnel
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://localhost"}, 403),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}, 403),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}, 200),  # a link in a mail
    ],
)
def test_other_hosts_and_origins(served: Opener, headers: dict[str, str], status: int) -> None:
    at = served("push_of_faith", ["human", "random"])
    assert at.ask("GET", at.path(0) + "news", **headers)[0] == status


def test_other_methods_types_and_lengths(served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    message = {"window": "w", "take": False}
    assert at.ask("POST", at.path(0) + "sit", message, content_type="text/plain")[0] == 415
    assert at.ask("POST", at.path(0) + "sit", message, origin=f"http://127.0.0.1:{at.port}")[0] == 200
    assert at.ask("PUT", at.path(0) + "sit", message)[0] == 405
    assert at.ask("GET", at.path(0) + "news?after=" + "1" * 3000)[0] == 414
    assert at.ask("POST", at.path(0) + "sit", message, content_length="99999999")[0] == 413
    for query in ("news?after=x", "news?after=1e9", "news?after=99999999999", "frame?ply=", "frame?ply=-x"):
        status, body, _ = at.ask("GET", at.path(0) + query)
        assert status == 400 and "a number was expected" in json.loads(body)["error"]
    for query in ("frame?ply=5", "frame?ply=-1"):
        assert at.ask("GET", at.path(0) + query)[0] == 409
    assert at.ask("GET", at.path(0) + "events?window=" + "x" * 100)[0] == 400


def events(at: Served, seat: int, window: str) -> socket.socket:
    """A window that listens; its first line has come."""
    line = socket.create_connection(("127.0.0.1", at.port), timeout=20)
    line.sendall(f"GET {at.path(seat)}events?window={window} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return line


def test_a_taken_seat(served: Opener) -> None:
    """A second window is refused until the first has gone, or until it takes the seat over."""
    at = served("push_of_faith", ["human", "random"])
    with events(at, 0, "first") as line:
        assert b"200 OK" in line.recv(100)
        status, answer = at.post(0, "sit", take=False)
        assert status == 409 and answer["taken"] and "this seat is taken" in answer["error"]
        assert at.play(0, int(at.table.position.legal_actions()[0]))[0] == 409
        with events(at, 0, "second") as refused:
            assert b"409" in refused.recv(100)
        assert at.post(0, "sit", take=True)[0] == 200
        text = b""
        while b"event: taken" not in text:
            text += line.recv(4096)
    assert at.play(0, int(at.table.position.legal_actions()[0]))[0] == 200


def test_a_seat_is_free_when_its_window_has_gone(served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    with events(at, 0, "first") as line:
        line.recv(100)
        assert at.get(0, "news")["here"] == [0]
    at.wait(lambda: at.get(0, "news")["here"] == [])
    assert at.post(0, "sit", take=False)[0] == 200


# ---------------------------------------------------------------------------------------------------- connections


def half_open(at: Served, stack: contextlib.ExitStack, count: int, address: str = "127.0.0.1") -> list[socket.socket]:
    """Connections on which half a request was sent."""
    lines = []
    for _ in range(count):
        line = socket.create_connection(("127.0.0.1", at.port), timeout=20, source_address=(address, 0))
        stack.callback(line.close)
        with contextlib.suppress(OSError):  # it may be closed already
            line.sendall(f"GET {at.path(0)}news HTTP/1.1\r\nHost: local".encode())
        lines.append(line)
    return lines


def test_half_open_connections_keep_nobody_out(served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    with contextlib.ExitStack() as stack:
        half_open(at, stack, 300)
        for _ in range(3):
            assert at.ask("GET", at.path(0) + "news")[0] == 200


def test_a_half_open_connection_is_given_up(served: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one on which the head of a request has come, and its body does not."""
    monkeypatch.setattr(guard, "PATIENCE", 0.3)
    at = served("push_of_faith", ["human", "random"])
    with contextlib.ExitStack() as stack:
        lines = half_open(at, stack, 2)
        head = "localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
        lines[1].sendall(b"host\r\n\r\n")
        assert b"200 OK" in lines[1].recv(100)  # in time
        posted = socket.create_connection(("127.0.0.1", at.port), timeout=20)
        stack.enter_context(posted)
        posted.sendall(f"POST {at.path(0)}sit HTTP/1.1\r\nHost: {head}".encode())
        for line in (lines[0], posted):
            with contextlib.suppress(ConnectionResetError):
                assert line.recv(100) == b""


def test_waiting_connections_are_counted_by_address(served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    with contextlib.ExitStack() as stack:
        line = half_open(at, stack, 1)[0]
        try:
            half_open(at, stack, 300, "127.0.0.2")
        except OSError:
            pytest.skip("this machine has one address")
        line.sendall(b"host\r\n\r\n")
        assert b"200 OK" in line.recv(100)


def test_a_window_that_listens_does_not_wait(served: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PATIENCE", 0.2)
    at = served("push_of_faith", ["human", "human"])
    with events(at, 1, "other") as line:
        time.sleep(0.6)
        assert at.play(0, int(at.table.position.legal_actions()[0]))[0] == 200
        text = b""
        while at.table.decision.encode() not in text:
            more = line.recv(4096)
            assert more, "the stream was closed"
            text += more


def test_changes_are_announced(served: Opener) -> None:
    at = served("push_of_faith", ["human", "human"])
    with events(at, 1, "other") as line:
        text = b""
        while b"data:" not in text:
            text += line.recv(4096)
        assert at.play(0, int(at.table.position.legal_actions()[0]))[0] == 200
        while at.table.decision.encode() not in text:
            text += line.recv(4096)


def test_one_answer_tells_what_quick_bots_did(served: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window asks once; nobody waits for a search."""
    monkeypatch.setattr(table, "MOMENT", 60.0)
    for opponent, waits in (("greedy", True), ("mcts:999999", False)):
        at, bots = served("push_of_faith", ["human", opponent], seed=len(opponent)), 0
        while not bots:
            status, answer = at.play(0, int(at.table.position.legal_actions()[0]))
            bots += any(move["seat"] == 1 for move in answer["moves"]) or answer["frames"][-1]["actor"] == 1
            assert status == 200 and (answer["frames"][-1]["actor"] == 0 or not waits)
        assert waits or answer["hurry"]


def test_what_is_sent_does_not_wait_for_more() -> None:
    """asyncio turns Nagle's algorithm off where a socket says that it is one of TCP; with it an answer takes 40 ms."""

    async def asked(found: socket.socket) -> int:
        set_off: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def heard(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            its: socket.socket = writer.get_extra_info("socket")
            set_off.set_result(its.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

        async with await asyncio.start_server(heard, sock=found):
            _, writer = await asyncio.open_connection(*found.getsockname())
            writer.close()
            return await set_off

    with listening(0, fall_back=False) as found:
        assert asyncio.run(asked(found)) != 0


def test_a_port_in_use() -> None:
    with listening(0, fall_back=False) as found:
        port = found.getsockname()[1]
        assert found.getsockname()[0] == "127.0.0.1"
        with pytest.raises(PortError, match=f"port {port}: .*in use; name another one"), listening(port, False):
            pass
        with listening(port, fall_back=True) as other:
            assert other.getsockname()[1] != port


def test_no_web_socket_is_opened(served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    with socket.create_connection(("127.0.0.1", at.port), timeout=20) as line:
        wanted = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        line.sendall(f"GET / HTTP/1.1\r\nHost: localhost\r\n{wanted}Sec-WebSocket-Version: 13\r\n\r\n".encode())
        assert b"101" not in line.recv(100).splitlines()[0]
