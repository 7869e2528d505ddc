"""Transcripts: a file of JSON lines for each game, written while it is played.

The first line says which game it is and holds what stood at the head of every request, then comes a line for every
reply, then how it ended. Games follow from their deal and the replies alone, so one that was stopped is played up to
its last reply and goes on there; `benchmark verify` plays a whole one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from theogony.benchmark.tasks import Strict
from theogony.benchmark.trained import Count, Time
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import naming, replace_file
from theogony.envs.core.untrusted.outside import parse_json, read_bytes
from theogony.models.ask.said import ModelError
from theogony.models.play.settings import Settings
from theogony.models.play.table import Job

FORMAT: Literal["theogony-transcript-1"] = "theogony-transcript-1"
LARGEST = 1 << 28  # bytes of a transcript
LONGEST = 1 << 24  # and of a line


class OfJob(Strict):
    """Which `Job` it is of, field by field."""

    table: str
    against: str
    deal: Count
    seat: Count
    chain: Count
    number: Count


class Head(OfJob):
    """Which game it is. `model` is its name; no key stands anywhere."""

    format: Literal["theogony-transcript-1"] = FORMAT
    model: str
    settings: Settings
    system: str


class Turn(Strict):
    """One request and its reply: what was sent last, what came, and the moves that the seat made by it.

    `first`: it is the first reply at this decision; `legal`: it named a legal move. A `lesson` asks for no move.
    """

    sent: str
    reply: str
    played: list[str] = []
    first: bool = True
    legal: bool = False
    lesson: bool = False
    read: Count
    written: Count
    counted: bool
    cost: Time
    seconds: Time


class End(Strict):
    """How a game ended for the model's seat."""

    result: Annotated[str, Field(pattern="^[WDL]$")]
    reward: float
    score: float | None
    decisions: Count
    invalid: Count
    random_moves: Count
    forfeited: bool


Line = Head | Turn | End
Form = TypeVar("Form", Head, Turn, End)


class Transcript:
    """The file of one game; with `mend` a last line that a kill cut off is removed.

    Raises ModelError when it is another game's, or damaged.
    """

    def __init__(self, path: Path, mend: bool = True) -> None:
        self.path, self._mend = path, mend
        self.head: Head | None = None
        self.turns: list[Turn] = []
        self.end: End | None = None
        if path.exists():
            self._read()

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(read_bytes(self.path, str(self.path), ModelError, LARGEST)).hexdigest()

    def begin(self, head: Head) -> None:
        """The first line, or a comparison with the one that is there."""
        if self.head is None:
            self.head = head
            replace_file(self.path, _bytes(head))
        elif self.head != head:
            there, here = self.head.model_dump(), head.model_dump()
            what = next(name for name in here if here[name] != there[name])
            which = f" {self.head.model!r:.200}" if what == "model" else ""
            raise ModelError(f"{self.path}: is of another {what}{which}; name another file of results with --out")

    def add(self, line: Turn | End) -> None:
        """One more line, written at once."""
        if isinstance(line, Turn):
            self.turns.append(line)
        else:
            self.end = line
        with naming(self.path), self.path.open("ab") as file:
            file.write(_bytes(line))

    def _read(self) -> None:
        first, *lines = read_bytes(self.path, str(self.path), ModelError, LARGEST).split(b"\n")
        self.head = self._line(Head, first, 1)
        for number, line in enumerate(lines[:-1], 2):
            if self.end is not None:
                raise ModelError(f"{self.path}: line {number}: the game was over before")
            if line.startswith(b'{"result"'):
                self.end = self._line(End, line, number)
            else:
                self.turns.append(self._line(Turn, line, number))
        if lines and lines[-1]:
            if not self._mend:
                raise ModelError(f"{self.path}: its last line is cut off")
            replace_file(self.path, b"\n".join([first, *lines[:-1], b""]))

    def _line(self, kind: type[Form], line: bytes, number: int) -> Form:
        what = f"{self.path}: line {number}"
        parse_json(line, what, ModelError, LONGEST)
        return checked(kind, line, what, ModelError)


def head_of(job: Job, model: str, settings: Settings, system: str) -> Head:
    """The first line of a game."""
    return Head(**asdict(job), model=model, settings=settings, system=system)


def path_of(folder: Path, job: Job) -> Path:
    """Where the transcript of a game is."""
    against = "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in job.against)
    return folder / f"{job.table}-{against}-{job.deal:04}-{job.seat}.jsonl"


def _bytes(line: Line) -> bytes:
    return json.dumps(line.model_dump(), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
