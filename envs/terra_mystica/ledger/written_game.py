"""A game that is played from written rows: its decisions, and how a moment of it is kept and taken up again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import CODEC
from theogony.envs.terra_mystica.components import BONUS, FACTIONS, SCORING
from theogony.envs.terra_mystica.ledger.commands import LedgerError, shown
from theogony.envs.terra_mystica.rules.offers import clear_offers
from theogony.envs.terra_mystica.rules.rounds import clear_turn
from theogony.envs.terra_mystica.state import FREE, NOT_IN_GAME

# What a turn is in the middle of: set aside while somebody else answers.
TURN_FIELDS = (
    "actor", "turn", "decision", "turns_left", "spades", "spade_use", "target", "first", "tunnelled", "sites",
    "free_dwelling", "free_house", "favors_due", "towns_due", "steps_due", "bridge_due", "priests_due", "stopped",
    "connecting", "brought", "turned", "key_choice", "offer_seat", "offer_power", "offer_count", "offer_next",
    "offer_taken", "offer_declined",
)  # fmt: skip
Turn = dict[str, np.ndarray]  # the values of these fields
Listener = Callable[[Position, int], Any]  # hears of a decision before it is made; what it returns is kept in `notes`


@dataclass
class Moment:
    """A game as it stood: its record, the number of decisions and notes, and everything else that is kept."""

    now: int
    record: np.ndarray
    notes: int
    books: dict[str, Any]


class WrittenGame:
    """A game in play. `position` is where it stands; `notes` is what the listener said of each decision."""

    books: tuple[str, ...] = ("held",)  # attributes that belong to a moment of the game

    def __init__(self, game: Game, listener: Listener | None = None) -> None:
        self.game = game
        self.position = Position(game, 0)
        self.listener = listener
        self.notes: list[Any] = []
        self.held = False  # a round waits for what is still open

    def arrange(self, scoring: list[str], removed: list[str], factions: list[str]) -> None:
        """Lay out the recorded tiles and cards, and let the seats take their factions. Raises LedgerError."""
        g = self.position.g
        if len(scoring) != 6 or len(set(scoring)) != 6:
            raise LedgerError(f"six different scoring tiles are needed, not {shown(', '.join(scoring)) or 'none'}")
        if len(factions) != g.players:
            raise LedgerError(f"{len(factions)} factions for {g.players} players")
        pool = BONUS if self.game.options.ship_card else BONUS[:-1]
        cards = [name for name in pool if name not in removed]
        if len(cards) != g.players + 3:
            raise LedgerError(f"{len(cards)} bonus cards are left in the game, expected {g.players + 3}")
        g.scoring[:] = [_index(SCORING, name, "scoring tile") for name in scoring]
        g.card_place[:] = [FREE if name in cards else NOT_IN_GAME for name in BONUS]
        self.position.refresh()
        for faction in factions:
            self.play(CODEC.encode("setup", faction))

    def seat_of(self, faction: str) -> int:
        """The seat of a faction. Raises LedgerError when it is not in the game."""
        g = self.position.g
        for seat in range(int(g.players)):
            if FACTIONS[g.faction[seat]] == faction:
                return seat
        raise LedgerError(f"{shown(faction)} is not in this game")

    # ------------------------------------------------------------------------------------------------ decisions

    def play(self, action: int) -> None:
        """One decision of the seat that is due. Raises LedgerError with what is legal."""
        self._note(action)
        try:
            self.position.play(action)
        except IllegalAction as error:
            raise LedgerError(str(error)) from None

    def _note(self, action: int) -> None:
        if self.listener is not None and self.position.mask[0, action]:
            self.notes.append(self.listener(self.position, action))

    def legal(self, action: int) -> bool:
        """Whether the seat that is due may do this."""
        return bool(self.position.mask[0, action])

    def mine(self, seat: int, decision: int) -> bool:
        """Whether a seat is due with this kind of decision."""
        g = self.position.g
        return not self.held and g.actor == seat and g.decision == decision and not g.over

    def refresh(self) -> None:
        """Observation and mask of the seat that is due, unless a round waits for answers."""
        if not self.held:
            self.position.refresh()

    # ------------------------------------------------------------------------------------------------ out of turn

    @contextmanager
    def another_turn(self) -> Iterator[Any]:
        """Set the running turn aside; the block finds an empty one, and the turn is taken up again afterwards."""
        g = self.position.g
        before = self.turn_fields()
        clear_turn(g)
        clear_offers(g)
        g.favors_due = g.towns_due = g.bridge_due = g.steps_due = 0
        try:
            yield g
        finally:
            self.take_up(before)
            self.refresh()

    def turn_fields(self) -> Turn:
        """A copy of what the running turn is in the middle of."""
        return {name: np.copy(self.position.g[name]) for name in TURN_FIELDS}

    def take_up(self, turn: Turn) -> None:
        """Go on with a turn that was set aside."""
        g = self.position.g
        for name, value in turn.items():
            g[name] = value

    def decide(self, action: int, effect: Callable[[Any, Any], Any]) -> None:
        """A decision in a turn of its own: checked, heard, and done without running on. Raises LedgerError."""
        self.position.refresh()
        if not self.legal(action):
            raise LedgerError(str(self.position.illegal(action)))
        self._note(action)
        effect(self.position.g, self.game.tables[0])

    # ------------------------------------------------------------------------------------------------ moments

    def save(self) -> Moment:
        """The game as it stands, to come back to."""
        books = {name: copy.deepcopy(getattr(self, name)) for name in self.books}
        return Moment(self.position.now, self.position.states[self.position.now].copy(), len(self.notes), books)

    def load(self, moment: Moment) -> None:
        """Come back to a moment of this game."""
        position = self.position
        position.now = moment.now
        del position.actions[moment.now :], self.notes[moment.notes :]
        position.states[moment.now] = moment.record
        for name, value in moment.books.items():
            setattr(self, name, copy.deepcopy(value))
        self.refresh()


def _index(names: tuple[str, ...], name: str, what: str) -> int:
    if name not in names:
        raise LedgerError(f"there is no {what} {name}")
    return names.index(name)
