"""Playing written games: the commands of a ledger's rows become decisions of the engine.

People write freely: several turns in one row, spades without the space they are for, conversions at any time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.terra_mystica.actions import (
    ACT,
    ADVANCE,
    BOARD,
    BRIDGE,
    CODEC,
    CONNECT,
    DONE,
    PASS,
    POWER_ACTIONS,
    SPECIAL,
    SPECIALS,
    STEP,
)  # fmt: skip
from theogony.envs.terra_mystica.components import CULTISTS, CULTS, POWER_COST, PRIESTS, ROUNDS
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError
from theogony.envs.terra_mystica.ledger.conversions import convert, lose
from theogony.envs.terra_mystica.ledger.spaces import build, dig, space_of, transform
from theogony.envs.terra_mystica.ledger.turns import TurnGame
from theogony.envs.terra_mystica.rules import apply
from theogony.envs.terra_mystica.rules.actions import has_special
from theogony.envs.terra_mystica.rules.cults import take_steps
from theogony.envs.terra_mystica.rules.passing import pass_round
from theogony.envs.terra_mystica.state import CARD, CULT_PHASE, OFFERS, REWARD, TURN

# Gifts that may be declined: the fields in which the engine keeps them.
GIFTS = {
    "spade": ("spades",), "free_d": ("free_dwelling", "sites"), "free_tf": ("spade_use",), "free_tp": ("free_house",),
    "bridge": ("bridge_due",), "cult": ("steps_due",), "gain_favor": ("favors_due",), "gain_tw": ("towns_due",),
    "convert_w_to_p": ("priests_due",),
}  # fmt: skip
SKIPPED = ("spade", "convert_w_to_p")  # gifts that the engine does not offer where they are of no use


class Importer(TurnGame):
    """Plays the rows of a ledger."""

    excluded: list[str]  # tracks that shall not use a key in this row

    def row(self, faction: str, commands: list[Command]) -> None:
        """Play a row of one faction. Raises LedgerError naming the command that cannot be played."""
        seat = self.seat_of(faction)
        self.excluded = []
        for k, command in enumerate(commands):
            try:
                if command.name not in PLAYERS_OF:
                    raise LedgerError("belongs before the first row")
                PLAYERS_OF[command.name](self, seat, command, commands[k + 1 :])
            except LedgerError as error:
                raise LedgerError(error.reason, text=error.text or command.text) from None
            self.go_on()
        self.keep_offers()

    # ------------------------------------------------------------------------------------------------ actions

    def upgrade(self, seat: int, command: Command, later: list[Command]) -> None:
        """`upgrade H to TP|TE|SH|SA`."""
        if not (self.mine(seat, TURN) and self.position.g.free_house):
            self.begin_action(seat)
        self.play(CODEC.encode("upgrade", BOARD.land[space_of(command.space)], command.kind))

    def special(self, seat: int, command: Command, later: list[Command]) -> None:
        """`action X`, also where it does nothing: other engines let a player waste an action (L4)."""
        what = command.words.get("what", "ACTE")  # without a name the Engineers' old way of writing it
        self.begin_action(seat)
        kind = "power action" if what[3:].isdigit() and what.startswith("ACT") else "special action"
        action = _encode(kind, what)
        if self.legal(action) or what not in self.idle_actions(seat):
            self.play(action)
            return
        g = self.position.g
        apply(g, self.game.tables[0], action)
        g.priests[seat] = min(int(g.priests[seat]), PRIESTS - int(g.priests_away[seat]))
        self.position.refresh()

    def idle_actions(self, seat: int) -> set[str]:
        """Actions that a seat could pay for and the engine bars because they would do nothing."""
        g = self.position.g
        power = {
            name
            for k, name in enumerate(POWER_ACTIONS)
            if not g.power_used[k] and g.bowls[seat, 2] >= POWER_COST[k] and not self.legal(ACT + k)
        }
        special = {
            name
            for k, name in enumerate(SPECIALS)
            if has_special(g, seat, k) and not g.specials_used[seat, k] and not self.legal(SPECIAL + k)
        }
        return power | special

    def bridge(self, seat: int, command: Command, later: list[Command]) -> None:
        """`bridge H:H`, the ends in any order."""
        ends = {space_of(command.first), space_of(command.second)}
        site = next((k for k, pair in enumerate(BOARD.sites) if set(pair) == ends), None)
        if site is None:
            raise LedgerError("there is no bridge site between these spaces")
        self.play_part(seat, BRIDGE + site)

    def send(self, seat: int, command: Command, later: list[Command]) -> None:
        """`send p to CULT [for n]`: without a number on the best place that is free."""
        self.begin_action(seat)
        for steps in (3, 2, 1) if command.number is None else (command.number,):
            action = _encode("send", command.cult, steps)
            if self.legal(action) or command.number is not None or steps == 1:
                self.play(action)
                return

    def advance(self, seat: int, command: Command, later: list[Command]) -> None:
        """`advance ship|dig`."""
        self.begin_action(seat)
        self.play(ADVANCE + ("ship", "dig").index(command.track))

    def pass_(self, seat: int, command: Command, later: list[Command]) -> None:
        """`pass [BONn]`. The last pass of a round waits for what is still open.

        In the last round no card is taken, though one may be written (§6.8).
        """
        action = PASS if command.card is None else _encode("pass with", command.card)
        if self.position.g.round_number == ROUNDS:
            action = PASS
        if self.mine(seat, CARD):
            self.play(action)
            return
        self.begin_action(seat)
        self.keep_offers()
        g = self.position.g
        if int(np.sum(g.passed[: g.players])) + 1 < g.players or not self.waiting():
            self.play(action)
            return
        self.decide(action, lambda g, t: pass_round(g, t, action))
        g.decision = OFFERS
        self.held = True

    # ------------------------------------------------------------------------------------------------ tiles, steps

    def favor(self, seat: int, command: Command, later: list[Command]) -> None:
        """`+FAVn`."""
        self.play_part(seat, _encode("favor", command.tile))

    def town(self, seat: int, command: Command, later: list[Command]) -> None:
        """`+[n]TWn`. The Mermaids' town over a river may be written without `connect`."""
        rivers = [CONNECT + k for k in range(len(BOARD.river)) if self.legal(CONNECT + k)]
        if rivers and self.mine(seat, TURN) and not self.position.g.towns_due:
            self.play(rivers[self.choose(len(rivers))])
        for _ in range(command.number or 1):
            self.play_part(seat, _encode("town", command.tile))
            while self.mine(seat, TURN) and self.position.g.key_choice:
                self.play(self._track_for_key())

    def _track_for_key(self) -> int:
        """A track that may use a scarce key: not one that the row excluded."""
        tracks = [k for k in range(4) if self.legal(STEP + k)]
        wanted = [k for k in tracks if CULTS[k] not in self.excluded]
        return STEP + (wanted or tracks)[0]

    def cult(self, seat: int, command: Command, later: list[Command]) -> None:
        """`+[n]CULT`: steps of the running action, of one before, or the Cultists' reward; of several together."""
        track, left = CULTS.index(command.cult), command.number
        while left is None or left > 0:
            steps = self._steps_due(seat)
            if steps == 0:
                raise LedgerError("no cult step is due")
            if left is not None and steps > left:
                raise LedgerError(f"{steps} steps are due")
            self._take_steps(seat, track)
            left = (left or steps) - steps

    def _steps_due(self, seat: int) -> int:
        """Steps that a seat takes next."""
        g = self.position.g
        if self.mine(seat, TURN) and (g.steps_due or g.key_choice):
            return max(int(g.steps_due), 1)
        if seat in self.owed and self.owed[seat]["steps_due"]:
            return int(self.owed[seat]["steps_due"])
        return int(self.mine(seat, REWARD) or (self.rewards > 0 and g.faction[seat] == CULTISTS))

    def _take_steps(self, seat: int, track: int) -> None:
        g = self.position.g
        owed = seat in self.owed and self.owed[seat]["steps_due"]
        if (self.mine(seat, TURN) and (g.steps_due or g.key_choice)) or self.mine(seat, REWARD) or owed:
            self.play_part(seat, STEP + track)
            return
        self.rewards -= 1
        with self.another_turn():
            g.actor, g.turn, g.decision, g.steps_due = seat, seat, REWARD, 1
            self.decide(STEP + track, lambda g, t: take_steps(g, track))

    def exclude(self, seat: int, command: Command, later: list[Command]) -> None:
        """`-CULT` before a town tile: this track shall not use the key."""
        self.excluded.append(command.cult)

    def give_up(self, seat: int, command: Command, later: list[Command]) -> None:
        """`-SPADE`, `-FREE_D` and the like: a gift that is declined, though the rules oblige to use it (L5)."""
        if command.gift == "spade" and self.use_cult_spades(seat):
            self._give_up_cult_spades(seat, command.number)
        elif self.mine(seat, TURN) and self.position.g[GIFTS[command.gift][0]]:
            self._decline_gift(command)
        elif seat in self.owed and self.owed[seat][GIFTS[command.gift][0]]:
            with self.owed_turn(seat):
                self._decline_gift(command)
        elif command.gift not in SKIPPED:
            raise LedgerError("no such gift is open")

    def _decline_gift(self, command: Command) -> None:
        g = self.position.g
        for name in GIFTS[command.gift]:
            some = command.number if g[name].ndim == 0 else None
            g[name] = 0 if some is None else max(int(g[name]) - some, 0)
        self.declined = command.gift in ("spade", "free_d", "free_tf")
        self.position.refresh()

    def _give_up_cult_spades(self, seat: int, number: int | None) -> None:
        """Some or all of the spades of the cult bonus."""
        g = self.position.g
        left = 0 if number is None else max(int(g.spades) - number, 0)
        if left == 0 and len(self.position.legal_actions()) > 1:
            self.play(DONE)
            return
        g.spades_due[seat] = left
        g.decision = CULT_PHASE
        self.run_on(g)
        self.position.refresh()

    # ------------------------------------------------------------------------------------------------ the rest

    def connect_river(self, seat: int, command: Command, later: list[Command]) -> None:
        """`connect rN`."""
        self.play(_encode("connect", command.river))

    def connect(self, seat: int, command: Command, later: list[Command]) -> None:
        """`connect H:H[:H]`: the river space between these spaces."""
        spaces = {space_of(label) for label in command.spaces.split(":")}
        rivers = [k for k, banks in enumerate(BOARD.banks) if spaces <= set(banks)]
        choices = [CONNECT + k for k in rivers if self.legal(CONNECT + k)]
        if not choices:
            raise LedgerError("no town can be founded over a river space between these spaces")
        self.play(choices[self.choose(len(choices))])

    def done(self, seat: int, command: Command, later: list[Command]) -> None:
        """`done` ends the turn, where it could still go on."""
        if self.mine(seat, TURN):
            self.finish_turn(seat)

    def nothing(self, seat: int, command: Command, later: list[Command]) -> None:
        """`wait` and what the engine does by itself decide nothing."""


def _encode(kind: str, *arguments: Any) -> int:
    try:
        return CODEC.encode(kind, *arguments)
    except IllegalAction:
        raise LedgerError(f"there is no {kind} {' '.join(map(str, arguments))}") from None


def _answer(game: Importer, seat: int, command: Command, later: list[Command]) -> None:
    game.answer(seat, command)


PLAYERS_OF = {
    "build": build, "dig": dig, "transform": transform, "upgrade": Importer.upgrade,
    "action": Importer.special, "bridge": Importer.bridge, "send": Importer.send, "advance": Importer.advance,
    "pass": Importer.pass_, "burn": convert, "convert": convert, "lose": lose, "favor": Importer.favor,
    "leech": _answer, "decline": _answer, "town": Importer.town, "cult": Importer.cult,
    "not cult": Importer.exclude, "give up": Importer.give_up, "connect river": Importer.connect_river,
    "engineers' bridge": Importer.special, "connect": Importer.connect, "wait": Importer.nothing,
    "done": Importer.done, "automatic": Importer.nothing,
}  # fmt: skip
