"""Playing written games: the commands of a ledger's rows become decisions of the engine.

People write freely: several turns in one row, spades without the space they are for, conversions at any time.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.terra_mystica.actions import (
    BOARD,
    BRIDGE,
    BUILD,
    BURN,
    CODEC,
    CONNECT,
    CONVERSIONS,
    CONVERT,
    DONE,
    MOST_BURNT,
    MOST_PRIESTS,
    PARTLY,
    PASS,
    STEP,
    TO,
    TO_PRIEST,
    TRANSFORM,
)  # fmt: skip
from theogony.envs.terra_mystica.commands import Command, LedgerError, read_command
from theogony.envs.terra_mystica.components import COLOURS, CULTISTS, CULTS
from theogony.envs.terra_mystica.rules.cults import take_steps
from theogony.envs.terra_mystica.rules.passing import pass_round
from theogony.envs.terra_mystica.rules.targets import distance
from theogony.envs.terra_mystica.rules.turn import apply_conversion
from theogony.envs.terra_mystica.state import (
    ACTION_SPADES,
    CARD,
    CULT_SPADES,
    MAIN,
    NONE,
    OFFERS,
    REWARD,
    SANDSTORM,
    SETTLE,
    TURN,
)  # fmt: skip
from theogony.envs.terra_mystica.written_game import WrittenGame

SPACE = {label: k for k, label in enumerate(BOARD.land)}
STARTERS = ("action", "upgrade", "send", "advance", "pass", "dig")  # commands that begin a main action


class Importer(WrittenGame):
    """Plays the rows of a ledger."""

    excluded: list[str]  # tracks that shall not use a key in this row
    dug: int  # spades bought by `dig` in this row and not yet used

    def row(self, faction: str, commands: list[Command]) -> None:
        """Play a row of one faction. Raises LedgerError naming the command that cannot be played."""
        seat = self.seat_of(faction)
        self.excluded = []
        self.dug = 0
        for k, command in enumerate(commands):
            try:
                PLAYERS_OF[command.name](self, seat, command, commands[k + 1 :])
            except LedgerError as error:
                raise LedgerError(error.reason, text=error.text or command.text) from None
            self.go_on()
        self.finish_turn(seat)
        if self.dug:
            raise LedgerError(f"{self.dug} spades were bought and not used")

    def finish_turn(self, seat: int) -> None:
        """End a turn in which nothing compulsory is left."""
        if self.mine(seat, TURN) and self.legal(DONE):
            self.play(DONE)

    def begin_action(self, seat: int) -> None:
        """A full action: end the seat's running one, and decline its open offers silently."""
        self.finish_turn(seat)
        if not self.mine(seat, MAIN):
            raise LedgerError("it is not this faction's turn")
        for offer in [o for o in self.offers if o.seat == seat]:
            self._settle(offer, accepted=False)
        self.go_on()

    # ------------------------------------------------------------------------------------------------ spaces

    def build(self, seat: int, command: Command, later: list[Command]) -> None:
        """`build H`: transforms by itself on foreign terrain, with the spades at hand."""
        space, g = _space(command.space), self.position.g
        if self.mine(seat, SETTLE):
            self.play(BUILD + space)
            return
        if not self.mine(seat, TURN) or not self.legal(BUILD + space):
            if g.terrain[space] != self.home(seat):
                self.transform_to(seat, space, self.home(seat))
            else:
                self.begin_action(seat)
        self.play(BUILD + space)

    def home(self, seat: int) -> int:
        """The colour of a seat."""
        return int(self.game.tables[0].home[self.position.g.faction[seat]])

    def dig(self, seat: int, command: Command, later: list[Command]) -> None:
        """`dig n`: spades are bought for the space that the row names next."""
        self.dug += command.number
        goal = next((c for c in later if c.name in ("transform", "build", "dig")), None)
        if goal is not None and goal.name != "dig":
            self.transform_to(seat, _space(goal.space), self.colour_of(seat, goal))

    def colour_of(self, seat: int, command: Command) -> int:
        """The colour a `transform` or `build` turns its space to."""
        named = command.words.get("colour")
        return self.home(seat) if named is None else COLOURS.index(named)

    def transform(self, seat: int, command: Command, later: list[Command]) -> None:
        """`transform H [to colour]`. A space that is built on in the same action is the first one."""
        space, colour = _space(command.space), self.colour_of(seat, command)
        g = self.position.g
        if self.mine(seat, TURN) and g.spade_use == ACTION_SPADES and g.first == NONE:
            build = self._same_action(later)
            if build is not None and g.terrain[_space(build.space)] != self.home(seat):
                self.transform_to(seat, _space(build.space), self.home(seat))
        self.transform_to(seat, space, colour)

    def _same_action(self, later: list[Command]) -> Command | None:
        """The `build` that ends the running action, if one comes before the next action begins."""
        for command in later:
            if command.name in STARTERS:
                return None
            if command.name == "build":
                return command
        return None

    def transform_to(self, seat: int, space: int, colour: int) -> None:
        """Transform a space unless it has the colour already."""
        g = self.position.g
        if g.terrain[space] == colour:
            return
        open_now = self.mine(seat, TURN) and (self.legal(TRANSFORM + space) or self.legal(PARTLY + space))
        if not self.mine(seat, CULT_SPADES) and not open_now:
            self.begin_action(seat)
        cults = self.mine(seat, CULT_SPADES)
        free, home, g = int(self.position.g.spades), self.home(seat), self.position.g
        if g.spade_use == SANDSTORM:
            self.play(TRANSFORM + space)
            return
        steps = int(distance(g, self.game.tables[0], seat, space, colour))
        if not cults:
            self.dug -= max(0, steps - free)
            if self.dug < 0:
                raise LedgerError(f"{-self.dug} spades are missing: write `dig` before")
        self.play((TRANSFORM if colour == home else PARTLY) + space)
        if colour != home:
            self.play(TO + colour)

    # ------------------------------------------------------------------------------------------------ actions

    def upgrade(self, seat: int, command: Command, later: list[Command]) -> None:
        if not (self.mine(seat, TURN) and self.position.g.free_house):
            self.begin_action(seat)
        self.play(CODEC.encode("upgrade", _label(command.space), command.kind))

    def special(self, seat: int, command: Command, later: list[Command]) -> None:
        self.begin_action(seat)
        kind = "power action" if command.what[3:].isdigit() and command.what.startswith("ACT") else "special action"
        self.play(_encode(kind, command.what))

    def bridge(self, seat: int, command: Command, later: list[Command]) -> None:
        ends = {_space(command.first), _space(command.second)}
        site = next((k for k, pair in enumerate(BOARD.sites) if set(pair) == ends), None)
        if site is None:
            raise LedgerError("there is no bridge site between these spaces")
        self.play(BRIDGE + site)

    def send(self, seat: int, command: Command, later: list[Command]) -> None:
        self.begin_action(seat)
        for steps in (3, 2, 1) if command.number is None else (command.number,):
            action = _encode("send", command.cult, steps)
            if self.legal(action) or command.number is not None or steps == 1:
                self.play(action)
                return

    def advance(self, seat: int, command: Command, later: list[Command]) -> None:
        self.begin_action(seat)
        self.play(CODEC.encode("advance", command.what))

    def pass_(self, seat: int, command: Command, later: list[Command]) -> None:
        """`pass [BONn]`. The last pass of a round waits for answers that are still open."""
        action = PASS if command.card is None else _encode("pass with", command.card)
        if self.mine(seat, CARD):
            self.play(action)
            return
        self.begin_action(seat)
        g = self.position.g
        if int(np.sum(g.passed[: g.players])) + 1 < g.players or not (self.offers or self.rewards):
            self.play(action)
            return
        if not self.legal(action):
            raise LedgerError(str(self.position.illegal(action)))
        if self.listener is not None:
            self.listener(self.position, action)
        pass_round(g, self.game.tables[0], action)
        g.decision = OFFERS
        self.held = True

    # ------------------------------------------------------------------------------------------------ the rest

    def convert(self, seat: int, command: Command, later: list[Command]) -> None:
        """`convert [n]X to [n]Y` and `burn n`, also when somebody else is due."""
        for action in self.conversions(seat, command):
            due = self.position.g
            if not self.held and due.actor == seat and due.decision in (MAIN, TURN):
                self.play(action)
            else:
                self.aside(seat, seat, TURN, action, lambda g, t, action=action: apply_conversion(g, action))

    def conversions(self, seat: int, command: Command) -> list[int]:
        """The single conversions of a command."""
        if command.name == "burn":
            return _in_amounts(BURN, 1, command.number, MOST_BURNT)
        if (command.give, command.take) == ("W", "P"):
            return _in_amounts(TO_PRIEST, 1, command.taken or command.given or 1, MOST_PRIESTS)
        if (command.give, command.take) == ("P", "C") and command.given == command.taken:  # by way of workers
            return [CODEC.encode("convert", "1P to 1W"), CODEC.encode("convert", "1W to 1C")] * (command.given or 1)
        for k, text in enumerate(CONVERSIONS):
            unit = read_command("convert " + text)
            if (unit.give, unit.take) == (command.give, command.take):
                given = command.given if command.given is not None else unit.given * (command.taken or 1)
                times, rest = divmod(given, unit.given)
                if rest or (command.taken is not None and times * unit.taken != command.taken):
                    raise LedgerError(f"the rate is {text}")
                most = sum(_goods(other) == _goods(text) for other in CONVERSIONS)
                return _in_amounts(CONVERT + k, 1, times, most)
        raise LedgerError("there is no such conversion")

    def favor(self, seat: int, command: Command, later: list[Command]) -> None:
        self.play(_encode("favor", command.tile))

    def town(self, seat: int, command: Command, later: list[Command]) -> None:
        for _ in range(command.number or 1):
            self.play(_encode("town", command.tile))
            while self.position.g.key_choice:
                self.play(self._track_for_key())

    def _track_for_key(self) -> int:
        """A track that may use a scarce key: not one that the row excluded."""
        tracks = [k for k in range(4) if self.legal(STEP + k)]
        wanted = [k for k in tracks if CULTS[k] not in self.excluded]
        return STEP + (wanted or tracks)[0]

    def cult(self, seat: int, command: Command, later: list[Command]) -> None:
        """`+CULT`: the steps of an action, or the Cultists' reward."""
        track, g = CULTS.index(command.cult), self.position.g
        if self.mine(seat, TURN) and (g.steps_due or g.key_choice):
            if g.steps_due and command.number not in (None, int(g.steps_due)):
                raise LedgerError(f"{int(g.steps_due)} steps are due")
            self.play(STEP + track)
        elif self.mine(seat, REWARD):
            self.play(STEP + track)
        elif self.rewards and g.faction[seat] == CULTISTS:
            self.rewards -= 1
            self.aside(seat, seat, REWARD, STEP + track, lambda g, t: take_steps(g, track))
        else:
            raise LedgerError("no cult step is due")

    def exclude(self, seat: int, command: Command, later: list[Command]) -> None:
        """`-CULT` before a town tile: this track shall not use the key."""
        self.excluded.append(command.cult)

    def give_up(self, seat: int, command: Command, later: list[Command]) -> None:
        """`-SPADE`: spades that are not used. The engine skips those that cannot be."""
        if self.mine(seat, CULT_SPADES):
            self.play(DONE)

    def connect_river(self, seat: int, command: Command, later: list[Command]) -> None:
        self.play(_encode("connect", command.river))

    def connect(self, seat: int, command: Command, later: list[Command]) -> None:
        """`connect H:H[:H]`: the river space between these spaces."""
        spaces = {_space(label) for label in command.spaces.split(":")}
        rivers = [k for k, banks in enumerate(BOARD.banks) if spaces <= set(banks)]
        choices = [CONNECT + k for k in rivers if self.legal(CONNECT + k)]
        if not choices:
            raise LedgerError("no town can be founded over a river space between these spaces")
        self.play(choices[0])

    def done(self, seat: int, command: Command, later: list[Command]) -> None:
        """`done` ends the turn, where a dwelling could still follow."""
        self.finish_turn(seat)

    def nothing(self, seat: int, command: Command, later: list[Command]) -> None:
        """`wait` and the like decide nothing."""


