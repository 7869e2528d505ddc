"""What runs a program with `act(view)` in its room: `fence/inside.py` calls it with the file of the program.

A question is a line of JSON, the view of a seat; the answer is a line too, {"move": ...} or {"error": ...}. The first
answer, to no question, says that the file was loaded. This file imports nothing of the project.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

QUESTIONS, ANSWERS = 8, 9  # files that `fence/inside.py` opened
WORDS = 300  # characters of an error
MOST = 10_000  # characters of a move


def main(file: str) -> None:
    """Load the program and answer until nobody asks any more."""
    name = os.path.basename(file)
    with open(file, "rb") as opened:
        source = opened.read()
    space: dict[str, Any] = {"__name__": "program", "__file__": name}
    try:
        exec(compile(source, name, "exec"), space)
        act = space["act"]
    except KeyError:
        return _answer({"error": "has no act(view)"})
    except BaseException as error:
        return _answer({"error": _words(error, name)})
    _answer({})
    with open(QUESTIONS, encoding="utf-8") as questions:
        for line in questions:
            try:
                view = json.loads(line)
                _answer({"move": _move(act(view), view["legal"])})
            except BaseException as error:
                _answer({"error": _words(error, name)})


def _move(chosen: Any, legal: list[str]) -> str:
    """The text of a move from what `act` returned: that text, or the number of a legal move from 0 on."""
    if isinstance(chosen, str):
        return chosen[:MOST]
    number = int(chosen)
    if not 0 <= number < len(legal):
        raise ValueError(f"act returned {number}; there are {len(legal)} legal moves")
    return legal[number]


def _answer(said: dict[str, Any]) -> None:
    left = json.dumps(said).encode() + b"\n"
    while left:
        left = left[os.write(ANSWERS, left) :]


def _words(error: BaseException, name: str) -> str:
    """What went wrong, and in which line of the program."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == name else line
        trace = trace.tb_next
    where = f"{name}:{line}: " if line else ""
    return f"{where}{type(error).__name__}: {' '.join(str(error).split())}"[:WORDS]


main(sys.argv[1])
