"""`theogony` in processes that are forked from one which has imported and compiled everything, and killed at a moment.

Reads lines of JSON: a folder, the moment (`moments.py`; 0: never, null: in this process, to compile), the arguments.
Answers each with the exit code and the number of moments.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path

from moments import Moments

from theogony.cli import app


def carry_out(folder: Path, arguments: list[str]) -> None:
    """Give a command in a folder, unheard."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        app(arguments, standalone_mode=False)


def forked(folder: Path, kill_at: int, arguments: list[str]) -> list[int]:
    """The exit code of a command in a process of its own, and its moments."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        moments = Moments(folder, kill_at)
        moments.install()
        try:
            carry_out(folder, arguments)
            os.write(writer, b"%d" % moments.count)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    with open(reader, "rb") as found:
        return [os.waitstatus_to_exitcode(status), int(found.read() or 0)]


def main() -> None:
    """Answer every line."""
    for line in sys.stdin:
        folder, kill_at, arguments = json.loads(line)
        answer = [0, 0]
        if kill_at is None:
            carry_out(Path(folder), arguments)
        else:
            answer = forked(Path(folder), kill_at, arguments)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