def _goods(conversion: str) -> str:
    """The kinds of goods of a conversion, without the numbers."""
    return re.sub(r"\d", "", conversion)


def _in_amounts(first: int, least: int, number: int, most: int) -> list[int]:
    """Actions for a number of conversions: as many at once as there are actions for. `first` is the action for one."""
    return [first + min(most, number - done) - least for done in range(0, number, most)]


def _space(label: str) -> int:
    if label not in SPACE:
        raise LedgerError(f"there is no space {label}")
    return SPACE[label]


def _label(label: str) -> str:
    return BOARD.land[_space(label)]


def _encode(kind: str, *arguments: Any) -> int:
    try:
        return CODEC.encode(kind, *arguments)
    except IllegalAction:
        raise LedgerError(f"there is no {kind} {' '.join(map(str, arguments))}") from None


PLAYERS_OF = {
    "build": Importer.build, "dig": Importer.dig, "transform": Importer.transform, "upgrade": Importer.upgrade,
    "action": Importer.special, "bridge": Importer.bridge, "send": Importer.send, "advance": Importer.advance,
    "pass": Importer.pass_, "burn": Importer.convert, "convert": Importer.convert, "favor": Importer.favor,
    "leech": lambda self, seat, command, later: self.answer(seat, command),
    "decline": lambda self, seat, command, later: self.answer(seat, command),
    "town": Importer.town, "cult": Importer.cult, "not cult": Importer.exclude, "no spade": Importer.give_up,
    "no priests": Importer.nothing, "connect river": Importer.connect_river, "connect": Importer.connect,
    "wait": Importer.nothing, "done": Importer.done,
}  # fmt: skip
