"""Where a mistake is, as `file:line: the source line: the reason`."""

from __future__ import annotations

import linecache
import os
import re
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CORE = str(Path(__file__).parents[1])
PACKAGE, ENVS = (str(Path(__file__).parents[k]) + os.sep for k in (3, 2))
NO_FIELD = re.compile(r"'record' object has no attribute '(\w+)'")
IN_ALL_TABLES = ("players", "max_decisions", "scale")
OWN_PLACE = re.compile(r"\w+: (?P<file>[^:\n]+\.py):(?P<line>\d+): ")  # in a reason: kind of error, then a place


@dataclass(frozen=True, order=True)
class Mistake:
    """One mistake and its place."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        if (own := OWN_PLACE.match(self.reason)) and Path(own["file"]).is_file():  # said by the error itself
            return self.reason.replace(own[0], f"{_short(own['file'])}:{own['line']}: ", 1)
        source = linecache.getline(self.file, self.line).strip().removesuffix(":")
        return f"{_short(self.file)}:{self.line}: {source}: {self.reason}"


def place_of(error: BaseException) -> Mistake:
    """Where an exception came from: the last line on the way to it that is of a game or of the user's own, not of this
    package otherwise, of Python or of a library."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return Mistake(error.filename, error.lineno, f"{type(error).__name__}: {error.msg}")
    if while_compiling := _compiled_lines(error):
        return Mistake(*while_compiling[0], reason_of(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _of_others(frame.filename)]
    frame = (own or frames)[-1]
    return Mistake(frame.filename, frame.lineno or 0, reason_of(error))


def reason_of(error: BaseException) -> str:
    """The kind of an exception and what it says, in one line."""
    if isinstance(error, AttributeError) and (missing := NO_FIELD.match(str(error))):
        return _no_field(missing[1], getattr(error.obj, "dtype", None))
    text = _first_cause(str(error)) if _of_numba(error) else str(error)
    return f"{type(error).__name__}: {' '.join(text.split())}".removesuffix(": ")


def _no_field(name: str, dtype: Any) -> str:
    """What is said of a field that a record does not have; NumPy does not say of which record when it is written."""
    fields = [field for field in getattr(dtype, "names", None) or () if field not in IN_ALL_TABLES]
    record = "the tables have" if dtype is not None and "max_decisions" in dtype.names else "the record has"
    near = did_you_mean(name, fields) or (f"; {record} {', '.join(fields)}" if fields else "")
    return f"{record} no field {name!r}{near}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What is added to a message about an unknown name, where a known one is much like it."""
    import difflib  # here, since only a message needs it, and a page starts sooner without

    close = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def has_own_place(error: BaseException) -> bool:
    """Whether an exception passed code of a game or of the user's own."""
    if isinstance(error, SyntaxError) or _compiled_lines(error):
        return True
    return any(not _of_others(frame.filename) for frame in traceback.extract_tb(error.__traceback__))


# Numba says what it could not compile first, after a line for every rule that it was in the middle of; then it says
# where, from the inside out.
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
COMPILED_LINE = re.compile(r"^During: .* at (\S.*) \((\d+)\)$", re.MULTILINE)


def _of_numba(error: BaseException) -> bool:
    return type(error).__module__.startswith("numba.")


def _first_cause(text: str) -> str:
    """What Numba says it could not compile, without the rules it was in the middle of and all that it tried."""
    lines = COLOURS.sub("", text).splitlines()
    told = [line for line in lines if line.strip() and not line.startswith("Failed in nopython mode pipeline")]
    ends = (k for k, line in enumerate(told) if line.startswith(("During: ", "There are ", "File ")))
    return " ".join(told[: max(next(ends, len(told)), 1)])


def _compiled_lines(error: BaseException) -> list[tuple[str, int]]:
    """The lines of a user's code that Numba could not compile, the innermost first."""
    if not _of_numba(error):
        return []
    found = COMPILED_LINE.findall(COLOURS.sub("", str(error)))
    return [(file, int(line)) for file, line in found if not _of_others(file)]


def _of_others(file: str) -> bool:
    """Whether a file is of this package, but for its games, of Python or of a library."""
    inside = file.removeprefix(ENVS) if file.startswith(ENVS) else ""
    if file.startswith(PACKAGE) and os.sep not in inside:
        return True
    return file.startswith((CORE, sys.prefix, sys.base_prefix, "<")) or "site-packages" in file


def _short(file: str) -> str:
    """A path as seen from the working directory, where it lies below it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
