"""A player that looks for trouble, a Go-Explore (Ecoffet et al. 2021): what was seen least, supplies used up.

Random play meets what is common. The seeker plays every seat; each seat of each run has a style (`seeker_kernels`), and
the runs go on from positions of earlier ones: those in which a gauge (a supply, the points of a seat ...) was driven
furthest, if possible while somebody held back what was legal, and those behind a transition that was new. So what takes
many unlikely steps is reached in stages. A run that ends in a position without a legal action, in one that the game's
invariant refuses, or beyond `decision_bound`, is trouble, and is reported with all that is needed to play it again."""

from __future__ import annotations

import contextlib
import itertools
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.conformance.base import Case, Played, Start, bound_of
from theogony.envs.core.conformance.seeker_kernels import CHANGES, LINGER, NOVEL, PLAN, RANDOM, RARE, STEER, Seen
from theogony.envs.core.conformance.seeker_kernels import seeker_kernels as _kernels
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.gamerecord import RecordError, read_record
from theogony.envs.core.jit import INTERPRETED
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING, SEATS, from_bytes, to_bytes
from theogony.envs.core.rng import mixed
from theogony.envs.core.untrusted.outside import MEGABYTE, parse_json
from theogony.envs.core.verify import RecordingError, verify

BESIDE = ("rng", "ply")  # fields of the header that are no supply


class Gauge(NamedTuple):
    """A run of integers in the record: a field, a row of it, or one number."""

    name: str
    field: int
    start: int
    width: int
    length: int
    sets: bool

    def worth(self) -> np.ndarray:
        """What each byte counts, by its place in its number: int64 (width, 256)."""
        alone = np.zeros((self.width, 256, self.width), np.uint8)  # numbers of which all other bytes are 0
        for place in range(self.width):
            alone[place, :, place] = np.arange(256)
        return np.unpackbits(alone, axis=2).sum(2) if self.sets else alone.view(f"i{self.width}")[:, :, 0]

    def sums(self, content: np.ndarray) -> np.ndarray:
        """Its sum in every record of `content`, uint8 (n, itemsize); int64 (n,)."""
        run = np.ascontiguousarray(content[:, self.start : self.start + self.length])
        if self.sets:
            return np.unpackbits(run, axis=1).sum(1, dtype=np.int64)
        return run.view(f"i{self.width}").sum(1, dtype=np.int64)


