"""Playing written games: the rows of a ledger become decisions of the engine.

People write freely: several turns in one row, answers to power offers long after the offer, conversions at any time.
The rules know nothing of that. The importer keeps late offers itself and plays each answer as the decision it is, on
a position whose turn is set aside meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import (
    BOARD,
    BRIDGE,
    BUILD,
    BURN,
    CODEC,
    CONNECT,
    CONVERSIONS,
    CONVERT,
    DECLINE,
    DONE,
    LEECH_MORE,
    NAMED_OFFERS,
    PASS,
    STEP,
    TO,
    TO_PRIEST,
    TRANSFORM,
)  # fmt: skip
from theogony.envs.terra_mystica.commands import Command, LedgerError, read_command
from theogony.envs.terra_mystica.components import BONUS, CULTISTS, CULTS, FACTIONS, SCORING
from theogony.envs.terra_mystica.geometry import COLOURS
from theogony.envs.terra_mystica.rules.cults import take_steps
from theogony.envs.terra_mystica.rules.offers import accept, can_take, clear_offers
from theogony.envs.terra_mystica.rules.passing import pass_round
from theogony.envs.terra_mystica.rules.power import gain_power, power_room
from theogony.envs.terra_mystica.rules.rounds import clear_turn
from theogony.envs.terra_mystica.rules.spades import distance
from theogony.envs.terra_mystica.rules.turn import apply_conversion, run_on
from theogony.envs.terra_mystica.state import (
    ACTION_SPADES,
    CARD,
    COLOUR,
    CULT_SPADES,
    FREE,
    LEECH,
    MAIN,
    NONE,
    NOT_IN_GAME,
    OFFERS,
    REWARD,
    SETTLE,
    TURN,
)  # fmt: skip

SPACE = {label: k for k, label in enumerate(BOARD.land)}
# What a turn is in the middle of: set aside while somebody else answers.
TURN_FIELDS = (
    "actor", "turn", "decision", "turns_left", "spades", "spade_use", "target", "first", "tunnelled", "sites",
    "free_dwelling", "free_house", "favors_due", "towns_due", "steps_due", "bridge_due", "priests_due", "stopped",
    "connecting", "key_choice", "offer_seat", "offer_power", "offer_count", "offer_next", "offer_taken",
    "offer_declined",
)  # fmt: skip
STARTERS = ("action", "upgrade", "send", "advance", "pass", "dig")  # commands that begin a main action
Listener = Callable[[Position, int], None]
Effect = Callable[[Any, Any], None]


@dataclass
class Offer:
    """Power offered and not yet answered. Offers of one action share `action`, a running number."""

    seat: int
    builder: int
    power: int
    action: int


class Importer:
    """A game that is played from written rows. `position` is where it stands; `listener` hears of each decision."""

    def __init__(self, game: Game, listener: Listener | None = None, *, late: bool = True) -> None:
        """With `late` answers may come at any time; without it in the engine's order."""
        self.game, self.late = game, late
        self.position = Position(game, 0)
        self.listener = listener
        self.offers: list[Offer] = []
        self.rewards = 0  # cult steps the Cultists may still take
        self.answered: dict[int, set[str]] = {}  # how the offers of an action were answered
        self.actions = 0
        self.held = False  # a round waits for late answers
        self.excluded: list[str] = []  # tracks that shall not use a key
        self.dug = 0  # spades bought by `dig` and not yet used

    # ------------------------------------------------------------------------------------------------ setup

    def arrange(self, scoring: list[str], removed: list[str], factions: list[str]) -> None:
        """Lay out the recorded tiles and cards, and let the seats take their factions. Raises LedgerError."""
        g = self.position.g
        if len(scoring) != 6 or len(set(scoring)) != 6:
            raise LedgerError(f"six different scoring tiles are needed, not {', '.join(scoring) or 'none'}")
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
        raise LedgerError(f"{faction} is not in this game")

    # ------------------------------------------------------------------------------------------------ decisions

    def play(self, action: int) -> None:
        """One decision of the seat that is due. Raises LedgerError with what is legal."""
        if self.listener is not None and self.position.mask[0, action]:
            self.listener(self.position, action)
        try:
            self.position.play(action)
        except IllegalAction as error:
            raise LedgerError(str(error)) from None

    def legal(self, action: int) -> bool:
        """Whether the seat that is due may do this."""
        return bool(self.position.mask[0, action])

    def aside(self, seat: int, builder: int, decision: int, action: int, effect: Effect, power: int = 0) -> None:
        """A decision out of turn: set the running turn aside, check and do it, and take the turn up again."""
        g = self.position.g
        before = {name: np.copy(g[name]) for name in TURN_FIELDS}
        clear_turn(g)
        clear_offers(g)
        g.favors_due = g.towns_due = g.bridge_due = 0
        g.steps_due = decision == REWARD
        g.actor, g.turn, g.decision = seat, builder, decision
        g.offer_seat[0], g.offer_power[0], g.offer_count = seat, power, decision == LEECH
        self.position.refresh()
        try:
            if not self.legal(action):
                raise LedgerError(str(self.position.illegal(action)))
            if self.listener is not None:
                self.listener(self.position, action)
            effect(g, self.game.tables[0])
        finally:
            for name, value in before.items():
                g[name] = value
            self.refresh()

    def refresh(self) -> None:
        """Observation and mask of the seat that is due, unless a round waits for answers."""
        if not self.held:
            self.position.refresh()

    # ------------------------------------------------------------------------------------------------ power offers

    def keep_offers(self) -> None:
        """Take the offers of the action that ends now out of the engine's queue: they may be answered late."""
        if not self.late:
            return
        g = self.position.g
        self.actions += 1
        for k in range(int(g.offer_next), int(g.offer_count)):
            self.offers.append(Offer(int(g.offer_seat[k]), int(g.turn), int(g.offer_power[k]), self.actions))
        clear_offers(g)

    def answer(self, seat: int, command: Command) -> None:
        """`leech n from F` or `decline [n from F]`. Raises LedgerError when there is no such offer."""
        if not self.late:
            self._answer_now(seat, command)
            return
        open_ones = [o for o in self.offers if o.seat == seat and self._fits(o, command)]
        if not open_ones:
            raise LedgerError("there is no such power offer", text=command.text)
        for offer in open_ones if command.name == "decline" and command.source is None else open_ones[:1]:
            self._settle(offer, accepted=command.name == "leech")

    def _answer_now(self, seat: int, command: Command) -> None:
        """An answer in the engine's order. Who cannot gain anything is not asked, and can only decline."""
        g = self.position.g
        if self.mine(seat, LEECH):
            offer = Offer(seat, int(g.turn), int(g.offer_power[g.offer_next]), 0)
            if not self._fits(offer, command):
                raise LedgerError(f"the offer is of {offer.power}", text=command.text)
            self.play(self._choice(offer) if command.name == "leech" else DECLINE)
        elif command.name == "leech" or (power_room(g, seat) > 0 and g.vp[seat] >= 0):
            raise LedgerError("no power is offered now", text=command.text)

    def _choice(self, offer: Offer) -> int:
        """The action that accepts an offer."""
        builder = FACTIONS[self.position.g.faction[offer.builder]]
        return CODEC.encode("leech", offer.power, builder) if offer.power <= NAMED_OFFERS else LEECH_MORE

    def _fits(self, offer: Offer, command: Command) -> bool:
        source = command.source is None or FACTIONS[self.position.g.faction[offer.builder]] == command.source
        return source and (command.number is None or command.number == offer.power)

    def _settle(self, offer: Offer, *, accepted: bool) -> None:
        """Answer an offer. Where the bowls can take nothing there is no choice, whatever was written."""
        g, t = self.position.g, self.game.tables[0]
        self.offers.remove(offer)
        if can_take(g, t, offer.seat, offer.power) > 0:
            effect = (lambda g, t: accept(g, t, offer.seat, offer.power)) if accepted else (lambda g, t: None)
            choice = self._choice(offer) if accepted else DECLINE
            self.aside(offer.seat, offer.builder, LEECH, choice, effect, offer.power)
            self.answered.setdefault(offer.action, set()).add("leech" if accepted else "decline")
        if g.faction[offer.builder] == CULTISTS:
            self._reward(offer, self.answered.get(offer.action, set()))

    def _reward(self, offer: Offer, answers: set[str]) -> None:
        """The Cultists' cult step for a first acceptance, or their power when all have declined (rules §12)."""
        if "leech" in answers and "rewarded" not in answers:
            answers.add("rewarded")
            self.rewards += 1
        last = not any(o.action == offer.action for o in self.offers)
        if last and answers == {"decline"} and self.game.tables[0].cultists_power:
            gain_power(self.position.g, offer.builder, 1)
            self.refresh()

    def go_on(self) -> None:
        """After the last answer a round that waited runs on."""
        if self.held and not self.offers and not self.rewards:
            self.held = False
            run_on(self.position.g, self.game.tables[0])
            self.position.refresh()

    # ------------------------------------------------------------------------------------------------ rows

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

    def mine(self, seat: int, decision: int) -> bool:
        """Whether a seat is due with this kind of decision."""
        g = self.position.g
        return not self.held and g.actor == seat and g.decision == decision and not g.over

    def finish_turn(self, seat: int) -> None:
        """End a turn in which nothing compulsory is left; its offers wait for their answers."""
        if self.mine(seat, TURN) and self.legal(DONE):
            self.keep_offers()
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
        if not self.mine(seat, CULT_SPADES) and not (self.mine(seat, TURN) and self.legal(TRANSFORM + space)):
            self.begin_action(seat)
        cults = self.mine(seat, CULT_SPADES)
        free = int(self.position.g.spades)
        self.play(TRANSFORM + space)
        if self.position.g.decision == COLOUR:
            steps = int(distance(self.position.g, self.game.tables[0], seat, space, colour))
            self.play(TO + colour)
            self.dug -= 0 if cults else max(0, steps - free)
            if self.dug < 0:
                raise LedgerError(f"{-self.dug} spades are missing: write `dig` before")

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
        self.keep_offers()
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
            return [BURN] * command.number
        if (command.give, command.take) == ("W", "P"):
            return [TO_PRIEST] * (command.taken or command.given or 1)
        if (command.give, command.take) == ("P", "C") and command.given == command.taken:  # by way of workers
            return [CODEC.encode("convert", "1P to 1W"), CODEC.encode("convert", "1W to 1C")] * (command.given or 1)
        for k, text in enumerate(CONVERSIONS):
            unit = read_command("convert " + text)
            if (unit.give, unit.take) == (command.give, command.take):
                given = command.given if command.given is not None else unit.given * (command.taken or 1)
                times, rest = divmod(given, unit.given)
                if rest or (command.taken is not None and times * unit.taken != command.taken):
                    raise LedgerError(f"the rate is {text}")
                return [CONVERT + k] * times
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


def _index(names: tuple[str, ...], name: str, what: str) -> int:
    if name not in names:
        raise LedgerError(f"there is no {what} {name}")
    return names.index(name)


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
