"""Rows that can be read in two ways (L7): the one is tried against what follows, then the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from theogony.envs.terra_mystica.ledger.commands import LedgerError
from theogony.envs.terra_mystica.ledger.turns import TurnGame
from theogony.envs.terra_mystica.ledger.written_game import Moment

DEPTH = 48  # readings not yet tried that are kept
TRIES = 400  # readings tried for one row that does not fit

PlayRow = Callable[[int], list[Any]]  # plays a row by its number and tells what does not fit; raises LedgerError
Accept = Callable[[list[Any]], None]  # hears what does not fit in any reading


@dataclass
class Branch:
    """A reading that was not tried: the row, the game before it, and the choices to make there."""

    row: int
    moment: Moment
    script: tuple[int, ...]


@dataclass
class Failure:
    """The furthest row that did not fit, in the first reading that got there."""

    row: int = -1
    error: LedgerError | None = None  # it could not be played ...
    misfits: Sequence[Any] = ()  # ... or was played and does not fit
    moment: Moment | None = None  # the game after it
    tries: int = 0


class Search:
    """Plays rows one after the other, depth first through their readings."""

    def __init__(self, game: TurnGame, play: PlayRow, accept: Accept) -> None:
        self.game, self.play, self.accept = game, play, accept
        self.branches: deque[Branch] = deque(maxlen=DEPTH)
        self.failure = Failure()

    def run(self, count: int) -> None:
        """Play all rows. Raises LedgerError of the furthest row when it cannot be played in any reading tried."""
        row, script = 0, ()
        while row < count:
            error, misfits = self.try_row(row, script)
            if error is None and not misfits:
                row, script = row + 1, ()
                continue
            self.note(row, error, misfits)
            row, script = self.next_reading()

    def try_row(self, row: int, script: tuple[int, ...]) -> tuple[LedgerError | None, list[Any]]:
        """Play a row in one reading; its other readings are kept for later."""
        game = self.game
        before = game.save()
        game.script, game.made = script, []
        error, misfits = None, []
        try:
            misfits = self.play(row)
        except LedgerError as problem:
            error = problem
        self.branches.extend(Branch(row, before, other) for other in others(script, game.made))
        return error, misfits

    def note(self, row: int, error: LedgerError | None, misfits: list[Any]) -> None:
        """Remember the furthest failure; one that was played counts more than one that could not be."""
        if row > self.failure.row:
            self.failure = Failure(row, error, misfits, None if error else self.game.save())
        elif row == self.failure.row and self.failure.error and error is None:
            self.failure = Failure(row, None, misfits, self.game.save(), self.failure.tries)
        self.failure.tries += 1

    def next_reading(self) -> tuple[int, tuple[int, ...]]:
        """Go back to the latest reading not tried; without any, go on in the first one or give up."""
        failure = self.failure
        if self.branches and failure.tries < TRIES:
            branch = self.branches.pop()
            self.game.load(branch.moment)
            return branch.row, branch.script
        if failure.error is not None or failure.moment is None:
            raise failure.error or LedgerError("no reading fits")
        self.game.load(failure.moment)
        self.accept(list(failure.misfits))
        self.branches.clear()
        return failure.row + 1, ()


def others(script: tuple[int, ...], made: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The readings of a row that differ from the one made after its script: the last choice comes last."""
    choices = tuple(choice for choice, _ in made)
    return [
        (*choices[:k], choice)
        for k in range(len(script), len(made))
        for choice in range(made[k][1] - 1, 0, -1)
    ]  # fmt: skip
