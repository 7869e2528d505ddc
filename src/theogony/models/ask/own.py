"""Models of the user's own: `module:callable`, text in and text out, and a command that reads and writes lines."""

from __future__ import annotations

import contextlib
import importlib
import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Callable
from typing import Any

from theogony.envs.core.contract.faults import has_own_place, place_of
from theogony.fence.room import called
from theogony.fence.talk import Silent, Talk
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
    plain text. It sees what is installed in the system, and the files and folders that the command names. Games that
    are played at once have a process each. Raises ModelError when there is none, or nothing to hold it."""

    def __init__(self, command: str, timeout: float = 120.0) -> None:
        try:
            self._words, self._room = called(shlex.split(command))
        except FileNotFoundError as error:
            raise ModelError(f"{error.filename}: cannot be run: there is no such program; expected {NAMED}") from None
        except ValueError as error:  # FenceError is one
            raise ModelError(f"{command}: {error}") from None
        self.name, self.timeout = command, timeout
        self._idle: queue.SimpleQueue[Talk] = queue.SimpleQueue()

    def reply(self, asked: Asked) -> Said:
        """What the program says. Raises ModelError when it ends, or takes too long."""
        talk = self._process()
        try:
            talk.ask(json.dumps({"messages": asked.messages}).encode() + b"\n", self.timeout)
            line = talk.line(LONGEST).decode("utf-8", "replace")
        except Silent as silent:
            raise ModelError(f"{self.name}: {silent}; expected a line for every line") from None
        except BaseException:
            talk.end()
            raise
        self._idle.put(talk)
        return estimated(asked, _text_of(line))

    def close(self) -> None:
        """End the processes: no line comes any more, and one that does not see that is killed."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().end(ENDING)

    def _process(self) -> Talk:
        with contextlib.suppress(queue.Empty):
            return self._idle.get_nowait()
        try:
            return Talk(self._room.start(self._words, stderr=subprocess.PIPE))
        except OSError as error:
            raise ModelError(f"{self._words[0]}: cannot be run: {error.strerror}") from None


def _text_of(line: str) -> str:
    """The reply that a line holds."""
    with contextlib.suppress(ValueError, RecursionError):
        data = json.loads(line)
        if isinstance(data, dict):
            data = data.get("content")
        if isinstance(data, str):
            return data
    return line.rstrip("\r\n")
