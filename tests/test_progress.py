"""Progress of long commands: one line on a terminal, elsewhere a new plain line every half minute."""

import io
import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from theogony.commands import games, machine, rating
from theogony.console import progress
from theogony.console.progress import ERASE, Progress, track


class Stream(io.StringIO):
    """Where lines are written, as to a terminal or not; `wait` returns when so many have come."""

    def __init__(self, terminal: bool = False) -> None:
        super().__init__()
        self.terminal, self.written = terminal, threading.Semaphore(0)

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.written.release()
        return super().write(text)

    def wait(self, lines: int) -> None:
        for _ in range(lines):
            assert self.written.acquire(timeout=60)


def test_without_a_terminal_every_line_is_whole_and_plain() -> None:
    stream = Stream()
    shown = Progress("playing\x1b[31m", 40, "games", stream=stream, every=0.001)
    shown.add(10)
    with shown:
        stream.wait(3)
    lines = stream.getvalue().splitlines(keepends=True)
    assert len(lines) >= 3
    for line in lines:
        assert re.fullmatch(r"playing\\x1b\[31m: 10 of 40 games, \d+ s, about \d+ s left\n", line)


def test_on_a_terminal_one_line_is_kept_up_to_date() -> None:
    stream = Stream(terminal=True)
    with Progress("playing", unit="games", stream=stream, every=0.001) as shown:
        stream.wait(3)
        shown.add(7)
    *before, last = stream.getvalue().split(ERASE)[1:]
    assert len(before) >= 3 and not any("\n" in line for line in before)
    assert re.fullmatch(r"playing: 7 games, \d+ s\n", last)


def test_a_quick_command_says_nothing() -> None:
    stream = Stream()
    with Progress("playing", stream=stream):
        pass
    assert stream.getvalue() == ""


def test_a_reader_that_leaves_does_not_end_the_work() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    tried = threading.Event()

    class Pipe(io.TextIOBase):
        def write(self, text: str) -> int:
            tried.set()
            return os.write(writing, text.encode())

    with Progress("playing", unit="games", stream=Pipe(), every=0.001) as shown:
        assert tried.wait(60)
        assert sum(1 for _ in track(range(3), "inner", "rounds")) == 3
        shown.add(3)
    assert shown.done == 3
    os.close(writing)


GAME = Path(__file__).parent / "orbis" / "data" / "game_of_two.jsonl.gz"


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (lambda: rating.evaluate("random", ["random"], 500, game="push_of_faith"), "evaluating: "),
        (lambda: games.verify("orbis", [GAME]), "verifying: "),
        (lambda: machine.bench(["push_of_faith"], seconds=0.01, repeats=1), "measuring: "),
        pytest.param(lambda: games.check("bluff.game", games=1), "checking bluff: ", marks=pytest.mark.slow),
    ],
    ids=["evaluate", "verify", "bench", "check"],
)
def test_long_commands_say_how_far_they_are(
    command: Callable[[], None], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Stream()
    monkeypatch.setattr(progress, "EVERY", 0.0001)
    monkeypatch.setattr(sys, "stderr", stream)
    command()
    assert any(said.startswith(line) for said in stream.getvalue().splitlines())
