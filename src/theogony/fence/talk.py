"""Questions and answers over the pipes of a process, each within a time and a length."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from typing import IO

from theogony.envs.core.untrusted.outside import printable

PART = 1 << 16  # bytes
SHOWN = 1 << 20  # bytes of what a process says besides


class Silent(Exception):
    """A process has not answered: it was too slow, it has ended (with this code), or said too much."""


class Talk:
    """A process that answers. After an error it is ended and answers no more."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.process, self._in, self._out = process, process.stdin, process.stdout
        if process.stderr is not None:
            threading.Thread(target=_repeat, args=(process.stderr,), daemon=True).start()
        os.set_blocking(self._in.fileno(), False)  # more than a pipe holds waits for a program that does not read
        self._unsent, self._said, self._end, self._seconds = memoryview(b""), bytearray(), 0.0, 0.0

    def ask(self, question: bytes, seconds: float) -> None:
        """Say this; so long may the answer take. What was said unasked is dropped."""
        self._unsent, self._seconds, self._end = memoryview(question), seconds, time.monotonic() + seconds
        self._said.clear()

    def line(self, most: int) -> bytes:
        """The next line of the answer. Raises Silent."""
        seen = 0
        while (at := self._said.find(b"\n", seen)) < 0:
            seen = len(self._said)
            if seen > most:
                self._fail(f"wrote a line of more than {most:,} bytes")
            self._more()
        return self._taken(at + 1)

    def exactly(self, count: int) -> bytes:
        """So many bytes of the answer. Raises Silent."""
        while len(self._said) < count:
            self._more()
        return self._taken(count)

    def end(self, seconds: float = 0.0) -> None:
        """Ask nothing more; what has not ended after so many seconds is killed, with all that it has started."""
        with contextlib.suppress(OSError):  # what was still to be written has nobody to read it
            self._in.close()
        if seconds:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        self.process.kill()
        self.process.wait()
        self._out.close()

    def _taken(self, count: int) -> bytes:
        taken = bytes(self._said[:count])
        del self._said[:count]
        return taken

    def _more(self) -> None:
        """Wait for a part of the answer, and say what is still unsaid meanwhile."""
        waits = select.poll()
        waits.register(self._out, select.POLLIN)
        if self._unsent:
            waits.register(self._in, select.POLLOUT)
        ready = [file for file, _ in waits.poll(max(0.0, self._end - time.monotonic()) * 1000)]
        if not ready:
            self._fail(f"did not answer within {self._seconds:g} s")
        if self._in.fileno() in ready:
            try:
                self._unsent = self._unsent[self._in.write(self._unsent) or 0 :]
            except OSError as error:
                self._fail(f"does not read on: {error.strerror}")
        if self._out.fileno() in ready:
            part = os.read(self._out.fileno(), PART)
            if not part:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(1.0)
                code = self.process.poll()
                self._fail("closed its output" if code is None else f"ended with {code}")
            self._said += part

    def _fail(self, why: str) -> None:
        self.end()
        raise Silent(why)


def _repeat(said: IO[bytes]) -> None:
    """Repeat what a process says besides its answers, up to a length; our terminal itself is not handed to it."""
    left = SHOWN
    with said:
        while part := said.read(PART):
            if left > 0:
                print(printable(part[:left].decode("utf-8", "replace")), end="", file=sys.stderr, flush=True)
            left -= len(part)
