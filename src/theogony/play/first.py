"""The first time that a game is played, its rules are compiled in another process, so that the page is there at once.
Meanwhile it shows the start of the game, drawn by interpreted rules, and how far the compiler is.

As a program (`python -m theogony.play.first`) this file is those other processes. It reads what it works for as a
pickle, and writes lines of JSON.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from theogony.console import interrupt
from theogony.envs.core.game import Game
from theogony.envs.core.jit import INTERPRETED
from theogony.envs.core.position import Position
from theogony.play.background import elsewhere
from theogony.play.hints import Adviser
from theogony.play.seats import Seats, seat_titles
from theogony.play.seen import Viewer
from theogony.play.table import Refused, Table

TELLS = 0.25  # seconds from one line of the compiler to the next
DRAWN = 16  # decisions from one picture to the next where a game is played for the compiler
NOT_YET = "the rules are being compiled, once: one can look around, and decide as soon as that is done"


class Coming:
    """Stands for a table until its rules are compiled: shows the start of the game, and refuses decisions."""

    trouble, hints, record = None, "none", None

    def __init__(self, game: Game, names: list[str], seed: int) -> None:
        self.game, self.seats, self.seed = game, Seats(tuple(names), {}), seed
        self.listeners: list[Callable[[], None]] = []
        self._told: dict[Viewer, dict[str, Any]] = {}
        self._begun, self._done, self._rule = time.monotonic(), 0, ""

    @property
    def decision(self) -> str:
        """A name that changes as soon as there is something to see."""
        return "drawn" if self._told else "coming"

    @property
    def coming(self) -> str:
        """How far it is, in a sentence."""
        now = f", now {self._rule.strip('_').replace('_', ' ')}" if self._rule else ""
        took = time.monotonic() - self._begun
        return f"Rules are being compiled, once: {self._done} done{now} ({took:.0f} s) …"

    def draw(self) -> None:
        """Have the start of the game drawn by interpreted rules."""
        people = self.seats.people
        for news in elsewhere("start", self.game, self.seats.names, self.seed, interpreted=True):
            self._told = dict(zip([None, *people], news, strict=True))
            self._tell()

    def compile(self) -> None:
        """Have the rules compiled, and tell how far that is."""
        for told in elsewhere("table", self.game, self.seats.names, self.seed):
            self._done, self._rule = told
            self._tell()

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()

    def news(self, who: Viewer, epoch: str | None, after: int, frames: int = 1) -> dict[str, Any]:
        """The start of the game, as soon as it is drawn."""
        names = self.seats.names
        about = {"title": self.game.spec.title, "seats": list(names), "names": seat_titles(names, who)}
        empty = about | {"you": None, "now": 0, "first": 0, "moves": [], "frames": [], "result": None, "trouble": None}
        known = {"undo": False, "hurry": False, "hints": "none", "decision": self.decision}
        return empty | self._told.get(who, {}) | known | {"epoch": self.decision, "coming": self.coming}

    def frame(self, who: Viewer, k: int | None = None) -> dict[str, Any]:
        """The start of the game. Raises Refused while it is not drawn."""
        return self._told[who]["frames"][-1] if who in self._told else self.refuse()

    def prepare_hints(self) -> None:
        """Hints come with the table."""

    def refuse(self, *asked: Any, **more: Any) -> NoReturn:
        """Raise Refused: what is asked for needs the rules."""
        raise Refused(NOT_YET)

    play = undo = hint = preview = hurry = copy = refuse

    def undo_problem(self, seat: Viewer, agreed: bool = False) -> str:
        """There is nothing to take back."""
        return NOT_YET


# ---------------------------------------------------------------------------------------------------- the processes


def start(game: Game, names: tuple[str, ...], seed: int) -> None:
    """Tell what people and those who look on see at the start."""
    table = Table(Position(game, seed), Seats(names, {}))
    print(json.dumps([table.news(who, None, -1) for who in (None, *table.seats.people)]), flush=True)


def play(game: Game, names: tuple[str, ...], seed: int) -> None:
    """Play a game as it is played at a table, by chance, so that all that a page asks for is compiled."""
    table, rng = Table(Position(game, seed), Seats.make(list(names), game)), np.random.default_rng(seed)
    position, viewers, asked = table.position, (None, *table.seats.people), set()
    while not position.over:
        if position.now % DRAWN == 0:
            for who in viewers:
                table.news(who, None, -1)
        if table.bot_due() and position.actor not in asked:
            asked.add(position.actor)
            table.play_bot()
            continue
        action = int(rng.choice(position.legal_actions()))
        if position.now % DRAWN == 0 and position.actor in table.seats.people:
            table.preview(position.actor, table.decision, action)
        with table.changed:
            table.decide(action)
    for who in viewers:
        table.news(who, None, -1)
    position.undo()


def hints(game: Game) -> None:
    """Give a hint, so that all that it needs is compiled."""
    adviser, position = Adviser(game), Position(game, 1)
    while len(legal := position.legal_actions()) == 1:
        position.play(int(legal[0]))
    adviser.look(position, np.random.default_rng(1))


WORKS: dict[str, Callable[..., None]] = {"start": start, "table": play, "hints": hints}


def main() -> None:
    """Do what standard input asks for, and tell how far it is."""
    interrupt.end_with_parent(int(sys.argv[1]))
    work, given = pickle.loads(sys.stdin.buffer.read())  # of the process that has started this one
    if not INTERPRETED:
        threading.Thread(target=tell, name="progress", daemon=True).start()
    WORKS[work](*given)
    if not INTERPRETED:
        tell_once("done")
    os._exit(0)


def tell() -> None:
    """Tell from time to time which rule is compiled."""
    from theogony.envs.core.compile.progress import COMPILING

    COMPILING.quiet = True
    while True:
        tell_once(COMPILING.rule)
        time.sleep(TELLS)


def tell_once(what: str) -> None:
    """Tell how many rules are compiled so far, and what is done now."""
    from theogony.envs.core.compile.progress import COMPILING

    print(json.dumps([COMPILING.done, what]), flush=True)


if __name__ == "__main__":
    main()
