"""A program as a model: a file with `act(view)`, in a process of its own for each game.

A process that lived on would know from one game of a deal what another seat holds in the next.
"""

from __future__ import annotations

import functools
import hashlib
import json
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from theogony.envs.core.untrusted.outside import parse_json, read_bytes
from theogony.models.ask.said import Asked, Model, ModelError, Said, estimated
from theogony.models.code import child

MEMORY = 1 << 30  # bytes, besides what Python takes
SECONDS = 10.0  # of a decision
LOADING = 60.0  # and of reading the program, however short a decision may be
LONGEST = 1 << 20  # bytes of an answer
LARGEST = 1 << 22  # bytes of a program


class Program:
    """The program in a file, `strategy.py`. Raises ModelError when there is none."""

    def __init__(self, path: Path, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.path, self.seconds, self.memory = path.absolute(), seconds, memory
        self.sha256: str = hashlib.sha256(read_bytes(path, str(path), ModelError, LARGEST)).hexdigest()
        self._process: subprocess.Popen[bytes] | None = None
        self._place: tempfile.TemporaryDirectory[str] | None = None

    def open(self) -> Model:
        """One that plays one game."""
        return Program(self.path, self.seconds, self.memory)

    def reply(self, asked: Asked) -> Said:
        """What `act` chooses, or what went wrong: then no move is marked, and the game is lost.

        Raises ModelError when the program cannot even be loaded.
        """
        if self._process is None:
            self._start()
        if asked.view is None:
            return estimated(asked, "")
        found = self._ask(json.dumps(asked.view).encode() + b"\n", self.seconds)
        text = f"Move: {found['move']}" if isinstance(found.get("move"), str) else f"({found.get('error')})"
        return estimated(asked, text)

    def close(self) -> None:
        """End its process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        if self._place is not None:
            self._place.cleanup()
            self._place = None

    def _start(self) -> None:
        self._place = tempfile.TemporaryDirectory(prefix="theogony-")
        limits = [str(self.memory), str(2 * self.seconds)]  # of time: ours comes first, as long as we are there
        words = [*without_network(), sys.executable, "-I", child.__file__, str(self.path), *limits]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=nothing, bufsize=0, cwd=self._place.name, env={"PYTHONHASHSEED": "0"}
        )
        if error := self._ask(b"", LOADING).get("error"):
            self.close()
            raise ModelError(f"{self.path}: {error}")

    def _ask(self, question: bytes, seconds: float) -> dict[str, Any]:
        """The answer to a line; an error where the process has ended or takes too long, and it is ended then."""
        process = self._process
        if process is None or process.poll() is not None:
            return {"error": "the process has ended"}
        assert process.stdin is not None and process.stdout is not None
        end, line = time.monotonic() + seconds, b""
        try:
            process.stdin.write(question)
            while not line.endswith(b"\n"):
                if not select.select([process.stdout], [], [], max(0.0, end - time.monotonic()))[0]:
                    process.kill()
                    return {"error": f"no answer within {seconds:g} s"}
                part = process.stdout.read(1 << 16)
                if not part or len(line) > LONGEST:
                    process.kill()
                    return {"error": "the process has ended"}
                line += part
            found = parse_json(line, "the answer", ModelError)
        except (OSError, ModelError) as error:
            return {"error": str(error)}
        return found if isinstance(found, dict) else {"error": "answered nonsense"}


@functools.cache
def without_network() -> tuple[str, ...]:
    """The words before a command that take its network away, () where the system has none that we may use."""
    if (tool := shutil.which("unshare")) is None:
        return ()
    words = (tool, "--map-root-user", "--net", "--")
    try:
        tried = subprocess.run([*words, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return words if tried.returncode == 0 else ()
