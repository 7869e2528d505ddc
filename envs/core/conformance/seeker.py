"""A player that looks for trouble: what was seen least, supplies hoarded and starved, positions that few games reach.

Random play meets what is common. The seeker plays every seat; each seat of each run has a style (`seeker_kernels`), and
the runs go on from positions of earlier ones: those in which a gauge (a supply, the points of a seat ...) was driven
furthest, if possible while somebody held back what was legal, and those behind a transition that was new. So what takes
many unlikely steps is reached in stages. A run that ends in a position without a legal action, in one that the game's
invariant refuses, or beyond `decision_bound`, is trouble, and is reported with all that is needed to play it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from theogony.envs.core.conformance.base import ENDLESS, Case
from theogony.envs.core.conformance.gauges import Gauge, gauge_sums, gauges, marks_of
from theogony.envs.core.conformance.seeker_kernels import (
    CHANGES,
    FIELD,
    LINGER,
    NOVEL,
    PLAN,
    RANDOM,
    RARE,
    STEER,
    Seen,
)
from theogony.envs.core.conformance.seeker_kernels import seeker_kernels as _kernels
from theogony.envs.core.game import Game
from theogony.envs.core.jit import INTERPRETED
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING, SEATS, from_bytes, to_bytes
from theogony.envs.core.rng import mix

SOUGHT = 300 if INTERPRETED else 20_000  # decisions of a case of conformance
STRETCH = 512  # decisions that are kept at a time
TRANSITIONS = 2**16
STYLES = (RANDOM, RARE, NOVEL, NOVEL, STEER, STEER, STEER, LINGER)  # drawn for a seat
FRESH = 0.35  # share of the runs that begin a new game, or at a position that was given
KEPT, NEWS = 4096, 512  # positions kept for their gauges, and for what was new
SPELL = 24  # runs that steer by one gauge; more as long as they drive it further
BARRED = 0.5  # share of the spells in which nobody plays some kind of action
LATELY = 60  # decisions for which an action that was withheld is remembered
CHECKED = 8  # one run in so many is checked by the game's invariant, which is slow


class Origin(NamedTuple):
    """How a position was reached: from a seed, or from a given position, by these actions."""

    seed: int
    given: bytes | None
    actions: tuple[int, ...]


class Reached(NamedTuple):
    """A position to go on from."""

    content: bytes
    origin: Origin


class Aim(NamedTuple):
    """What the runs of a spell have in common."""

    gauge: Gauge  # what those steer by that steer
    sign: int  # 1: up, -1: down
    barred: int  # the mark of a kind of action that nobody plays where another is legal; -1: none


class Cell(NamedTuple):
    """Positions of which one is kept: whether the barred action was withheld of late, and how far the gauge is."""

    withheld: bool
    driven: int  # the sum of the gauge times the sign


@dataclass(frozen=True)
class Trouble:
    """A position that must not be, and how it was reached."""

    what: str
    origin: Origin

    def __str__(self) -> str:
        seed, given, actions = self.origin
        begin = f"seed {seed}" if given is None else f"from the position {given.hex()}"
        return f"{begin}, after {len(actions)} decisions: {self.what}; actions {' '.join(map(str, actions))}"

    def replay(self, game: Game) -> Position:
        """The position, played again."""
        return replay(game, self.origin)


def replay(game: Game, origin: Origin) -> Position:
    """The position that was reached."""
    position = Position(game, origin.seed)
    if origin.given is not None:
        position.load(origin.given)
    for action in origin.actions:
        position.play(action)
    return position


def seeker_finds_no_trouble(case: Case) -> Iterator[str]:
    """A player that seeks what is rare never meets a position without a legal action, nor a game without end."""
    decisions = SOUGHT if case.sought is None else case.sought
    yield from map(str, Seeker(case.game, case.seed, case.starts).seek(decisions))


class Seeker:
    """Plays a game for trouble. The same seed finds the same.

    Args:
        game: a spec with its options in force.
        seed: decides everything that is drawn.
        starts: bytes of positions (`Position.key`) from which runs begin as well.
    """

    def __init__(self, game: Game, seed: int = 0, starts: Sequence[bytes] = ()) -> None:
        self.game, self.seed, self.starts = game, seed, list(starts)
        self.decisions = self.runs = 0
        self.generator = np.random.default_rng(seed & (2**64 - 1))
        self.fields = gauges(game.state)
        self.extremes: dict[Aim, dict[Cell, Reached]] = defaultdict(dict)  # the earliest of each cell
        self.news: list[Reached] = []
        self.aim = Aim(self.fields[0][0], 1, -1)
        self._spell = self._kept = 0
        self._roam = _kernels(game.spec).roam
        self._seen = _arrays(game, int(mix(seed & (2**64 - 1), 0, 0)))
        spec = game.spec
        self.bound = spec.decision_bound(game.options) if spec.decision_bound else ENDLESS

    def seek(self, decisions: int) -> Iterator[Trouble]:
        """Play so many decisions; every trouble that is met."""
        last = self.decisions + decisions
        while self.decisions < last:
            yield from self._run(last)

    # ------------------------------------------------------------------------------------------------ a run

    def _run(self, limit: int) -> Iterator[Trouble]:
        """One run, from where it begins to the end of its game or of the decisions."""
        self.runs += 1
        self._plan()
        at = self._begin()
        while True:
            states = self._seen.states
            states[:1].view(np.uint8)[:] = np.frombuffer(at.content, np.uint8)
            reached = int(self._roam(self._seen, 0, max(1, min(STRETCH, limit - self.decisions))))
            self.decisions += max(1, reached)
            self._keep(at.origin, reached)
            what = self._trouble(reached)
            if what:
                yield Trouble(what, self._origin(at.origin, reached))
            if what or states[reached].over != RUNNING or self.decisions >= limit:
                return
            at = Reached(to_bytes(states[reached : reached + 1]), self._origin(at.origin, reached))

    def _plan(self) -> None:
        """Styles of the seats, and the gauge of those that steer."""
        draw, plan = self.generator, self._seen.plan
        if self._spell == 0:
            self._begin_spell()
        self._spell -= 1
        gauge, plan["sign"], plan["barred"] = self.aim
        plan["start"], plan["width"] = gauge.start, gauge.width
        plan["count"], plan["sets"] = gauge.count, gauge.sets
        together = draw.random() < 0.4  # all seats drive the same supply
        plan["style"] = STEER if together else draw.choice(STYLES, SEATS)
        plan["sensible"] = draw.random(SEATS) < 0.5

    def _begin_spell(self) -> None:
        """Another aim: fields that change seldom and kinds of action that are rare are drawn more often."""
        draw, seen = self.generator, self._seen
        changes = np.array([seen.changes[rows[0].field % CHANGES] for rows in self.fields])
        rows = self.fields[int(draw.choice(len(self.fields), p=_by_rarity(changes)))]
        gauge = rows[0] if draw.random() < 0.5 else rows[int(draw.integers(len(rows)))]
        kinds = np.unique(seen.marks[:, 0])
        barred = int(draw.choice(kinds, p=_by_rarity(seen.counts[kinds]))) if draw.random() < BARRED else -1
        self.aim, self._spell = Aim(gauge, 1 if draw.random() < 0.5 else -1, barred), SPELL

    def _begin(self) -> Reached:
        """A new game, a given position, or one that an earlier run reached."""
        draw, extremes = self.generator, self.extremes[self.aim]
        if draw.random() >= FRESH:
            if extremes and draw.random() < 0.7:
                furthest = sorted(extremes, reverse=True)
                return self._on_the_way(extremes[furthest[min(int(draw.geometric(0.5)) - 1, len(furthest) - 1)]])
            if self.news:
                return self.news[int(draw.integers(len(self.news)))]
        if self.starts and draw.random() < 0.5:
            given = self.starts[int(draw.integers(len(self.starts)))]
            return Reached(given, Origin(0, given, ()))
        seed = int(mix(self.seed & (2**64 - 1), self.runs, 1)) >> 1
        return Reached(Position(self.game, seed).key(), Origin(seed, None, ()))

    def _on_the_way(self, reached: Reached) -> Reached:
        """The position, or one before it, from which another way may lead further."""
        if self.generator.random() < 0.5:
            return reached
        seed, given, actions = reached.origin
        origin = Origin(seed, given, actions[: int(self.generator.integers(len(actions) + 1))])
        return Reached(replay(self.game, origin).key(), origin)

    # ------------------------------------------------------------------------------------------------ what is kept

    def _keep(self, origin: Origin, reached: int) -> None:
        """Where the gauge stood further than before in this run, and where something new had happened."""
        running = reached + (self._seen.states[reached].over == RUNNING)  # positions to go on from
        if running < 1:
            return
        driven = self.aim.sign * gauge_sums(self._seen.bytes[:running], self.aim.gauge)
        withheld = np.zeros(running, bool)
        for k in np.flatnonzero(self._seen.withheld[: min(reached, running)]).tolist():
            withheld[k : k + LATELY] = True
        for late in (False, True):
            sums = np.where(withheld == late, driven, np.iinfo(np.int64).min)
            peaks = np.flatnonzero(np.diff(np.maximum.accumulate(sums), prepend=np.iinfo(np.int64).min) != 0)
            for k in peaks[-6:].tolist():
                self._keep_extreme(origin, k, Cell(late, int(driven[k])))
        new = np.flatnonzero(self._seen.before[:reached] == 0)
        for k in (new[:: max(1, len(new) // 3)] + 1).tolist():
            if k < running:
                self._add_news(self._reached(origin, k))

    def _keep_extreme(self, origin: Origin, k: int, cell: Cell) -> None:
        """Position k of the run for its cell, unless that was reached earlier in a game."""
        extremes = self.extremes[self.aim]
        known = extremes.get(cell)
        if known is None:
            if self._kept >= KEPT:
                return
            self._kept += 1
            if extremes and cell > max(extremes):
                self._spell = SPELL
        elif _ply(known.content, self.game) <= int(self._seen.states[k].ply):
            return
        extremes[cell] = self._reached(origin, k)

    def _add_news(self, reached: Reached) -> None:
        if len(self.news) < NEWS:
            self.news.append(reached)
        else:
            self.news[int(self.generator.integers(NEWS))] = reached

    def _reached(self, origin: Origin, k: int) -> Reached:
        return Reached(to_bytes(self._seen.states[k : k + 1]), self._origin(origin, k))

    def _origin(self, origin: Origin, k: int) -> Origin:
        return origin._replace(actions=origin.actions + tuple(self._seen.actions[:k].tolist()))

    # ------------------------------------------------------------------------------------------------ trouble

    def _trouble(self, reached: int) -> str | None:
        """What is wrong with the last position of a run."""
        g, spec = self._seen.states[reached], self.game.spec
        if g.over == RUNNING and not self._seen.mask.any():
            return "no action is legal, and the game is not over"
        if int(g.ply) > self.bound or (g.over == RUNNING and int(g.ply) >= self.bound):
            return f"the game has not ended after {int(g.ply)} decisions, its bound is {self.bound}"
        return spec.invariant(self.game, g) if spec.invariant and self.runs % CHECKED == 0 else None


# ---------------------------------------------------------------------------------------------------- helpers


def _by_rarity(counts: np.ndarray) -> np.ndarray:
    """Weights that sum to 1: the seldomer, the more; nothing for what was never seen, unless nothing was."""
    if not counts.any():
        return np.full(len(counts), 1 / len(counts))
    weights = np.where(counts > 0, 1 / np.sqrt(np.maximum(counts, 1)), 0.0)
    return weights / weights.sum()


def _ply(content: bytes, game: Game) -> int:
    return int(from_bytes(content, game.state)[0].ply)


def _arrays(game: Game, seed: int) -> Seen:
    """Everything the kernel works on, empty."""
    states, ahead = game.new_states(STRETCH + 1), game.new_states(2)
    size, names = game.state.itemsize, game.state.names or ()
    fields = np.zeros(len(names), FIELD)
    fields["end"] = np.cumsum([game.state[name].itemsize for name in names])  # the record is packed
    fields["start"][1:] = fields["end"][:-1]
    marks, count = marks_of(game)
    return Seen(
        states, states.view(np.uint8).reshape(-1, size), ahead, ahead.view(np.uint8).reshape(-1, size), game.tables,
        np.zeros(game.actions.size, np.int8), np.zeros(1, PLAN), marks, fields, np.zeros(count, np.int64),
        np.zeros(TRANSITIONS, np.int32), np.zeros(CHANGES, np.int64), np.zeros(STRETCH, np.int64),
        np.zeros(STRETCH, np.int32), np.zeros(STRETCH, np.int8), np.array([seed], np.uint64),
    )  # fmt: skip
