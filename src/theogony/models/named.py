"""Models of the user's own: `module:callable`, text in and text out, and a command that reads and writes lines."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import queue
import re
import shlex
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theogony.envs.core.contract import has_own_place, place_of
from theogony.envs.core.thinking.player_names import OWN_NAME
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.fence.room import FenceError, Room, called, mechanism
from theogony.fence.talk import Silent, Talk
from theogony.models.ask import KEY, Model, ModelError, Request, Response, estimated

LONGEST_LINE = 1 << 22  # bytes of a line
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

    def reply(self, request: Request) -> Response:
        """What the function returns. Raises ModelError when it fails, or returns something else than text."""
        try:
            with self._lock:
                text = self._function("\n\n".join(message["content"] for message in request.messages))
        except Exception as error:
            where = place_of(error) if has_own_place(error) else f"{type(error).__name__}: {error}"
            raise ModelError(f"{self.name}: {where}") from error
        if not isinstance(text, str):
            raise ModelError(f"{self.name}: returned {type(text).__name__}; expected a text")
        return estimated(request, text)


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

    def reply(self, request: Request) -> Response:
        """What the program says. Raises ModelError when it ends, or takes too long."""
        talk = self._process()
        try:
            talk.ask(json.dumps({"messages": request.messages}).encode() + b"\n", self.timeout)
            line = talk.line(LONGEST_LINE).decode("utf-8", "replace")
        except Silent as silent:
            raise ModelError(f"{self.name}: {silent}; expected a line for every line") from None
        except BaseException:
            talk.end()
            raise
        self._idle.put(talk)
        return estimated(request, _text_of(line))

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
        data = data.get("content") if isinstance(data, dict) else data
        if isinstance(data, str):
            return data
    return line.rstrip("\r\n")


# ---- A program as a model: a file with `act(view)`, in a room of its own for each game ---------------------------
#
# A process that lived on would know from one game of a deal what another seat holds in the next.

CHILD = Path(__file__).with_name("child.py")
MEMORY = 1 << 30  # bytes, besides what Python takes
SECONDS = 10.0  # of a decision
LOADING = 60.0  # and of reading the program, however short a decision may be
LONGEST_ANSWER = 1 << 17  # bytes of an answer
LARGEST_PROGRAM = 1 << 22  # bytes of a program


class Program:
    """The program in a file, `strategy.py`. Raises ModelError when there is none, or nothing to hold it."""

    def __init__(self, path: Path, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.path, self.seconds, self.memory = path.absolute(), seconds, memory
        self.sha256: str = hashlib.sha256(read_bytes(path, str(path), ModelError, LARGEST_PROGRAM)).hexdigest()
        self._talk: Talk | None = None
        try:
            mechanism()
        except FenceError as error:
            raise ModelError(f"{path}: {error}") from None

    def open(self) -> Program:
        """One that plays one game."""
        return Program(self.path, self.seconds, self.memory)

    def reply(self, request: Request) -> Response:
        """What `act` chooses, or what went wrong: then no move is marked, and the game is lost.

        Raises ModelError when the program cannot even be loaded.
        """
        if self._talk is None:
            self._start()
        if request.view is None:
            return estimated(request, "")
        found = self._ask(json.dumps(request.view).encode() + b"\n", self.seconds)
        text = f"Move: {found['move']}" if isinstance(found.get("move"), str) else f"({found.get('error')})"
        return estimated(request, text)

    def close(self) -> None:
        """End its process."""
        if self._talk is not None:
            self._talk.end()
            self._talk = None

    def _start(self) -> None:
        room = Room(reads=(self.path,), first=("numpy", "numpy.random"), memory=self.memory)
        self._talk = Talk(room.start([str(CHILD), str(self.path)]))
        if error := self._ask(b"", LOADING).get("error"):
            self.close()
            raise ModelError(f"{self.path}: {error}")

    def _ask(self, question: bytes, seconds: float) -> dict[str, Any]:
        """The answer to a line; an error where the process has ended or takes too long, and it is ended then."""
        assert self._talk is not None
        if self._talk.process.poll() is not None:
            return {"error": "the process has ended"}
        self._talk.ask(question, seconds)
        try:
            found = json.loads(self._talk.line(LONGEST_ANSWER))
        except Silent as silent:
            late = "did not answer" in str(silent)
            return {"error": f"no answer within {seconds:g} s" if late else "the process has ended"}
        except (ValueError, RecursionError):
            return {"error": "answered nonsense"}
        return found if isinstance(found, dict) else {"error": "answered nonsense"}


# ---- The model of a name on the command line ---------------------------------------------------------------------

SUFFIX = ".py"
ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True)
class Manner:
    """How a model is asked; an endpoint takes all of it, a command the timeout."""

    temperature: float | None = None
    reply_tokens: int | None = None
    timeout: float = 120.0
    retries: int = 6
    key_variable: str = KEY
    more: Mapping[str, Any] = field(default_factory=dict)
    called: str = ""  # in errors of an endpoint, for its address


def model_named(name: str, manner: Manner) -> Model:
    """An endpoint (`http://host/v1#model`), a program (`file.py`), a function (`module:callable`) or a command.

    Raises ModelError.
    """
    if ADDRESS.match(name):
        from theogony.models.endpoint import Endpoint  # here, since only endpoints take the library that asks them

        limits = manner.temperature, manner.reply_tokens, manner.timeout, manner.retries
        return Endpoint(name, *limits, manner.key_variable, manner.more, manner.called)
    if name.endswith(SUFFIX) and Path(name).is_file():
        return Program(Path(name), min(manner.timeout, SECONDS))
    if OWN_NAME.fullmatch(name):
        return Function(name)
    if not name.strip():
        raise ModelError(f"no model was named; expected {NAMED}")
    return Command(name, manner.timeout)
