"""Positions of games that were really played, to begin from: out of records of ours and recordings of others."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from theogony.envs.core.conformance.archive import Start
from theogony.envs.core.conformance.base import Case
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.gamerecord import RecordError, read_record
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING, from_bytes
from theogony.envs.core.untrusted.outside import MEGABYTE, parse_json
from theogony.envs.core.verify import RecordingError, verify

MOST = 400  # positions that are kept of one game and option set
LONGEST = 512  # decisions that are kept of how a game went on


class Overheard:
    """The decisions that were taken while it listened, by game: `{game: {position: (seat, action)}}`.

    A reader of recordings plays through `Position.play` and keeps its positions to itself; so that method is listened
    to. Games of equal options and components count as one.
    """

    def __init__(self) -> None:
        self.games: dict[str, Game] = {}
        self.played: dict[str, dict[bytes, tuple[int, int]]] = {}

    def note(self, position: Position, action: int) -> None:
        """Keep a position that can be gone on from, and what is played there."""
        game = position.game
        if position.over != RUNNING or not position.mask.any():
            return
        name = f"{game!r} {game.component_digest}"
        self.games.setdefault(name, game)
        self.played.setdefault(name, {})[position.key()] = (position.actor, int(action))


@contextlib.contextmanager
def listening() -> Iterator[Overheard]:
    """Notes every position from which any code plays meanwhile."""
    overheard, play = Overheard(), Position.play

    def noted(self: Position, action: int) -> None:
        overheard.note(self, action)
        play(self, action)

    Position.play = noted
    try:
        yield overheard
    finally:
        Position.play = play


def recorded_starts(spec: GameSpec, paths: Iterable[Path], seed: int = 0, most: int | None = MOST) -> list[Case]:
    """A case for every option set that occurs in the files, which begins from at most so many of their positions, or
    from all of them.

    Raises RecordError or RecordingError for a file in which no position is found.
    """
    with listening() as overheard:
        for path in paths:
            before = sum(map(len, overheard.played.values()))
            _play(spec, path)
            if sum(map(len, overheard.played.values())) == before:
                raise RecordingError(f"{path}: no position of {spec.name} was found in it")
    return [
        Case(f"{game.players} players, recorded games", game, 1, seed, _sound(game, overheard.played[name], most))
        for name, game in overheard.games.items()
    ]


def _play(spec: GameSpec, path: Path) -> None:
    """Play a file: a record of ours, or a recording; differences do not matter here."""
    if _is_record(path):
        try:
            read_record(path, lambda _: spec)
        except RecordError as error:
            raise RecordingError(str(error)) from None
    else:
        verify(spec, [path], say=lambda line: None)


def _is_record(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            first = parse_json(file.readline(MEGABYTE), str(path), ValueError)
        return isinstance(first, dict) and "theogony_record" in first
    except ValueError:
        return False


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
