"""A program as a model: a file with `act(view)`, in a room of its own for each game.

A process that lived on would know from one game of a deal what another seat holds in the next.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from theogony.envs.core.untrusted.outside import read_bytes
from theogony.fence.room import FenceError, Room, mechanism
from theogony.fence.talk import Silent, Talk
from theogony.models.ask.said import Asked, Model, ModelError, Said, estimated

CHILD = Path(__file__).with_name("child.py")
MEMORY = 1 << 30  # bytes, besides what Python takes
SECONDS = 10.0  # of a decision
LOADING = 60.0  # and of reading the program, however short a decision may be
LONGEST = 1 << 17  # bytes of an answer
LARGEST = 1 << 22  # bytes of a program


class Program:
    """The program in a file, `strategy.py`. Raises ModelError when there is none, or nothing to hold it."""

    def __init__(self, path: Path, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.path, self.seconds, self.memory = path.absolute(), seconds, memory
        self.sha256: str = hashlib.sha256(read_bytes(path, str(path), ModelError, LARGEST)).hexdigest()
        self._talk: Talk | None = None
        try:
            mechanism()
        except FenceError as error:
            raise ModelError(f"{path}: {error}") from None

    def open(self) -> Model:
        """One that plays one game."""
        return Program(self.path, self.seconds, self.memory)

    def reply(self, asked: Asked) -> Said:
        """What `act` chooses, or what went wrong: then no move is marked, and the game is lost.

        Raises ModelError when the program cannot even be loaded.
        """
        if self._talk is None:
            self._start()
        if asked.view is None:
            return estimated(asked, "")
        found = self._ask(json.dumps(asked.view).encode() + b"\n", self.seconds)
        text = f"Move: {found['move']}" if isinstance(found.get("move"), str) else f"({found.get('error')})"
        return estimated(asked, text)

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
            found = json.loads(self._talk.line(LONGEST))
        except Silent as silent:
            late = "did not answer" in str(silent)
            return {"error": f"no answer within {seconds:g} s" if late else "the process has ended"}
        except (ValueError, RecursionError):
            return {"error": "answered nonsense"}
        return found if isinstance(found, dict) else {"error": "answered nonsense"}
