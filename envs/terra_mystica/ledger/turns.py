"""Turns as people write them: begun, gone on with in a later row, and ended before all that they bring is taken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.terra_mystica.actions import DONE
from theogony.envs.terra_mystica.ledger.answers import AnsweredGame
from theogony.envs.terra_mystica.ledger.commands import LedgerError
from theogony.envs.terra_mystica.ledger.written_game import Listener, Turn
from theogony.envs.terra_mystica.rules.legal import compulsory
from theogony.envs.terra_mystica.rules.rounds import ask_for_spades, clear_turn
from theogony.envs.terra_mystica.rules.turn import decide
from theogony.envs.terra_mystica.state import CULT_SPADES, MAIN, OFFERS, TURN

# What an action may still ask for, in words. The first four may be taken after the next action (L2).
OWED = {"favors_due": "a favor tile", "towns_due": "a town tile", "steps_due": "a cult step", "bridge_due": "a bridge"}
ASKED = OWED | {
    "key_choice": "a cult track", "free_house": "a trading house", "free_dwelling": "a dwelling", "spades": "a space",
}  # fmt: skip


class TurnGame(AnsweredGame):
    """A written game with its turns. Where a row has several readings, `script` says which of them are tried."""

    books = (*AnsweredGame.books, "owed", "dug", "declined")

    def __init__(self, game: Game, listener: Listener | None = None, *, late: bool = True) -> None:
        super().__init__(game, listener, late=late)
        self.owed: dict[int, Turn] = {}  # actions that were followed by another before all they bring was taken
        self.dug = 0  # spades bought by `dig` and not yet used
        self.declined = False  # the running action declined its gift, and may still build in the usual way
        self.script: tuple[int, ...] = ()
        self.made: list[tuple[int, int]] = []  # choices made in this row, and out of how many

    def choose(self, options: int) -> int:
        """One of several readings: the script's, and the first where it says nothing."""
        if options < 2:
            return 0
        k = len(self.made)
        self.made.append((self.script[k] if k < len(self.script) else 0, options))
        return self.made[-1][0]

    # ------------------------------------------------------------------------------------------------ turns

    def begin_action(self, seat: int) -> None:
        """A full action: the running turn ends, and the seat's open offers are declined silently (L1)."""
        self.finish_turn(seat)
        self.declined = False
        self.release()
        if not self.mine(seat, MAIN):
            raise LedgerError(f"it is not this faction's turn{self._whose_turn()}")
        for offer in [o for o in self.offers if o.seat == seat]:
            self.settle(offer, accepted=False)
        self.go_on()

    def begin_building(self, seat: int) -> None:
        """Transform and build: an action of its own, or of one that has declined what it brings (L5)."""
        if not self.declined or not self.mine(seat, TURN) or self.may_act_again(seat):
            self.begin_action(seat)
            return
        self.declined = False
        clear_turn(self.position.g)
        self.position.g.decision = MAIN
        self.position.refresh()

    def _whose_turn(self) -> str:
        g = self.position.g
        if g.over:
            return ": the game is over"
        if self.held:
            return ": the round waits for answers to power offers"
        asked = f", who must take {self.asked()}" if g.decision == TURN and not self.legal(DONE) else ""
        return f" but that of {self.faction_of(int(g.actor))}{asked}" if g.faction[g.actor] >= 0 else ""

    def asked(self) -> str:
        """What the running action still asks for, in words."""
        return next((words for name, words in ASKED.items() if self.position.g[name]), "what it asks for")

    def finish_turn(self, seat: int) -> None:
        """End the running turn for an action of `seat`. What it has not yet taken is owed when that is allowed."""
        g = self.position.g
        if self.held or g.decision != TURN or g.over:
            return
        if self.dug:
            raise LedgerError(f"{self.dug} spades were bought by {self.faction_of(int(g.actor))} and not used")
        if self.legal(DONE):
            self.keep_offers()
            self.play(DONE)
        elif self.mine(seat, TURN):
            self._owe(seat)

    def may_act_again(self, seat: int) -> bool:
        """Whether another action of the seat could follow its running one: a double turn, or all others passed."""
        g = self.position.g
        return self.mine(seat, TURN) and (g.turns_left > 1 or int(np.sum(g.passed[: g.players])) + 1 == g.players)

    def part_or_new(self, seat: int, part: bool) -> bool:
        """Whether a command belongs to the running action, where it could also begin the next one."""
        if not part or not self.may_act_again(seat) or not self.legal(DONE):
            return part
        return self.choose(2) == 0

    def end_row(self, seat: int) -> None:
        """After a row of a recording its turn is over, or a later row goes on with it."""
        self.keep_offers()
        g = self.position.g
        if self.held and not self.rewards and not self.owed and not any(o.open for o in self.offers):
            if self.choose(2) == 1:
                self.release()
            return
        if not self.mine(seat, TURN) or not self.legal(DONE):
            return
        if self.late:
            unfinished = g.spades > 0 or g.turns_left > 1 or g.priests_due > 0
            if bool(self.choose(2)) != bool(unfinished):
                return
        self.finish_turn(seat)

    def go_on(self) -> None:
        """When nothing is open any more a round that waited runs on."""
        if self.held and not self.waiting():
            self.held = False
            self._run_on()

    def release(self) -> None:
        """The next round is begun: offers that nobody has to answer do not hold it back."""
        if self.held:
            self.settle_shut()
            self.go_on()

    def waiting(self) -> bool:
        """Whether the end of a round has to wait for somebody."""
        return bool(self.offers or self.rewards or self.owed)

    def _run_on(self) -> None:
        self.position.g.decision = OFFERS
        self.run_on(self.position.g)
        self.position.refresh()

    # ------------------------------------------------------------------------------------------------ owed parts

    def _owe(self, seat: int) -> None:
        """The next action begins before the running one has its tiles and steps: they may be taken later."""
        g = self.position.g
        if not self.may_act_again(seat) or not any(g[name] for name in OWED) or seat in self.owed:
            raise LedgerError(f"the action before must take {self.asked()} first")
        self.keep_offers()
        self.owed[seat] = self.turn_fields()
        clear_turn(g)
        g.favors_due = g.towns_due = g.steps_due = g.bridge_due = 0
        self._run_on()

    @contextmanager
    def owed_turn(self, seat: int) -> Iterator[None]:
        """Inside the block the action whose parts are owed is the running one."""
        running, held = self.turn_fields(), self.held
        self.held = False
        self.take_up(self.owed.pop(seat))
        self.position.refresh()
        yield
        self.keep_offers()
        if compulsory(self.position.g):
            self.owed[seat] = self.turn_fields()
        self.take_up(running)
        self.held = held
        self.refresh()

    def play_part(self, seat: int, action: int) -> None:
        """A tile, step or bridge: of the running action, or else of one before."""
        if seat in self.owed and not (self.mine(seat, TURN) and self.legal(action)):
            with self.owed_turn(seat):
                self.decide(action, lambda g, t: decide(g, t, action))
        else:
            self.play(action)

    # ------------------------------------------------------------------------------------------------ cult bonus

    def use_cult_spades(self, seat: int) -> bool:
        """Whether a seat uses spades of the cult bonus now: people do it in any order (L3)."""
        g = self.position.g
        self.release()
        if self.held or g.over or g.decision != CULT_SPADES or g.spades_due[seat] == 0:
            return False
        if g.actor != seat:
            ask_for_spades(g, seat)
            self.position.refresh()
        return True
