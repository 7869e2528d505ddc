"""Text of others on a terminal: control characters in it are shown, not obeyed."""

from __future__ import annotations

import contextlib
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

# Escape sequences begin with a control character; the others turn the direction of writing.
TURNING = (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
SHOWN = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}
SHOWN |= {code: f"\\u{code:04x}" for code in TURNING}


_also: list[Callable[[str], str]] = []


def also(change: Callable[[str], str]) -> None:
    """Let what a command prints, and its last error, go through `change` from now on."""
    if change not in _also:
        _also.append(change)


def changed(text: str) -> str:
    """A text as what was given to `also` leaves it."""
    for change in _also:
        text = change(text)
    return text


def plain(text: str) -> str:
    """Text without control characters, but for tabs and ends of lines."""
    return text.translate(SHOWN)


class PlainOutput:
    """A stream that shows control characters; everything else is left to the stream itself."""

    def __init__(self, stream: Any) -> None:
        self.raw_stream = stream  # for styles of our own around text that `plain` has gone over

    def write(self, text: str) -> int:
        """Write text as `plain` gives it."""
        return self.raw_stream.write(plain(changed(text)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw_stream, name)


def guard() -> None:
    """Let a command write plain text only, and each warning in one line. What has no code is written as its number."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    sys.stdout = PlainOutput(sys.stdout)
    threading.excepthook = _tell
    warnings.formatwarning = lambda message, *_, **__: f"theogony: {one_line(str(message))}\n"


def _tell(error: Any) -> None:
    """Say how a thread failed, unless a file could not be written: that is told by who waits for it."""
    if not isinstance(error.exc_value, OSError):
        threading.__excepthook__(error)


def one_line(text: str) -> str:
    """Text of several lines in one, plain."""
    return plain("; ".join(line.strip() for line in text.splitlines() if line.strip()))
