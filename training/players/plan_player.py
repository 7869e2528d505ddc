"""Players that plan their own turn or round: `plan:32@reference`, `plan:10ms@reference`, `plan:32`.

The number is the width of the beam (`theogony.envs.core.thinking.planning`); with a time it is doubled as long as the
next beam is likely to be done in time, so that such games do not repeat. Behind `@` stands the learnt value that judges
positions; without it that is the game's own.
"""

from __future__ import annotations

import re
import time

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import View, Views
from theogony.envs.core.thinking.planning import MOST_PLANS, make_beam, planning_kernel
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.core.thinking.value_network import OWN_VALUE

PLAN = "plan"
BUDGET = re.compile(r"([1-9]\d{0,8})(ms)?", re.ASCII)
EXPECTED = f'plans up to {MOST_PLANS:,} or milliseconds, as in "plan:32", "plan:10ms" or "plan:32@reference"'
NARROWEST, WIDEST_TIMED = 4, 1024  # beams of a plan against the clock
LONGER = 2.5  # times as long as a beam takes one that is twice as wide, at most


def parse_plan(name: str) -> tuple[int, float | None, str | None]:
    """The width of the beam, the milliseconds instead of it (None: no limit), and the run that judges (None: the game).

    Raises PlayerError saying what was expected.
    """
    settings, at, run = name.partition("@")
    found = BUDGET.fullmatch(settings.partition(":")[2])
    if found is None or (at and not run):
        raise PlayerError(f"player {name!r:.60}: expected {EXPECTED}")
    number, unit = int(found[1]), found[2]
    if not unit and number > MOST_PLANS:
        raise PlayerError(f"player {name!r:.60}: a plan follows at most {MOST_PLANS:,} positions at once")
    return (WIDEST_TIMED, float(number), run or None) if unit else (number, None, run or None)


class Planner:
    """Plans for one game. `choose` gets a resampled copy of the position, never the true one."""

    def __init__(self, game: Game, width: int, milliseconds: float | None = None, net: np.ndarray = OWN_VALUE) -> None:
        self.game, self.width, self.milliseconds, self.net = game, width, milliseconds, net
        self.worth: np.ndarray = np.zeros(game.actions.size)  # of the actions of the last decision, -inf: not known
        self._beam, self._plan = make_beam(game, width), planning_kernel(game.spec)
        self._compiled = False

    def choose(self, states: np.ndarray, i: int, rng: np.ndarray) -> int:
        """The first action of the best plan for the acting seat of position i, which is not changed.

        `rng` is a one-element uint64 array: the player's own stream.
        """
        if self.milliseconds is None:
            return self._by_width(states, i, self.width, rng)
        if not self._compiled:  # before the clock runs
            self._by_width(states, i, 1, rng.copy())
        self._compiled = True
        end, width = time.perf_counter() + self.milliseconds / 1000, NARROWEST
        while True:
            started = time.perf_counter()
            chosen = self._by_width(states, i, width, rng.copy())  # the same copy for all widths
            now = time.perf_counter()
            if width >= self.width or now + LONGER * (now - started) > end:
                return chosen
            width *= 2

    def _by_width(self, states: np.ndarray, i: int, width: int, rng: np.ndarray) -> int:
        seat = int(states[i].actor)
        return int(self._plan(states, i, self.game.tables, seat, self.net, width, self._beam, rng, self.worth))


class PlanPlayer:
    """A player that plans anew at every decision, in a position that its seat holds possible."""

    needs_positions = True

    def __init__(self, name: str, planner: Planner) -> None:
        self.name, self.planner = name, planner

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return np.array([self._choose(view, rng) for view in views])

    def _choose(self, view: View, rng: np.random.Generator) -> int:
        legal = np.flatnonzero(view.mask)
        if len(legal) == 1:
            return int(legal[0])
        position = view.sample(rng)
        return self.planner.choose(position.states, position.now, rng.integers(2**64, size=1, dtype=np.uint64))
