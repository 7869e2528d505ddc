"""The process that runs a program with `act(view)`: `python -I child.py FILE MEMORY SECONDS`, spoken to over pipes.

A question is a line of JSON, the view of a seat; the answer is a line too, {"move": ...} or {"error": ...}. The first
answer, to no question, says that the file was loaded. An answer that takes longer than SECONDS ends the process, also
when nobody waits for it any more. This file imports nothing of the project.

The program is shut off by what Python and the system offer: limits of memory, processes and written files, and an audit
hook by which it opens no socket, starts no process, and reads no file but Python's own. A hook stops programs that ask
in Python's ways, and is no wall against one that attacks Python itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

WORDS = 300  # characters of an error
MOST = 10_000  # characters of a move
FORBIDDEN = (  # beginnings of audit events: https://docs.python.org/3/library/audit_events.html
    "socket.", "subprocess.", "ctypes.", "shutil.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork",
    "os.forkpty", "os.kill", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "os.chown", "os.chdir", "os.utime", "os.setxattr", "os.removexattr", "os.lockf", "os.listdir",
    "os.scandir", "os.putenv", "pty.", "urllib.", "http.", "ftplib.", "smtplib.",
    "webbrowser.", "sqlite3.", "syslog.", "fcntl.", "mmap.", "signal.", "resource.", "sys.addaudithook",
)  # fmt: skip
UNHEARD = (  # functions of `os` that change something and of which no audit event tells
    "chroot", "mkfifo", "mknod", "memfd_create", "pidfd_open", "openpty", "login_tty", "copy_file_range", "sendfile",
    "splice", "nice", "setpriority", "sched_setaffinity", "sched_setparam", "sched_setscheduler", "umask", "sync",
    "setuid", "seteuid", "setreuid", "setresuid", "setgid", "setegid", "setregid", "setresgid", "setgroups",
    "initgroups", "setsid", "setpgid", "setpgrp", "tcsetpgrp", "unshare", "setns",
)  # fmt: skip
REMOVED = ("ctypes", "_ctypes", "_posixsubprocess", "theogony")
AGAIN = ("posix", "nt", "os")  # modules that would bring the functions back, were they imported a second time
READ_ONLY = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)


def main(file: Path, memory: int, seconds: float) -> None:
    """Load the program and answer until nobody asks any more."""
    questions, answers = os.fdopen(os.dup(0), "r", encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        nowhere = os.open(os.devnull, mode)
        os.dup2(nowhere, stream)  # what a program prints is no answer
        os.close(nowhere)
    source = file.read_bytes()
    for name in ("numpy", "numpy.random"):  # before the hook, which would take it for an attempt to load libraries
        with contextlib.suppress(ImportError):
            __import__(name)
    _limit(memory)
    _fence()
    space: dict[str, Any] = {"__name__": "program", "__file__": file.name}
    try:
        exec(compile(source, file.name, "exec"), space)
        act = space["act"]
    except KeyError:
        return _answer(answers, {"error": "has no act(view)"})
    except BaseException as error:
        return _answer(answers, {"error": _words(error, file.name)})
    _answer(answers, {})
    for line in questions:
        try:
            view = json.loads(line)
            signal.setitimer(signal.ITIMER_REAL, seconds)
            _answer(answers, {"move": _move(act(view), view["legal"])})
        except BaseException as error:
            _answer(answers, {"error": _words(error, file.name)})
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def _move(chosen: Any, legal: list[str]) -> str:
    """The text of a move from what `act` returned: that text, or the number of a legal move from 0 on."""
    if isinstance(chosen, str):
        return chosen[:MOST]
    number = int(chosen)
    if not 0 <= number < len(legal):
        raise ValueError(f"act returned {number}; there are {len(legal)} legal moves")
    return legal[number]


def _limit(memory: int) -> None:
    """At most so many bytes more than now, no process, no core dump and no file; where the system has such limits."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limits = {"CORE": 0, "FSIZE": 0, "NPROC": 0, "AS": pages * resource.getpagesize() + memory}
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    except (ImportError, OSError, ValueError, AttributeError):
        return


def _fence() -> None:
    """From here on: only Python's own files, for reading, and nothing else of the system."""
    for name in REMOVED:
        sys.modules[name] = None  # pyright: ignore[reportArgumentType]
    for module in (os, sys.modules[os.name]):
        for name in UNHEARD:
            module.__dict__.pop(name, None)
    own = tuple(
        {os.path.realpath(place) + os.sep for place in (sys.prefix, sys.base_prefix, os.path.dirname(os.__file__))}
    )
    real, separator = os.path.realpath, os.sep

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(FORBIDDEN) or (event == "import" and arguments[0] in AGAIN):
            raise PermissionError(f"{event} is not for programs that play")
        if event == "open":
            path, mode, flags = arguments
            writes = isinstance(mode, str) and any(sign in mode for sign in "wax+")
            if writes or flags & ~READ_ONLY or not isinstance(path, str | bytes | os.PathLike):
                raise PermissionError("files are not for programs that play")
            if not (real(os.fsdecode(path)) + separator).startswith(own):
                raise PermissionError("files are not for programs that play")

    sys.addaudithook(hook)


def _answer(pipe: Any, said: dict[str, Any]) -> None:
    pipe.write(json.dumps(said) + "\n")
    pipe.flush()


def _words(error: BaseException, name: str) -> str:
    """What went wrong, and in which line of the program."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == name else line
        trace = trace.tb_next
    where = f"{name}:{line}: " if line else ""
    return f"{where}{type(error).__name__}: {' '.join(str(error).split())}"[:WORDS]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
