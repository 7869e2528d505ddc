"""An endpoint has the time it was given for the whole exchange, whatever it sends, takes or repeats meanwhile."""

from __future__ import annotations

import itertools
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from theogony.models.ask import ModelError, Request
from theogony.models.endpoint import SHOWN, Endpoint

TIMEOUT, PAUSE = 1.0, 0.05
LATE = 1.5  # seconds beyond the timeout on a machine that is busy
Speech = Callable[[], Iterator[bytes]]
OK = b"HTTP/1.1 200 OK\r\n"


def endless(*parts: bytes) -> Iterator[bytes]:
    """The first parts, then the last one again and again."""
    yield from parts[:-1]
    yield from itertools.repeat(parts[-1])


SPEECHES: dict[str, Speech] = {
    "nothing": lambda: endless(b""),
    "a status line byte by byte": lambda: endless(b"HTTP/1.1 200 ", b"O"),
    "continue without end": lambda: endless(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "continue with headers": lambda: endless(b"HTTP/1.1 100 Continue\r\n", b"X: y\r\n"),
    "a header byte by byte": lambda: endless(OK + b"X: ", b"y"),
    "many short headers": lambda: endless(OK, b"X: y\r\n"),
    "a body byte by byte": lambda: endless(OK + b"Content-Length: 1000\r\n\r\n", b" "),
    "a body without length": lambda: endless(OK + b"\r\n", b" "),
    "chunks": lambda: endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "the size of a chunk": lambda: endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
    "the extension of a chunk": lambda: endless(OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
    "trailers": lambda: endless(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n"),
    "the body of a refusal": lambda: endless(b"HTTP/1.1 400 Bad\r\nContent-Length: 1000\r\n\r\n", b"x"),
    "the headers of a redirect": lambda: endless(b"HTTP/1.1 302 Found\r\nLocation: /\r\n", b"X: y\r\n"),
}


class Slow:
    """Serves one connection: says a part every so often, and reads nothing more."""

    def __init__(self, speech: Speech, context: ssl.SSLContext | None = None) -> None:
        self.speech, self.context, self.over = speech, context, threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Slow:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.socket.close()
        self.thread.join(5)

    def _serve(self) -> None:
        try:
            made = self.socket.accept()[0]
            with self.context.wrap_socket(made, server_side=True) if self.context else made as link:
                for part in self.speech():
                    link.sendall(part)
                    if self.over.wait(PAUSE):
                        return
        except OSError:
            return


def error_within(address: str) -> str:
    """What an endpoint is said to have done, in time."""
    begun = time.monotonic()
    with pytest.raises(ModelError) as caught:
        Endpoint(address, timeout=TIMEOUT, retries=0).reply(Request([{"role": "user", "content": "x"}]))
    assert time.monotonic() - begun < TIMEOUT + LATE
    return str(caught.value)


@pytest.mark.parametrize("name", SPEECHES)
def test_an_exchange_is_over_in_time(name: str) -> None:
    with Slow(SPEECHES[name]) as slow:
        said = error_within(f"http://127.0.0.1:{slow.port}/v1#m")
    assert "did not answer within 1 s" in said or "status 400: Bad" in said


def test_a_handshake_is_over_in_time() -> None:
    with Slow(lambda: endless(b"\x16\x03\x03\x40\x00", b"\x02")) as slow:
        assert "did not answer within 1 s" in error_within(f"https://127.0.0.1:{slow.port}/v1#m")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
@pytest.mark.parametrize("name", ["continue without end", "a header byte by byte", "chunks"])
def test_an_exchange_over_https_is_over_in_time(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "both.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run(
        ["openssl", *words.split(), "-keyout", file, "-out", tmp_path / "cert.pem"], check=True, capture_output=True
    )
    file.write_text(file.read_text() + (tmp_path / "cert.pem").read_text())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with Slow(SPEECHES[name], context) as slow:
        assert "did not answer within 1 s" in error_within(f"https://localhost:{slow.port}/v1#m")


def test_a_proxy_that_trickles_is_over_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with Slow(SPEECHES["a header byte by byte"]) as slow:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{slow.port}")
        monkeypatch.setenv("no_proxy", "")
        assert "did not answer within 1 s" in error_within("https://example.invalid/v1#m")


def test_who_does_not_read_a_long_question_is_over_in_time() -> None:
    with Slow(SPEECHES["nothing"]) as slow:
        begun = time.monotonic()
        with pytest.raises(ModelError, match="did not answer within 1 s"):
            long = Request([{"role": "user", "content": "x" * (32 << 20)}])
            Endpoint(f"http://127.0.0.1:{slow.port}/v1#m", timeout=TIMEOUT, retries=0).reply(long)
        assert time.monotonic() - begun < TIMEOUT + LATE


LONG = b"secret" * 10_000
HEADS = {
    "a status line": LONG + b"\r\n\r\n",
    "a status": b"HTTP/1.1 " + LONG + b" OK\r\n\r\n",
    "a version": b"HTTP/" + LONG + b" 200 OK\r\n\r\n",
    "a reason": b"HTTP/1.1 500 " + LONG + b"\r\nContent-Length: 0\r\n\r\n",
    "a header": OK + b"X: " + LONG * 2 + b"\r\n\r\n",
    "many headers": OK + b"X: y\r\n" * 1000 + b"\r\n",
    "a length": OK + b"Content-Length: " + b"9" * 60_000 + b"\r\n\r\n{}",
    "a size of a chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n" + LONG + b"\r\n",
    "a time to wait": b"HTTP/1.1 429 Slow\r\nContent-Length: 0\r\nRetry-After: " + b"9" * 60_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("name", HEADS)
def test_what_an_error_repeats_of_a_head_is_cut(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And holds no key."""
    monkeypatch.setenv("THEOGONY_MODEL_KEY", "secret")
    with Slow(lambda: iter([HEADS[name]])) as slow:
        said = error_within(f"http://127.0.0.1:{slow.port}/v1#m")
    assert len(said) < 2 * SHOWN and "secret" not in said
