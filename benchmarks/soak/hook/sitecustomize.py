"""Kills its own process at a chosen moment of what it does with the files of a folder.

Python imports this by itself from PYTHONPATH, so that the program under test has no hooks. Every operation has three
moments: before it, after it, and, where it opens a file to write, with half of something written.

    KILL_FOLDER   operations on what lies in this folder count
    KILL_AT       the moment at which to kill, counted from 1; 0 for never
    KILL_COUNT    a file that gets the number of moments when the program ends by itself
"""

import atexit
import builtins
import io
import os
import signal

FOLDER, AT = os.environ.get("KILL_FOLDER", ""), int(os.environ.get("KILL_AT", "0"))
moments = 0


def moment() -> bool:
    """Kill where the moment has come. Returns whether the next one is."""
    global moments
    moments += 1
    if moments == AT:
        os.kill(os.getpid(), signal.SIGKILL)
    return moments + 1 == AT


def inside(path) -> bool:
    """Whether a path lies in the folder; descriptors do, as nothing else is synced."""
    return isinstance(path, int) or os.path.abspath(os.fspath(path)).startswith(FOLDER)


def watched(operation):
    """The operation, with a moment before and after it."""

    def wrapped(path, *arguments, **named):
        if not inside(path) and "dir_fd" not in named:
            return operation(path, *arguments, **named)
        moment()
        result = operation(path, *arguments, **named)
        moment()
        return result

    return wrapped


def opening(path, mode="r", *arguments, **named):
    """`open`, with moments where it is to write."""
    if isinstance(path, int) or not inside(path) or not set(mode) & set("wax+"):
        return plain_open(path, mode, *arguments, **named)
    moment()
    file = plain_open(path, mode, *arguments, **named)
    moment()
    half = moments + 1 == AT
    if half:
        os.write(file.fileno(), b'{"steps": 7, "ha')
    moment()
    return file


if FOLDER:
    for name in ("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "fsync"):
        setattr(os, name, watched(getattr(os, name)))
    plain_open = builtins.open
    builtins.open = io.open = opening

    @atexit.register
    def count() -> None:
        """Say how many moments there were."""
        if "KILL_COUNT" in os.environ:
            with plain_open(os.environ["KILL_COUNT"], "w") as file:
                file.write(str(moments))
