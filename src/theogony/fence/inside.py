"""The first process of a room: `python inside.py PLAN [WORD]...`. It gives up what it may do, then runs the program.

PLAN is JSON: `at` (the working directory), `limits` (of resources), `writes` (folders), `filter` (seccomp, in Base64)
and, for code in this Python, `first`: modules that are imported before the filter is drawn, since they are ours.
WORDS are the command, or with `first` a file of Python and its arguments, which finds its pipes as files 8 and 9 and
nothing behind 0, 1 and 2. This process stays as the parent of all others; when the program has ended it ends, and
with it whatever is left in its PID namespace.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import platform
import resource
import sys
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
QUESTIONS, ANSWERS = 8, 9
NO_NEW_PRIVILEGES = 38  # of `prctl`
SECCOMP = {"x86_64": 317, "aarch64": 277}  # numbers of the call; those of Landlock are the same everywhere
FILTER, ALL_THREADS = 1, 1  # of `seccomp`
CREATE, ADD, RESTRICT = 444, 445, 446  # calls of Landlock: create_ruleset, add_rule, restrict_self
RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # version of Landlock -> how many rights of files it knows
READ = 0b1101  # run and read files, list folders
SCOPES = 0b11  # abstract sockets and signals do not leave


def main(plan: dict[str, Any], words: list[str]) -> int:
    """Shut the room and run the program in it. Returns how it ended."""
    os.chdir(plan["at"])
    nowhere, calls = os.open(os.devnull, os.O_RDWR), base64.b64decode(plan["filter"])
    for name, most in plan["limits"].items():
        with contextlib.nullcontext() if calls else contextlib.suppress(ValueError, OSError):  # no fence: as it comes
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    if calls:
        shut(plan["writes"])
        if "first" not in plan:
            seccomp(calls)
        if not words or (child := os.fork()) != 0:
            return reap(child) if words else 0
    if "first" not in plan:
        try:
            os.execvp(words[0], words)
        except OSError as error:
            sys.exit(f"{words[0]}: cannot be run: {error.strerror}")
    for pipe, stands in ((os.dup(0), QUESTIONS), (os.dup(1), ANSWERS), (nowhere, 0), (nowhere, 1)):
        os.dup2(pipe, stands)
    for name in plan["first"]:
        with contextlib.suppress(ImportError):
            __import__(name)
    with open(words[0], "rb") as file:
        code = compile(file.read(), words[0], "exec")
    os.dup2(nowhere, 2)
    if calls:
        seccomp(calls)
    sys.argv = words
    exec(code, {"__name__": "__main__", "__file__": words[0]})
    return 0


def shut(writes: list[str]) -> None:
    """Give up what can be given up before anything else is started."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where memory runs out, this goes first
    checked(LIBC.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no_new_privs")
    landlock(writes)


def reap(child: int) -> int:
    """Wait for all children until this one has ended. Returns its exit code, or 128 and the signal that killed it."""
    while True:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def checked(result: int, what: str) -> int:
    """What a call of the C library gave. Raises OSError when it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def seccomp(calls: bytes) -> None:
    """From here on the kernel refuses all calls but those of the filter, to this process and those that it starts."""

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

    program = Program(len(calls) // 8, calls)
    checked(LIBC.syscall(SECCOMP[platform.machine()], FILTER, ALL_THREADS, ctypes.byref(program)), "seccomp")


def landlock(writes: list[str]) -> None:
    """Where the kernel has Landlock: files are read only, but in these folders, and signals stay in the room."""
    version = LIBC.syscall(CREATE, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return
    rights = (1 << RIGHTS[max(known for known in RIGHTS if known <= version)]) - 1
    asked = (ctypes.c_uint64 * 3)(rights, 0, SCOPES if version >= 6 else 0)
    rules = checked(LIBC.syscall(CREATE, asked, ctypes.c_size_t(24 if version >= 6 else 8), 0), "landlock")
    for path, allowed in [("/", READ), *((folder, rights) for folder in writes)]:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = allowed.to_bytes(8, sys.byteorder) + beneath.to_bytes(4, sys.byteorder)
        checked(LIBC.syscall(ADD, rules, 1, rule, 0), "landlock")
        os.close(beneath)
    checked(LIBC.syscall(RESTRICT, rules, 0), "landlock")
    os.close(rules)


if __name__ == "__main__":
    try:
        code = main(json.loads(sys.argv[1]), sys.argv[2:])
    except OSError as error:
        sys.exit(f"the room cannot be shut: {error}")
    os._exit(code)
