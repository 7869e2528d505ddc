"""Tells whoever waits that rules are being compiled: a line with a counter on a terminal, elsewhere one line."""

from __future__ import annotations

import sys
from typing import Any

from numba.core import event

from theogony.envs.core.compile.cache_files import cache_folder

HINT = "first use only; `theogony compile` does it in advance"
ERASE = "\r\x1b[K"


class Compiling(event.Listener):
    """Counts the rules that Numba compiles: `done` in this process, and `rule` is the one that was begun last. Says
    nothing where it is `quiet`."""

    def __init__(self) -> None:
        self.done: int = 0
        self.rule = ""  # that was begun last
        self.quiet = False
        self._running = 0
        self._game = ""
        self._said = False

    def on_start(self, event: Any) -> None:
        """A rule, perhaps called by one that is being compiled."""
        if (name := _game_of(event)) is None:
            return
        self._running += 1
        self._game, self.rule = name or self._game, event.data["dispatcher"].py_func.__name__
        of = f" of {self._game}" if self._game else ""
        self._say(
            f"{ERASE}theogony: compiling rules{of}, {self.done} done ({HINT})",
            "" if self._said else f"theogony: compiling rules ({HINT}; kept in {cache_folder()}) ...\n",
        )
        self._said |= not self.quiet

    def on_end(self, event: Any) -> None:
        """The line goes away with the last of them."""
        if _game_of(event) is None:
            return
        self._running -= 1
        self.done += 1
        if self._running == 0:
            self._say(ERASE)

    def _say(self, on_terminal: str, elsewhere: str = "") -> None:
        if self.quiet or sys.stderr is None:
            return
        if text := on_terminal if sys.stderr.isatty() else elsewhere:
            sys.stderr.write(text)
            sys.stderr.flush()


def _game_of(event: Any) -> str | None:
    """The game whose rule it is, "" for one of the core; None for functions that are no rules."""
    dispatcher = event.data["dispatcher"]
    if not hasattr(dispatcher._cache, "key"):
        return None
    packages = (dispatcher.py_func.__module__ or "").removeprefix("theogony.envs.").split(".")
    return "" if packages[0] in ("core", "theogony") else packages[0]


COMPILING = Compiling()
event.register("numba:compile", COMPILING)
