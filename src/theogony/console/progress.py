"""How far a long command is: a line that is kept up to date on a terminal, elsewhere a new one every half minute."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from theogony.console.terminal import plain

Item = TypeVar("Item")
EVERY = 30.0  # seconds between two lines where nobody looks on
OFTEN = 0.5  # and on a terminal
ERASE = "\r\x1b[K"


class Progress:
    """What is done of something, said on stderr until the `with` block ends.

    `total` is None where it is not known how much there is; `start` is what was done before.
    """

    def __init__(
        self,
        label: str,
        total: int | None = None,
        unit: str = "",
        start: int = 0,
        *,
        stream: Any = None,
        every: float | None = None,
    ) -> None:
        self.label, self.total, self.unit = label, total, unit
        self.done = self._start = start
        self.note = ""
        self._stream = sys.stderr if stream is None else stream
        self._in_place = self._stream.isatty()
        self._every = every or (OFTEN if self._in_place else EVERY)
        self._begun = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        if self._in_place:
            self._write(f"{ERASE}{self.line()}\n")

    def add(self, count: int = 1) -> None:
        """Count what was done since the last call."""
        self.done += count

    def stand(self, done: int, total: int, note: str) -> None:
        """How much is done of how much, and what was the last."""
        self.done, self.total, self.note = done, total, note

    def mention(self, note: str) -> None:
        """What is being done, at the end of the line until the next."""
        self.note = note

    def say(self, text: str) -> None:
        """Print a line on stdout, not into the one that is kept up to date."""
        if self._in_place:
            self._write(ERASE)
        print(text)

    def tell(self, text: str) -> None:
        """Print a line on stderr, above the one that is kept up to date."""
        self._write(f"{ERASE if self._in_place else ''}{plain(text)}\n")

    def line(self) -> str:
        """How far it is, as text."""
        seconds = time.monotonic() - self._begun
        of = "" if self.total is None else f" of {self.total:,}"
        parts = [f"{self.done:,}{of} {self.unit}".rstrip()] if self.unit else []
        parts.append(clock(seconds))
        made = self.done - self._start
        if self.total is not None and 0 < made and self.done < self.total:
            parts.append(f"about {clock((self.total - self.done) * seconds / made)} left")
        return plain(f"{self.label}: {', '.join([*parts, *([self.note] if self.note else [])])}")

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            self._write(f"{ERASE}{self.line()}" if self._in_place else f"{self.line()}\n")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the reader has gone; the work goes on
            self._ended.set()


def track(items: Iterable[Item], label: str, unit: str) -> Iterator[Item]:
    """The items, with the progress through them."""
    listed = list(items)
    if not listed:
        return
    with Progress(label, len(listed), unit) as progress:
        for item in listed:
            yield item
            progress.add()


def clock(seconds: float) -> str:
    """A time in seconds, minutes or hours, as people say it."""
    whole = round(seconds)
    if whole < 120:
        return f"{whole} s"
    if whole < 600:  # lines come every half minute, and each should say something new
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 60} min" if whole < 7200 else f"{whole // 3600} h {whole // 60 % 60} min"
