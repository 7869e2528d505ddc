"""Models of the user's own: `module:callable`, text in and text out, and a command that reads and writes lines."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import select
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

from theogony.envs.core.contract.faults import has_own_place, place_of
from theogony.models.ask.said import Asked, ModelError, Said, estimated

LONGEST = 1 << 22  # bytes of a line
NAMED = "http://host/v1#model, module:callable, a file strategy.py that is there, or a command"
ENDING = 1.0  # seconds that a program has to end by itself


class Function:
    """A function `(text) -> text`. It gets the whole conversation as one text, from one thread at a time."""

    def __init__(self, name: str) -> None:
        module, _, attribute = name.partition(":")
        try:
            function: Any = getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            raise ModelError(f"{name}: there is no module {error.name!r}") from None
        except Exception as error:
            raise ModelError(f"{name}: {place_of(error) if has_own_place(error) else error}") from error
        if not callable(function):
            raise ModelError(f"{name}: is {type(function).__name__}; expected a function, text in and text out")
        self._function: Callable[[str], Any] = function
        self.name, self._lock = name, threading.Lock()

    def reply(self, asked: Asked) -> Said:
        """What the function returns. Raises ModelError when it fails, or returns something else than text."""
        try:
            with self._lock:
                text = self._function("\n\n".join(message["content"] for message in asked.messages))
        except Exception as error:
            where = place_of(error) if has_own_place(error) else f"{type(error).__name__}: {error}"
            raise ModelError(f"{self.name}: {where}") from error
        if not isinstance(text, str):
            raise ModelError(f"{self.name}: returned {type(text).__name__}; expected a text")
        return estimated(asked, text)


class Command:
    """A program that reads a line of JSON, `{"messages": [...]}`, and writes one: a string, `{"content": "..."}`, or
    plain text. Games that are played at once have a process each."""

    def __init__(self, command: str, timeout: float = 120.0) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ModelError(f"{command}: {error}") from None
        if shutil.which(self._words[0]) is None:
            raise ModelError(f"{self._words[0]}: cannot be run: there is no such program; expected {NAMED}")
        self.name, self.timeout = command, timeout
        self._idle: queue.SimpleQueue[subprocess.Popen[bytes]] = queue.SimpleQueue()

    def reply(self, asked: Asked) -> Said:
        """What the program says. Raises ModelError when it ends, or takes too long."""
        process = self._process()
        try:
            line = self._answer(process, json.dumps({"messages": asked.messages}).encode() + b"\n")
        except BaseException:
            process.kill()
            raise
        self._idle.put(process)
        return estimated(asked, _text_of(line))

    def close(self) -> None:
        """End the processes: no line comes any more, and one that does not see that is killed."""
        with contextlib.suppress(queue.Empty):
            while True:
                process = self._idle.get_nowait()
                try:
                    process.communicate(timeout=ENDING)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()

    def _process(self) -> subprocess.Popen[bytes]:
        with contextlib.suppress(queue.Empty):
            return self._idle.get_nowait()
        try:
            return subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise ModelError(f"{self._words[0]}: cannot be run: {error.strerror}") from None

    def _answer(self, process: subprocess.Popen[bytes], asked: bytes) -> str:
        assert process.stdin is not None and process.stdout is not None
        end, line, unsent = time.monotonic() + self.timeout, b"", memoryview(asked)
        os.set_blocking(process.stdin.fileno(), False)  # more than a pipe holds waits for a program that does not read
        try:
            while unsent or not line.endswith(b"\n"):
                left = max(0.0, end - time.monotonic())
                said, reads, _ = select.select([process.stdout], [process.stdin] if unsent else [], [], left)
                if not said and not reads:
                    raise ModelError(f"{self.name}: did not answer within {self.timeout:g} s")
                if reads:
                    unsent = unsent[process.stdin.write(unsent) or 0 :]
                if not said:
                    continue
                part = process.stdout.read(1 << 16)
                if not part:
                    raise ModelError(f"{self.name}: ended with {process.wait()}; expected a line for every line")
                line += part
                if len(line) > LONGEST:
                    raise ModelError(f"{self.name}: wrote a line of more than {LONGEST:,} bytes")
        except OSError as error:
            raise ModelError(f"{self.name}: does not read on: {error.strerror}") from None
        return line.decode("utf-8", "replace")


def _text_of(line: str) -> str:
    """The reply that a line holds."""
    with contextlib.suppress(ValueError, RecursionError):
        data = json.loads(line)
        if isinstance(data, dict):
            data = data.get("content")
        if isinstance(data, str):
            return data
    return line.rstrip("\r\n")
