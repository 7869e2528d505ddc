"""Where a mistake is, as `file:line: the source line: the reason`."""

from __future__ import annotations

import linecache
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

CORE = str(Path(__file__).parent)


@dataclass(frozen=True, order=True)
class Mistake:
    """One mistake and its place."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        source = linecache.getline(self.file, self.line).strip()
        return f"{_short(self.file)}:{self.line}: {source}: {self.reason}"


def place_of(error: BaseException) -> Mistake:
    """Where an exception came from: the last line on the way to it that is not of core, of Python or of a library."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return Mistake(error.filename, error.lineno, f"{type(error).__name__}: {error.msg}")
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _of_others(frame.filename)]
    frame = (own or frames)[-1]
    return Mistake(frame.filename, frame.lineno or 0, reason_of(error))


def reason_of(error: BaseException) -> str:
    """The kind of an exception and what it says, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def has_own_place(error: BaseException) -> bool:
    """Whether an exception passed code that is not of core, of Python or of a library."""
    if isinstance(error, SyntaxError):
        return True
    return any(not _of_others(frame.filename) for frame in traceback.extract_tb(error.__traceback__))


def _of_others(file: str) -> bool:
    return file.startswith((CORE, sys.prefix, sys.base_prefix, "<")) or "site-packages" in file


def _short(file: str) -> str:
    """A path as seen from the working directory, where it lies below it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
