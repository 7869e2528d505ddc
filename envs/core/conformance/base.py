"""What every property needs: the cases to check, games to walk through, and the report."""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING, from_bytes
from theogony.envs.core.rng import mixed

ENDLESS = 100_000  # decisions after which a game is held to have no end
SAMPLED = 24  # actions tried at a moment, of each of the legal and the others
RANDOM, GREEDY = 0.0, 1.0  # shares of greedy decisions
FIRST_LOOK = "first_look"  # stands for a property in reports that end with it
Played = tuple[tuple[int, int], ...]  # seats and their actions


class Start(NamedTuple):
    """A position of a game that was really played, and what was played from there on."""

    content: bytes
    then: Played


@dataclass(frozen=True)
class Case:
    """A game with one player count and option set."""

    name: str
    game: Game
    games: int  # played at random; one more is played greedily
    seed: int
    starts: tuple[Start, ...] = ()  # positions from which the seeker begins as well
    sought: int | None = None  # decisions of the seeker, by default its own number

    def plays(self) -> Iterator[tuple[int, float]]:
        """(seed, greed) of every game to play."""
        for k in range(self.games):
            yield mixed(self.seed, k, 0) >> 1, RANDOM
        yield mixed(self.seed, self.games, 0) >> 1, GREEDY


# A property yields a sentence for everything that does not hold; it stops when it has nothing more to complain about.
Property = Callable[[Case], Iterator[str]]
GameProperty = Callable[[list[Case]], Iterator[str]]


@dataclass(frozen=True)
class Failure:
    """One thing that does not hold."""

    case: str
    property: str
    message: str

    def __str__(self) -> str:
        return f"{self.case}: {self.property}: {self.message}"


@dataclass
class Report:
    """What was checked and what does not hold."""

    game: str
    checked: Counter[str] = field(default_factory=Counter)  # property -> in how many cases
    failures: list[Failure] = field(default_factory=list)
    decisions: int = 0  # of all games that were walked through once
    alone: Counter[str] = field(default_factory=Counter)  # those with one legal action, by its kind
    now: Callable[[str], None] = lambda line: None  # told what is being tested

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return not self.failures

    def broken(self) -> set[str]:
        """Names of the properties that do not hold."""
        return {failure.property for failure in self.failures}

    def summary(self) -> str:
        """One line."""
        if FIRST_LOOK in self.broken():
            return f"{self.game}: that has to be mended before anything else is checked"
        broken = len(self.broken())
        return f"{self.game}: {len(self.checked) - broken} properties hold, {broken} do not"

    def count_alone(self, case: Case) -> None:
        """Count the decisions in the games of a case, and those with one legal action."""
        for seed, greed in case.plays():
            for position in walk(case.game, seed, greed):
                legal = position.legal_actions()
                self.decisions += position.over == RUNNING
                if len(legal) == 1:
                    self.alone[case.game.actions.decode(int(legal[0]))[0]] += 1

    def one_answers(self) -> str:
        """How many decisions had one legal action, in one line."""
        kinds = ", ".join(f"`{kind}` {count:,}" for kind, count in self.alone.most_common())
        counts = f"{self.alone.total():,} of {self.decisions:,} decisions had one legal action"
        return f"{counts}: {kinds}" if kinds else counts

    def verdict(self) -> str:
        """What to mend first, in one line: other failures often follow from it. Empty when everything holds."""
        return "" if self.ok or FIRST_LOOK in self.broken() else f"mend first: {self.failures[0]}"


