"""Ctrl-C in a command: at any moment one line that says how to go on, and exit code 130.

The process ends at once, and nothing is cleaned up, because nothing needs to be: files are written beside their place
and renamed, and a run goes on from its last checkpoint after any kill. Only where other processes work for this one,
`Interrupt` is raised, so that they are ended as well; there SIGTERM does the same, with its own code 143. Programs that
import Theogony keep Python's own behaviour.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, NoReturn

SIGNALLED = 128  # and the signal's number: the exit code
NOTHING_KEPT = "nothing was kept, give the command again"
BETWEEN = 0.2  # seconds between two looks at the parent process
MODULE = "theogony"  # what `python -m` runs as a command

_how = NOTHING_KEPT
_raised = False
_command = False  # whether this process is a command of ours
_code = SIGNALLED + signal.SIGINT


class Interrupt(BaseException):
    """Ctrl-C where other processes must be ended first."""


def catch_in_command() -> None:
    """Catch Ctrl-C from now on when this process is the command `theogony`; called before the heavy imports."""
    command = os.path.basename(sys.argv[0] if sys.argv else "")
    if command.removesuffix(".exe") == "theogony" or (command == "-m" and MODULE in sys.orig_argv):
        catch()


def catch() -> None:
    """Catch Ctrl-C from now on, unless it is ignored, as it is by a command in the background of a script."""
    global _command
    _command = True
    with contextlib.suppress(ValueError):  # another thread than the main one
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _stop)


def say(how: str) -> None:
    """What the line says: how to go on."""
    global _how
    _how = how


@contextlib.contextmanager
def raised() -> Iterator[None]:
    """Raise Interrupt inside instead of leaving at once, at SIGTERM too."""
    global _raised
    _raised, before = True, _raised
    main = threading.current_thread() is threading.main_thread()
    usual = signal.signal(signal.SIGTERM, _stop) if _command and main else None
    try:
        yield
    finally:
        _raised = before
        if usual is not None:
            signal.signal(signal.SIGTERM, usual)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Processes that are started inside never see Ctrl-C; this one sees it at the end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it lets the signal through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave() -> NoReturn:
    """Say the line and end this process; a process that works for another says nothing."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is None or multiprocessing.parent_process() is None:
        from theogony.console.terminal import plain

        line = f"theogony: stopped; {plain(_how)}\n"
        with contextlib.suppress(OSError):
            os.write(2, ("\n" * os.isatty(2) + line).encode(errors="replace"))
    os._exit(_code)


def end_children() -> None:
    """End the processes that work for this one."""
    for child in _children():
        child.terminate()


class WithParent:
    """The first argument of a process that works for this one: as soon as it has been read there, that process ends
    when this one does, however that was killed.

    It is read before what else the process is given, and so works while modules are still being imported for that.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return end_with_parent, (os.getpid(),)


def end_with_parent(parent: int = 0) -> None:
    """Let this process end when the one that started it does: there is nobody left to work for."""
    threading.Thread(target=_wait_for, args=[parent or os.getppid()], name="parent", daemon=True).start()


def _wait_for(parent: int) -> None:
    from multiprocessing import parent_process

    while (known := parent_process()) is None:  # it is known once all that the process is given has been read
        if os.getppid() != parent:
            os._exit(1)
        time.sleep(BETWEEN)
    known.join()
    os._exit(1)


def _children() -> list[Any]:
    """The processes that work for this one; none where nothing has begun any."""
    multiprocessing = sys.modules.get("multiprocessing")
    return multiprocessing.active_children() if multiprocessing else []


def _stop(number: int, frame: Any) -> None:
    global _code
    _code = SIGNALLED + number
    if _raised or _children():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough
        end_children()
        raise Interrupt
    leave()
