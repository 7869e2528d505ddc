"""A game to look at from beginning to end: positions, and the decisions between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.draw.style import seat_name
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import read_record
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.play.seats import seat_titles
from theogony.play.seen import NOTHING_LEGAL, Moment

TRANSCRIPT = b'{"table"'  # how a language model's begins


class FilmError(ValueError):
    """A file holds no game that can be shown."""


@dataclass(eq=False)
class Film:
    """A game: `states` has one record more than there are `actions`; `names` are those of the seats.

    `said`: what a language model thought and answered before a decision, by its number from 0, for the eyes of its seat
    `speaker` and of those who see all.
    """

    game: Game
    states: np.ndarray
    actions: list[int]
    names: list[str]
    seed: int | None = None  # of a game that was played from one
    said: dict[int, list[str]] = field(default_factory=dict)
    speaker: int | None = None

    def __len__(self) -> int:
        return len(self.states)

    @property
    def now(self) -> int:
        """How many decisions were taken."""
        return len(self.actions)

    def moment(self, k: int) -> Moment:
        """The moment after k decisions."""
        before = self.states[k - 1 : k] if k else None
        action = self.actions[k - 1] if k else None
        return Moment(self.game, before, action, self.states[k : k + 1], NOTHING_LEGAL)

    def position(self, k: int) -> Position:
        """A position to play on from after k decisions."""
        position = Position(self.game, 0)
        position.begin_at(self.states[k : k + 1])
        return position


def film_of(position: Position, names: list[str] | None = None) -> Film:
    """The game of a position with its history."""
    states = position.states[: position.now + 1].copy()
    names = names or [seat_name(seat) for seat in range(position.game.players)]
    return Film(position.game, states, list(position.actions), names, position.seed)


def read_film(path: Path, find: Any) -> Film:
    """The game of a record, of a model's transcript, or of a ledger of Terra Mystica.

    `find` gives the game of a record by name. Who sat where is told by the file that a table keeps beside its record.
    Raises RecordError, LedgerError, ModelError, FilmError or TableError, naming the file and the line.
    """
    from theogony.play.saved import read_table  # a page in a browser has no such files

    start = read_bytes(path, str(path), FilmError)[:256].lstrip()
    if start.startswith(TRANSCRIPT):
        return transcript_film(path)
    if start.startswith(b"{"):
        position = read_record(path, find)
        kept = read_table(path, position.game.players)
        return film_of(position, kept and seat_titles(kept.seats))
    if path.suffix == ".jsonl":
        raise FilmError(f"{path}: line 1: expected a record, a JSON object")
    return ledger_film(path)


def transcript_film(path: Path) -> Film:
    """The game of a language model's transcript, with what it thought and answered. Raises ModelError."""
    from theogony.models.verify import game_of

    one, transcript, game, _ = game_of(path)
    position, seat = game.sides[0].env.position, one.seat
    film = film_of(position)
    film.names[seat] = transcript.head.model if transcript.head else film.names[seat]
    own = [k for k in range(position.now) if int(position.states[k].actor) == seat]
    turns = [turn for turn in transcript.turns if not turn.lesson]
    place = len(own) - sum(len(turn.played) for turn in turns)  # those before were not asked for
    for turn in turns:
        if place < len(own):
            told = [f"thought: {turn.thinking}"] * bool(turn.thinking) + [f"answered: {turn.reply}"]
            film.said.setdefault(own[place], []).extend(told)
        place += len(turn.played)
    film.speaker = seat
    return film


def ledger_film(path: Path) -> Film:
    """A ledger, played. Raises LedgerError."""
    from theogony.envs.terra_mystica.components import FACTIONS
    from theogony.envs.terra_mystica.ledger.ledger import LedgerError, load_ledger, play_ledger

    def note(position: Position, action: int) -> tuple[np.ndarray, int]:
        return position.states[position.now : position.now + 1].copy(), int(action)

    ledger = load_ledger(path)
    if not ledger.rows:
        raise LedgerError(f"{path}: is neither a record nor a ledger: there is no row of a faction in it")
    try:
        played = play_ledger(ledger, note)
    except LedgerError as error:
        raise LedgerError(f"{path}: {error}") from None
    position = played.position
    states = np.concatenate([*(state for state, _ in played.notes), position.states[position.now : position.now + 1]])
    factions = [int(number) for number in position.g.faction[: position.game.players]]
    names = [FACTIONS[k] if k >= 0 else seat_name(seat) for seat, k in enumerate(factions)]
    return Film(position.game, states, [action for _, action in played.notes], names)