def gauges(state: np.dtype) -> list[list[Gauge]]:
    """The gauges of every integer field of a record: all of it, each of its rows, each of its numbers."""
    found: list[list[Gauge]] = []
    fields: Any = state.fields
    for number, name in enumerate(state.names or ()):
        kind, first = fields[name][:2]
        base, shape = kind.base, kind.shape
        if name in BESIDE or base.kind not in "iu":
            continue
        size, width = int(np.prod(shape, dtype=int)), base.itemsize
        sets = base.kind == "u" and width >= 4  # large unsigned numbers are sets
        lengths = [size, *({size // shape[0], 1} - {size} if shape else ())]
        found.append(
            [
                Gauge(name, number, first + start * width, width, length * width, sets)
                for length in lengths
                for start in range(0, size, length)
            ]
        )
    return found


def marks_of(game: Game) -> tuple[np.ndarray, int]:
    """The marks of each action, int32 (actions, n), its kind first; and how many marks there are."""
    codec = game.actions
    decoded = [codec.decode(action) for action in range(codec.size)]
    number: dict[object, int] = {}
    marks = np.full((codec.size, 2 + max(len(arguments) for _, arguments in decoded)), -1, np.int32)
    for action, (kind, arguments) in enumerate(decoded):
        for k, mark in enumerate([("kind", kind), ("action", action), *(("argument", each) for each in arguments)]):
            marks[action, k] = number.setdefault(mark, len(number))
    return marks, len(number)


class Origin(NamedTuple):
    """How a position was reached: from a seed, or from a given position, by these actions."""

    seed: int
    given: bytes | None
    actions: tuple[int, ...]

    def replay(self, game: Game) -> Position:
        """The position that was reached."""
        position = Position(game, self.seed)
        if self.given is not None:
            position.load(self.given)
        for action in self.actions:
            position.play(action)
        return position


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
    """Positions of which some are kept.

    Those in which somebody held back a kind of action that was legal stand apart from the others, by that kind. So a
    way that makes progress at the price of a right which is still open is not crowded out by a faster one that used it.
    """

    withheld: int  # the mark of the kind of action that was held back of late; -1: none
    driven: int  # the sum of the gauge times the sign


class Trouble(NamedTuple):
    """A position that must not be, and how it was reached."""

    what: str
    origin: Origin

    def __str__(self) -> str:
        seed, given, actions = self.origin
        begin = f"seed {seed}" if given is None else f"from the position {given.hex()}"
        return f"{begin}, after {len(actions)} decisions: {self.what}; actions {' '.join(map(str, actions))}"

    def replay(self, game: Game) -> Position:
        """The position, played again."""
        return self.origin.replay(game)


# ---- The player itself -------------------------------------------------------------------------------------------

SOUGHT = 300 if INTERPRETED else 20_000  # decisions of a case of conformance
STRETCH = 512  # decisions that are kept at a time
TRANSITIONS = 2**16
STYLES = (RANDOM, RARE, NOVEL, NOVEL, STEER, STEER, STEER, LINGER)  # drawn for a seat
STRAYS = (8, 30, 120, 1000)  # one decision in so many leaves what is followed; drawn for a run
FRESH = 0.25  # share of the runs that begin a new game, or at a position that was given
SPELL = 24  # runs that steer by one gauge; more as long as they drive it further
STARVE = 0.6  # share of the spells that use up a supply
BARRED = 0.6  # share of the runs in which nobody plays some kinds of action
LOWEST = np.iinfo(np.int64).min
WATCHED = 4  # one run in so many is looked at to learn what is a supply
CHECKED = 8  # one run in so many is checked by the game's invariant, which is slow
KEPT, NEWS = 16_384, 512  # positions kept for their gauges, and for what was new
LINEAGES = 4  # positions of a cell
PEAKS = 6  # of a run for each kind of action that was held back
LEAP = 0.35  # how often to go on from the furthest; else from the next, and so on
ARRIVED = 0.1  # how often to go on where the gauge stands as far as it ever did, against where it does not yet


def seeker_finds_no_trouble(case: Case) -> Iterator[str]:
    """A player that seeks what is rare never meets a position without a legal action, nor a game without end."""
    decisions = SOUGHT if case.sought is None else case.sought
    game = case.game.packs[0] if case.game.packs else case.game  # its kernels know one pack
    yield from map(str, Seeker(game, case.seed, case.starts).seek(decisions))


class Seeker:
    """Plays a game for trouble. The same seed finds the same.

    Args:
        game: a spec with its options in force.
        seed: decides everything that is drawn.
        starts: positions of played games, from which runs begin as well.
    """

    def __init__(self, game: Game, seed: int = 0, starts: Sequence[Start] = ()) -> None:
        self.game: Game = game
        self.seed: int = seed
        self.starts: list[Start] = list({start.content: start for start in starts}.values())
        self.decisions: int = 0
        self.runs: int = 0
        self.generator: np.random.Generator = np.random.default_rng(seed & (2**64 - 1))
        self.kept: OrderedDict[Aim, dict[Cell, list[Reached]]] = OrderedDict()  # what was not pursued for longest first
        self.news: list[Reached] = []  # behind transitions that were new
        self.fields: list[list[Gauge]] = gauges(game.state)
        self._falls, self._rises = np.zeros((2, len(self.fields)), bool)  # fields that ever did: supplies never rise
        self.aim: Aim = Aim(self.fields[0][0], 1)
        self._spell = 0
        self._roam = _kernels(game.spec).roam
        self._seen = _arrays(game, mixed(seed, 0, 0))
        self._kinds = np.unique(self._seen.marks[:, 0])
        self.bound: int = bound_of(game)

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
            states[:1].view(np.uint8)[:] = from_bytes(at.content, self.game.state).view(np.uint8)
            reached = int(self._roam(self._seen, max(1, min(STRETCH, limit - self.decisions))))
            self.decisions += max(1, reached)
            self._keep(at.origin, reached)
            what = self._trouble(reached)
            if what:
                yield Trouble(what, self._origin(at.origin, reached))
            if what or states[reached].over != RUNNING or self.decisions >= limit:
                return
            at = Reached(to_bytes(states[reached : reached + 1]), self._origin(at.origin, reached))

    def _plan(self) -> None:
        """Styles of the seats, the gauge of those that steer, and kinds of action that nobody plays."""
        draw, seen, plan = self.generator, self._seen, self._seen.plan
        if self._spell == 0:
            self._begin_spell()
        self._spell -= 1
        gauge, plan["sign"] = self.aim
        plan["start"], plan["length"], plan["width"] = gauge.start, gauge.length, gauge.width
        seen.worth[: gauge.width] = gauge.worth()
        together = draw.random() < 0.6  # all seats drive the same supply
        plan["style"] = STEER if together else draw.choice(STYLES, SEATS)
        plan["sensible"] = draw.random(SEATS) < 0.5
        seen.barred[:] = 0
        if draw.random() < BARRED:
            rare = _by_rarity(seen.counts[self._kinds])
            seen.barred[draw.choice(self._kinds, int(draw.integers(1, 4)), p=rare)] = 1

    def _begin_spell(self) -> None:
        """Another aim: often to use up a supply; fields that change seldom are drawn more often."""
        draw, supplies = self.generator, np.flatnonzero(self._falls & ~self._rises)
        starve = len(supplies) > 0 and draw.random() < STARVE
        chosen = supplies if starve else np.arange(len(self.fields))
        changes = np.array([self._seen.changes[self.fields[k][0].field % CHANGES] for k in chosen])
        rows = self.fields[int(draw.choice(chosen, p=_by_rarity(changes)))]
        gauge = rows[0] if draw.random() < (0.8 if starve else 0.5) else rows[int(draw.integers(len(rows)))]
        self.aim = Aim(gauge, -1 if starve or draw.random() < 0.5 else 1)
        self._seen.plan["supply"] = starve
        self.kept.setdefault(self.aim, {})
        self.kept.move_to_end(self.aim)
        while len(self.kept) > 1 and sum(len(known) for cells in self.kept.values() for known in cells.values()) > KEPT:
            self.kept.popitem(last=False)
        self._spell = SPELL

    def _begin(self) -> Reached:
        """A new game, a given position, or one that an earlier run reached; what was played from there is a script."""
        draw = self.generator
        self._follow(())
        if draw.random() >= FRESH:
            if draw.random() < 0.7 and self.kept[self.aim]:
                return self._go_on(*self._furthest())
            if self.news:
                reached = self.news[int(draw.integers(len(self.news)))]
                self._follow(reached.then)
                return reached
        if self.starts and draw.random() < 0.5:
            given = self.starts[int(draw.integers(len(self.starts)))]
            self._follow(given.then)
            return Reached(given.content, Origin(0, given.content, ()))
        seed = mixed(self.seed, self.runs, 1) >> 1
        return Reached(Position(self.game, seed).key(), Origin(seed, None, ()))

    def _furthest(self) -> tuple[Cell, Reached]:
        """One of the positions in which the gauge was driven furthest: often one where a kind of action was held back
        that is rare, or where none was."""
        cells, counts = self.kept[self.aim], self._seen.counts
        best: dict[int, int] = {}
        for cell in sorted(cells):
            best[cell.withheld] = cell.driven
        rarity = _by_rarity(np.array([max(1, counts[kind]) if kind >= 0 else 1 for kind in best]))
        chances = rarity * np.where(np.array([*best.values()]) == max(best.values()), ARRIVED, 1.0)
        kind = int(self.generator.choice([*best], p=chances / chances.sum()))
        furthest = sorted((cell for cell in cells if cell.withheld == kind), reverse=True)
        cell = furthest[min(int(self.generator.geometric(LEAP)) - 1, len(furthest) - 1)]
        return cell, cells[cell][int(self.generator.integers(len(cells[cell])))]

    def _go_on(self, cell: Cell, reached: Reached) -> Reached:
        """The position, or one before it from which nearly the same is played again; what was held back still is."""
        draw, (seed, given, actions) = self.generator, reached.origin
        if cell.withheld >= 0:
            self._seen.barred[cell.withheld] = 1
        cut = len(actions) if draw.random() < 0.5 else int(draw.integers(len(actions) + 1))
        if cut == len(actions):
            self._follow(reached.then if draw.random() < 0.5 else ())
            return reached
        before = Origin(seed, given, actions[:cut])
        position = before.replay(self.game)
        content, again = position.key(), []
        for action in actions[cut:]:
            again.append((position.actor, action))
            position.play(action)
        self._follow((*again, *reached.then))
        return Reached(content, before)

    def _follow(self, played: Played) -> None:
        """Lay a script before the seats, which they may leave now and then."""
        script, plan = np.array(played[:STRETCH], np.int32).reshape(-1, 2), self._seen.plan
        self._seen.script[: len(script)] = script
        plan["script"], plan["told"] = len(script), 0
        plan["stray"] = STRAYS[int(self.generator.integers(len(STRAYS)))]

    # ------------------------------------------------------------------------------------------------ what is kept

    def _keep(self, origin: Origin, reached: int) -> None:
        """Where the gauge stood further than before in this run, and where something new had happened."""
        seen = self._seen
        running = reached + (seen.states[reached].over == RUNNING)  # positions to go on from
        if self.runs % WATCHED == 1:
            self._learn_supplies(reached)
        cells, driven = self.kept[self.aim], self.aim.sign * self.aim.gauge.sums(seen.bytes[:running])
        lately = _still_open(seen.withheld[:reached], seen.states["actor"][:reached], running)
        for kind in np.unique(lately).tolist():
            sums = np.where(lately == kind, driven, LOWEST)
            peaks = np.flatnonzero(np.diff(np.maximum.accumulate(sums), prepend=LOWEST) != 0)
            for k in peaks[-PEAKS:].tolist():
                cell = Cell(kind, int(driven[k]))
                if all(other.driven < cell.driven for other in cells if other.withheld == kind):
                    self._spell = SPELL
                known = cells.setdefault(cell, [])
                if len(known) < LINEAGES:
                    known.append(self._reached(origin, k))
                elif int(seen.states["ply"][k]) < self._ply(latest := max(known, key=self._ply)):
                    known[known.index(latest)] = self._reached(origin, k)
        new = np.flatnonzero(seen.before[:reached] == 0)
        for k in (new[:: max(1, len(new) // 3)] + 1).tolist():
            if k < running:
                place = len(self.news) if len(self.news) < NEWS else int(self.generator.integers(NEWS))
                self.news[place : place + 1] = [self._reached(origin, k)]

    def _learn_supplies(self, reached: int) -> None:
        for k in np.flatnonzero(~self._rises):
            change = np.diff(self.fields[k][0].sums(self._seen.bytes[: reached + 1]))
            self._falls[k] |= (change < 0).any()
            self._rises[k] |= (change > 0).any()

    def _ply(self, reached: Reached) -> int:
        return int(from_bytes(reached.content, self.game.state)[0].ply)

    def _reached(self, origin: Origin, k: int) -> Reached:
        """Position k of the run, with what is left of the script there, for every seat from where it is."""
        seen, told = self._seen, self._seen.told[k]
        played = seen.script[: int(seen.plan["script"][0])].tolist()
        then = tuple((seat, action) for place, (seat, action) in enumerate(played) if place >= told[seat])
        return Reached(to_bytes(seen.states[k : k + 1]), self._origin(origin, k), then)

    def _origin(self, origin: Origin, k: int) -> Origin:
        return origin._replace(actions=origin.actions + tuple(self._seen.actions[:k].tolist()))

    # ------------------------------------------------------------------------------------------------ trouble

    def _trouble(self, reached: int) -> str | None:
        """What is wrong with the last position of a run."""
        g, invariant = self._seen.states[reached], self.game.spec.invariant
        if g.over == RUNNING and not self._seen.mask.any():
            return "no action is legal, and the game is not over"
        if int(g.ply) > self.bound or (g.over == RUNNING and int(g.ply) >= self.bound):
            return f"the game has not ended after {int(g.ply)} decisions, its bound is {self.bound}"
        return invariant(self.game, g) if invariant and self.runs % CHECKED == 0 else None


# ---------------------------------------------------------------------------------------------------- helpers


def _by_rarity(counts: np.ndarray) -> np.ndarray:
    """Weights that sum to 1: the seldomer, the more; nothing for what was never seen, unless nothing was."""
    if not counts.any():
        return np.full(len(counts), 1 / len(counts))
    weights = np.where(counts > 0, 1 / np.sqrt(np.maximum(counts, 1)), 0.0)
    return weights / weights.sum()


def _still_open(withheld: np.ndarray, actors: np.ndarray, positions: int) -> np.ndarray:
    """The kind of action that a seat could have played before each position and can at its next decision; -1 for none.

    A seat that has no more decisions, having passed say, has nothing to play.
    """
    kinds = np.full(positions, -1, np.int32)
    for seat in np.unique(actors[withheld >= 0]):
        turns = np.flatnonzero(actors == seat)
        for one, other in itertools.pairwise(turns):
            if withheld[one] >= 0 and withheld[one] == withheld[other]:
                kinds[one + 1 : other + 1] = withheld[one]
    return kinds


def _arrays(game: Game, seed: int) -> Seen:
    """Everything the kernel works on, empty."""
    states, ahead = game.new_states(STRETCH + 1), game.new_states(2)
    places: Any = game.state.fields
    fields = [(start, start + kind.itemsize) for kind, start, *_ in map(places.__getitem__, game.state.names or ())]
    marks, count = marks_of(game)
    actions = game.actions.size
    return Seen(
        states=states,
        bytes=states.view(np.uint8).reshape(len(states), -1),
        ahead=ahead,
        ahead_bytes=ahead.view(np.uint8).reshape(len(ahead), -1),
        tables=game.tables,
        mask=np.zeros(actions, np.int8),
        mask_ahead=np.zeros(actions, np.int8),
        plan=np.zeros(1, PLAN),
        worth=np.zeros((8, 256), np.int64),
        script=np.zeros((STRETCH, 2), np.int32),
        told=np.zeros((STRETCH + 1, SEATS), np.int16),
        barred=np.zeros(count, np.int8),
        marks=marks,
        fields=np.array(fields, np.int32),
        counts=np.zeros(count, np.int64),
        transitions=np.zeros(TRANSITIONS, np.int32),
        changes=np.zeros(CHANGES, np.int64),
        actions=np.zeros(STRETCH, np.int64),
        before=np.zeros(STRETCH, np.int32),
        withheld=np.zeros(STRETCH, np.int32),
        rng=np.array([seed], np.uint64),
    )


# ---- Positions of games that were really played, to begin from: out of records of ours and recordings of others ----

MOST = 400  # positions that are kept of one game and option set
LONGEST = 512  # decisions that are kept of how a game went on


Heard = dict[str, tuple[Game, dict[bytes, tuple[int, int]]]]  # a game, and by position the seat and what it played


@contextlib.contextmanager
def listening() -> Iterator[Heard]:
    """Notes every position that can be gone on from and from which any code plays meanwhile, with what is played there.

    A reader of recordings plays through `Position.play` and keeps its positions to itself; so that method is listened
    to. Games of equal options and components count as one.
    """
    heard, play = Heard(), Position.play

    def noted(self: Position, action: int) -> None:
        if self.over == RUNNING and self.mask.any():
            name = f"{self.game!r} {self.game.component_digest}"
            heard.setdefault(name, (self.game, {}))[1][self.key()] = (self.actor, int(action))
        play(self, action)

    Position.play = noted
    try:
        yield heard
    finally:
        Position.play = play


def recorded_starts(spec: GameSpec, paths: Iterable[Path], seed: int = 0, most: int | None = MOST) -> list[Case]:
    """A case for every option set that occurs in the files, which begins from at most so many of their positions, or
    from all of them.

    Raises RecordError or RecordingError for a file in which no position is found.
    """
    with listening() as heard:
        for path in paths:
            before = sum(len(played) for _, played in heard.values())
            _play(spec, path)
            if sum(len(played) for _, played in heard.values()) == before:
                raise RecordingError(f"{path}: no position of {spec.name} was found in it")
    return [
        Case(f"{game.players} players, recorded games", game, 1, seed, _sound(game, played, most))
        for game, played in heard.values()
    ]


def _play(spec: GameSpec, path: Path) -> None:
    """Play a file: a record of ours, or a recording; differences do not matter here."""
    with path.open("rb") as file:
        first = file.readline(MEGABYTE)
    try:
        head = parse_json(first, str(path), ValueError)
    except ValueError:
        head = None
    if not isinstance(head, dict) or "theogony_record" not in head:
        verify(spec, [path], say=lambda line: None)
        return
    try:
        read_record(path, lambda _: spec)
    except RecordError as error:
        raise RecordingError(str(error)) from None


def _sound(game: Game, played: dict[bytes, tuple[int, int]], most: int | None) -> tuple[Start, ...]:
    """At most so many of the positions, evenly spread, without those that the game's own check refuses.

    A reader may bring a position into disorder while it plays one written move in several steps.
    """
    keys, then, invariant = list(played), tuple(played.values()), game.spec.invariant
    step = 1 if most is None else max(1, -(-len(keys) // most))
    return tuple(
        Start(keys[k], then[k : k + LONGEST])
        for k in range(0, len(keys), step)
        if invariant is None or not invariant(game, from_bytes(keys[k], game.state)[0])
    )
