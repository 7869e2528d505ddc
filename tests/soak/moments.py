"""Kills its own process at a chosen moment of what it does with the files of a folder.

The functions of Python by which files are written are replaced in this process, so that the program under test has no
hooks. Every operation has three moments: before it, after it, and, where it opens a file to write, with half of
something written.
"""

from __future__ import annotations

import builtins
import io
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

WATCHED = ("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "fsync")
HALF = b'{"steps": 7, "ha'


class Moments:
    """The moments of this process, counted from 1; at one of them it dies, at 0 never."""

    def __init__(self, folder: Path, kill_at: int) -> None:
        self.folder, self.kill_at, self.count = str(folder), kill_at, 0
        self._open: Callable[..., Any] = builtins.open

    def install(self) -> None:
        """Watch everything that is written from now on."""
        for name in WATCHED:
            setattr(os, name, self._watched(getattr(os, name)))
        builtins.open = io.open = self._opening

    def _pass(self) -> None:
        """Let a moment pass, or die in it."""
        self.count += 1
        if self.count == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def _inside(self, path: Any) -> bool:
        """Whether a path lies in the folder; descriptors do, as nothing else is synced."""
        return isinstance(path, int) or os.path.abspath(os.fsdecode(path)).startswith(self.folder)

    def _watched(self, operation: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(path: Any, *arguments: Any, **named: Any) -> Any:
            if not self._inside(path) and named.get("dir_fd") is None:
                return operation(path, *arguments, **named)
            self._pass()
            result = operation(path, *arguments, **named)
            self._pass()
            return result

        return wrapped

    def _opening(self, path: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if isinstance(path, int) or not self._inside(path) or not set(mode) & set("wax+"):
            return self._open(path, mode, *arguments, **named)
        self._pass()
        file = self._open(path, mode, *arguments, **named)
        self._pass()
        if self.count + 1 == self.kill_at:
            os.write(file.fileno(), HALF)
        self._pass()
        return file
