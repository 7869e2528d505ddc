"""Players that plan their own turn or round: `plan:32@reference`, `plan:32x8@reference`, `plan:10ms@reference`.

The first number is the width of the beam (`theogony.envs.core.thinking.planning`). A plan goes by what lies hidden in
the copy that it is made in, so `x8` makes plans in eight copies, and the best action is that which they find best in
the mean. With a time there are as many copies as it allows or, in a game that hides nothing, a beam as wide; such
games do not repeat. Behind `@` stands the learnt value that judges positions; without it that is the game's own.
"""

from __future__ import annotations

import re
import time
from typing import NamedTuple

import numpy as np

from theogony.envs.core.arguments import checked_streams
from theogony.envs.core.game import Game
from theogony.envs.core.rewards import KINDS
from theogony.envs.core.thinking.planning import MOST_PLANS, line, make_beam, planning_kernel
from theogony.envs.core.thinking.player_names import PlayerError, PlayerName, parse_player
from theogony.envs.core.thinking.value_network import OWN_VALUE, REWARD
from theogony.training.players.search_player import ThinkingPlayer

PLAN = "plan"
BUDGET = re.compile(r"([1-9]\d{0,8})(?:(ms)|x([1-9]\d{0,3}))?", re.ASCII)
EXPECTED = f'plans up to {MOST_PLANS:,}, perhaps copies, or milliseconds, as in "plan:32", "plan:32x8" or "plan:10ms"'
USUAL, WIDEST_TIMED = 32, 1024  # beams of a plan against the clock, where something is hidden and where nothing is
LONGER = 2.5  # times as long as a beam takes one that is twice as wide, at most


class PlanOptions(NamedTuple):
    """How a plan is made: by a width and in so many copies, or within milliseconds; `run` judges (None: the game)."""

    width: int
    copies: int = 1
    milliseconds: float | None = None
    run: str | None = None


def parse_plan(player: str | PlayerName) -> PlanOptions:
    """What the name of a player that plans says. Raises PlayerError saying what was expected."""
    name = parse_player(player)
    found = BUDGET.fullmatch(name.settings.partition(":")[2])
    if found is None or name.guide == "":
        raise PlayerError(f"player {name.text!r:.60}: expected {EXPECTED}")
    number, unit, copies = int(found[1]), found[2], int(found[3] or 1)
    if unit:
        return PlanOptions(WIDEST_TIMED, 1, float(number), name.guide)
    if number > MOST_PLANS:
        raise PlayerError(f"player {name.text!r:.60}: a plan follows at most {MOST_PLANS:,} positions at once")
    return PlanOptions(number, copies, None, name.guide)


class Planner:
    """Plans for one game. `choose` gets a resampled copy of the position, never the true one."""

    def __init__(self, game: Game, options: PlanOptions, net: np.ndarray = OWN_VALUE) -> None:
        self.game, self.options, self.net = game, options, net
        self._beam, self._plan = make_beam(game, options.width), planning_kernel(game.spec)
        self._worth, self._total = np.zeros((2, game.actions.size))
        self._found = np.zeros(game.actions.size, bool)  # actions that some plan has begun with
        self._copies = 0
        self._compiled, self._tables = False, game.tables

    def choose(self, states: np.ndarray, i: int, rng: np.ndarray, tables: np.ndarray | None = None) -> int:
        """The first action of the best plan for the acting seat of position i, which is not changed.

        `rng` is a one-element uint64 array: the player's own stream. `tables` are those of the position, by default
        those of the game: in one with several packs each position has its own. Raises ValueError for another `rng`.
        """
        checked_streams(rng)
        self._tables = self.game.tables if tables is None else tables
        if not self._compiled:  # before the clock runs
            self._add(states, i, 1, rng.copy())
        self._compiled = True
        self._clear()
        if self.options.milliseconds is None:
            for _ in range(self.options.copies):
                self._add(states, i, self.options.width, rng)
        else:
            self._until(states, i, rng, time.perf_counter() + self.options.milliseconds / 1000)
        return self.ranked()[0][0]

    def ranked(self) -> list[tuple[int, float]]:
        """The actions of the last decision that plans began with, best first, and what is expected of each."""
        found = np.flatnonzero(self._found)
        worth = self._total[found] / max(self._copies, 1)
        return [(int(found[k]), float(worth[k])) for k in np.argsort(-worth, kind="stable")]

    def line(self, action: int, visits: int = 1) -> list[int]:
        """The own decisions that the best plan of the last copy makes after an action; `visits` does not count."""
        return line(self._beam, action) if self._worth[action] > -np.inf else []

    @property
    def reward(self) -> str:
        """The kind of reward that its estimates are of."""
        return KINDS[int(self.net[REWARD])] if len(self.net) else "margin"

    def _until(self, states: np.ndarray, i: int, rng: np.ndarray, end: float) -> None:
        """More copies, or where nothing is hidden wider beams, as long as the next is likely to be done in time."""
        hides = bool(self.game.spec.hidden)
        width, growth = (USUAL, 1.0) if hides else (4, LONGER)
        while True:
            started = time.perf_counter()
            if not hides:
                self._clear()
            self._add(states, i, width, rng)
            now = time.perf_counter()
            if now + growth * (now - started) > end or width >= self.options.width:
                return
            width *= 1 if hides else 2

    def _clear(self) -> None:
        self._copies, self._total[:], self._found[:] = 0, 0.0, False

    def _add(self, states: np.ndarray, i: int, width: int, rng: np.ndarray) -> None:
        """Plan in one more copy. An action that no plan came to its end with is worth what the poorest other one is."""
        worth, seat = self._worth, int(states[i].actor)
        self._plan(states, i, self._tables, seat, self.net, width, self._beam, rng, worth)
        known = worth > -np.inf
        self._total += np.where(known, worth, worth[known].min())
        self._found |= known
        self._copies += 1


class PlanPlayer(ThinkingPlayer):
    """A player that plans."""

    search: Planner
    guide = None  # no policy

    def __init__(self, name: str, search: Planner) -> None:
        super().__init__(name, search.game)
        self.search = search
