"""Positions that the seeker goes on from: how each was reached, and which of them are kept.

For every aim (a gauge, up or down) the positions are kept in which it was driven furthest: some for each value of the
gauge, and apart from the others those in which somebody held back a kind of action that was legal, by that kind. So a
way that makes progress at the price of a right which is still open is not crowded out by a faster one that used it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from theogony.envs.core.conformance.gauges import Gauge
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes

KEPT, NEWS = 16_384, 512  # positions kept for their gauges, and for what was new
LEAP = 0.35  # how often to go on from the furthest; else from the next, and so on
LINEAGES = 4  # positions of a cell
ARRIVED = 0.1  # how often to go on where the gauge stands as far as it ever did, against where it does not yet

Played = tuple[tuple[int, int], ...]  # seats and their actions


class Start(NamedTuple):
    """A position of a game that was really played, and what was played from there on."""

    content: bytes
    then: Played


class Origin(NamedTuple):
    """How a position was reached: from a seed, or from a given position, by these actions."""

    seed: int
    given: bytes | None
    actions: tuple[int, ...]


class Reached(NamedTuple):
    """A position to go on from, and what is left of the game that was followed."""

    content: bytes
    origin: Origin
    then: Played = ()


class Aim(NamedTuple):
    """What those that steer, steer by."""

    gauge: Gauge
    sign: int  # 1: up, -1: down


class Cell(NamedTuple):
    """Positions of which some are kept."""

    withheld: int  # the mark of the kind of action that was held back of late; -1: none
    driven: int  # the sum of the gauge times the sign


def replay(game: Game, origin: Origin) -> Position:
    """The position that was reached."""
    position = Position(game, origin.seed)
    if origin.given is not None:
        position.load(origin.given)
    for action in origin.actions:
        position.play(action)
    return position


class Archive:
    """What is kept. Aims that were not pursued for longest are forgotten first."""

    def __init__(self, game: Game, generator: np.random.Generator) -> None:
        self.game: Game = game
        self.generator: np.random.Generator = generator
        self.aims: OrderedDict[Aim, dict[Cell, list[Reached]]] = OrderedDict()
        self.news: list[Reached] = []
        self._kept = 0

    def pursue(self, aim: Aim) -> None:
        """Begin to keep what an aim leads to."""
        self.aims.setdefault(aim, {})
        self.aims.move_to_end(aim)

    def draw(self, aim: Aim, weights: Callable[[list[int]], np.ndarray]) -> tuple[Cell, Reached] | None:
        """One of the positions in which a gauge was driven furthest, None without any.

        `weights` says how often each of the kinds of action that were held back is drawn.
        """
        cells = self.aims.get(aim)
        if not cells:
            return None
        withheld = sorted({cell.withheld for cell in cells})
        best = [max(cell.driven for cell in cells if cell.withheld == kind) for kind in withheld]
        chances = weights(withheld) * np.where(np.array(best) == max(best), ARRIVED, 1.0)
        kind = int(self.generator.choice(withheld, p=chances / chances.sum()))
        furthest = sorted((cell for cell in cells if cell.withheld == kind), reverse=True)
        cell = furthest[min(int(self.generator.geometric(LEAP)) - 1, len(furthest) - 1)]
        return cell, cells[cell][int(self.generator.integers(len(cells[cell])))]

    def keep(self, aim: Aim, cell: Cell, ply: int, reached: Callable[[], Reached]) -> bool:
        """A position for its cell, which has room for a few: the latest in its game makes room for an earlier one.

        Returns whether the gauge stands further than ever, among those that held back the same.
        """
        cells = self.aims[aim]
        further = all(other.driven < cell.driven for other in cells if other.withheld == cell.withheld)
        known = cells.setdefault(cell, [])
        if len(known) < LINEAGES:
            known.append(reached())
            self._kept += 1
            self._forget()
            return further
        plies = [self.ply(other) for other in known]
        if ply < max(plies):
            known[int(np.argmax(plies))] = reached()
        return False

    def _forget(self) -> None:
        while self._kept > KEPT and len(self.aims) > 1:
            _, cells = self.aims.popitem(last=False)
            self._kept -= sum(map(len, cells.values()))

    def add_news(self, reached: Reached) -> None:
        """A position behind a transition that was new."""
        if len(self.news) < NEWS:
            self.news.append(reached)
        else:
            self.news[int(self.generator.integers(NEWS))] = reached

    def ply(self, reached: Reached) -> int:
        """How many decisions the game is old."""
        return int(from_bytes(reached.content, self.game.state)[0].ply)