def player_counts(spec: GameSpec, options: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers of players that a game is played with under these options, which may name one."""
    return (options["players"],) if "players" in options else spec.players


def cases(spec: GameSpec, games: int, seed: int, common: Mapping[str, Any] | None = None) -> Iterator[Case]:
    """Every player count with every option set; a set which names `players` is for that count alone.

    The options in `common` are in force in all of them.
    """
    for options in ({**one, **(common or {})} for one in spec.option_sets):
        for players in player_counts(spec, options):
            given = {**options, "players": players}
            name = ", ".join([f"{players} players", *(f"{k}={v}" for k, v in options.items() if k != "players")])
            yield Case(name, spec.configure(given), games, seed)


class Chooser:
    """Plays every seat: greedy in a share of its decisions, else at random, from a stream of its own."""

    def __init__(self, game: Game, seed: int, greed: float) -> None:
        self.stream: np.ndarray = np.array([mixed(seed, 1, 1)], np.uint64)
        self.greed: float = greed
        self._play = KernelPlay(game)

    def choose(self, position: Position) -> int:
        """A legal action of the seat that decides; the position is left as it is."""
        return self._play.choose(position, self.greed, self.stream)


def walk(game: Game, seed: int, greed: float = RANDOM) -> Iterator[Position]:
    """Play one game: the position at its start, after every decision and at its end. Always the same object.

    Stops, for good, where the mask is empty or the game has no end: other properties report that.
    """
    position, player = Position(game, seed), Chooser(game, seed, greed)
    yield position
    while position.over == RUNNING and position.mask.any() and position.now < ENDLESS:
        position.play(player.choose(position))
        yield position


def moments(case: Case, most: int = 40, games: int | None = None) -> Iterator[Position]:
    """Positions for costly properties: the first, the last and `most` others of every game, each a copy of its own.

    `games` is how many games are played, by default all of the case, the greedy one included.
    """
    generator = np.random.default_rng(case.seed)
    for seed, greed in itertools.islice(case.plays(), games):
        passed = [position.key() for position in walk(case.game, seed, greed)]
        chosen = {0, len(passed) - 1, *generator.permutation(len(passed))[:most].tolist()}
        for k in sorted(chosen):
            position = Position(case.game, seed)
            position.begin_at(from_bytes(passed[k], case.game.state))
            yield position


Look = Callable[[Position], Iterator[str]]  # what does not hold at one position


class OfPositions:
    """A property that shows at a single position. Called with a case, it looks at many; `look` looks at one.

    `rule` names the rule that has to be mended when it does not hold, where it is always the same one.
    """

    __name__: str

    def __init__(self, look: Look, positions: Callable[[Case], Iterable[Position]], rule: str) -> None:
        functools.update_wrapper(self, look)
        self.look: Look = look
        self.positions: Callable[[Case], Iterable[Position]] = positions
        self.rule: str = rule

    def __call__(self, case: Case) -> Iterator[str]:
        for position in self.positions(case):
            for sentence in self.look(position):
                yield f"{at(position)}: {sentence}"


def everywhere(rule: str = "") -> Callable[[Look], OfPositions]:
    """A property that is looked for at every position of every game."""

    def positions(case: Case) -> Iterator[Position]:
        for seed, greed in case.plays():
            yield from walk(case.game, seed, greed)

    return lambda look: OfPositions(look, positions, rule)


def sometimes(rule: str = "", most: int = 40, games: int | None = None) -> Callable[[Look], OfPositions]:
    """A property that is looked for at some moments of the games, since it is costly."""
    return lambda look: OfPositions(look, lambda case: moments(case, most, games), rule)


def at(position: Position) -> str:
    """Where in a game something happened, for messages: enough to get there again."""
    return f"seed {position.seed}, decision {int(position.g.ply)}"


def broken(position: Position) -> str | None:
    """What the game's own check says of a position, None where nothing is wrong or the game has none."""
    invariant = position.game.spec.invariant
    return invariant(position.game, position.g) if invariant else None


def bound_of(game: Game) -> int:
    """The decisions after which a game has ended, by its own word or, where it says none, by ours."""
    spec = game.spec
    return spec.decision_bound(game.options) if spec.decision_bound else ENDLESS


def led_to(position: Position, action: int) -> Position:
    """A copy after one decision."""
    copy = position.clone()
    copy.play(action)
    return copy


def draw_at(position: Position) -> np.random.Generator:
    """What is drawn for a position: the same whenever it is looked at."""
    return np.random.default_rng([position.seed & (2**64 - 1), position.now])


def some_of(position: Position, actions: np.ndarray) -> list[int]:
    """At most `SAMPLED` of some actions, drawn by the position."""
    return draw_at(position).permutation(actions)[:SAMPLED].tolist()


def digest(*parts: bytes | np.ndarray) -> str:
    """16 hexadecimal digits that stand for some bytes."""
    content = b"".join(part if isinstance(part, bytes) else part.tobytes() for part in parts)
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def shape_of(position: Position) -> tuple[bytes, bytes, bytes]:
    """All that a position shows of itself: its bytes, mask and observation."""
    return position.key(), position.mask.tobytes(), position.codes.tobytes()
