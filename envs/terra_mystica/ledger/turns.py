"""A game that is played from written rows, with turns as people write them: begun, gone on with in a later row, and
ended before all that they bring is taken."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import CODEC, DECLINE, DONE, LEECH_MORE, NAMED_OFFERS
from theogony.envs.terra_mystica.components import BONUS, CULTISTS, FACTIONS, SCORING
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError, shown
from theogony.envs.terra_mystica.rules.legal import accept, can_take, clear_offers, compulsory
from theogony.envs.terra_mystica.rules.power import gain_power, power_room
from theogony.envs.terra_mystica.rules.rounds import ask_for_spades, clear_turn
from theogony.envs.terra_mystica.rules.turn import decide, next_station
from theogony.envs.terra_mystica.state import CULT_PHASE, CULT_SPADES, FREE, LEECH, MAIN, NOT_IN_GAME, OFFERS, TURN


@dataclass(frozen=True)
class Offer:
    """Power offered and not yet answered. Offers of one action share `action`, a running number.

    `open` says whether the seat had a choice: its bowls could take something when the offer was made, and still could
    after the power that it has accepted since. Nobody waits for the other answers (L1).
    """

    seat: int
    builder: int
    power: int
    action: int
    open: bool = True


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


# What an action may still ask for, in words. The first four may be taken after the next action (L2).
OWED = {"favors_due": "a favor tile", "towns_due": "a town tile", "steps_due": "a cult step", "bridge_due": "a bridge"}
ASKED = OWED | {
    "key_choice": "a cult track", "free_house": "a trading house", "free_dwelling": "a dwelling", "spades": "a space",
}  # fmt: skip


class TurnGame:
    """A written game in play. `position` is where it stands; `notes` is what the listener said of each decision.

    With `late` offers are answered at any time, else in the engine's order. Where a row has several readings, `script`
    says which of them are tried.
    """

    # attributes that belong to a moment of the game
    books = ("held", "offers", "rewards", "answered", "actions", "owed", "dug", "declined")

    def __init__(self, game: Game, listener: Listener | None = None, *, late: bool = True) -> None:
        self.game = game
        self.position = Position(game, 0)
        self.listener = listener
        self.late = late
        self.notes: list[Any] = []
        self.held = False  # a round waits for what is still open
        self.offers: list[Offer] = []
        self.rewards = 0  # cult steps the Cultists may still take
        self.answered: dict[int, set[str]] = {}  # how the offers of an action were answered
        self.actions = 0
        self.spades_kept: set[str] = set()  # factions whose spades of the cult bonus are not given up by themselves
        self.owed: dict[int, Turn] = {}  # actions that were followed by another before all they bring was taken
        self.dug = 0  # spades bought by `dig` and not yet used
        self.declined = False  # the running action declined its gift, and may still build in the usual way
        self.script: tuple[int, ...] = ()
        self.made: list[tuple[int, int]] = []  # choices made in this row, and out of how many

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
        """One decision of the seat that is due. Where it ends a turn, its offers are kept and the game goes on.

        Raises LedgerError with what is legal.
        """
        before = self.position.g.copy()
        self._note(action)
        try:
            self.position.play(action)
        except IllegalAction as error:
            raise LedgerError(str(error)) from None
        if not self.late and not self.spades_kept:
            return
        decide(before, self.game.tables[0], action)  # the engine has run on already: make the decision again
        if self.late and before.decision == OFFERS and before.offer_next < before.offer_count:
            self._take_offers(before)
        elif before.decision < OFFERS or not self.spades_kept:
            return
        self.run_on(before)
        g = self.position.g
        before.ply = g.ply
        for name in g.dtype.names:
            g[name] = before[name]
        self.refresh()

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

    # ------------------------------------------------------------------------------------------------ offers

    def run_on(self, g: Any) -> None:
        """On to the next decision. Spades of the cult bonus that no space takes stay where a recording has them."""
        while g.decision >= OFFERS:
            seats = [int(s) for s in g.order[: g.players]] if g.decision == CULT_PHASE else []
            kept = [s for s in seats if g.spades_due[s] and FACTIONS[g.faction[s]] in self.spades_kept]
            if kept:
                ask_for_spades(g, kept[0])
            else:
                next_station(g, self.game.tables[0])

    def keep_offers(self) -> None:
        """Take the offers that the running action has caused out of the engine's queue: they may be answered late."""
        if self.late and self.position.g.offer_next < self.position.g.offer_count:
            self._take_offers(self.position.g)

    def _take_offers(self, g: Any) -> None:
        self.actions += 1
        for k in range(int(g.offer_next), int(g.offer_count)):
            seat = int(g.offer_seat[k])
            able = bool(power_room(g, seat) > 0)
            self.offers.append(Offer(seat, int(g.turn), int(g.offer_power[k]), self.actions, able))
        clear_offers(g)

    def answer(self, seat: int, command: Command) -> None:
        """`leech n from F` or `decline [n from F]`. Raises LedgerError when there is no such offer."""
        if not self.late:
            self._answer_now(seat, command)
            return
        fitting = [o for o in self.offers if o.seat == seat and self._fits(o, command)]
        if not fitting:
            names = [f"{o.power} from {self.faction_of(o.builder)}" for o in self.offers if o.seat == seat]
            known = f"; open are {', '.join(names)}" if names else ""
            raise LedgerError(f"there is no such power offer{known}", text=command.text)
        if command.name == "decline" and command.source is None:
            answered = fitting
        else:
            answered = [fitting[self.choose(len(fitting))]]
        for offer in answered:
            self.settle(offer, accepted=command.name == "leech")

    def faction_of(self, seat: int) -> str:
        """The name of a seat's faction."""
        return FACTIONS[self.position.g.faction[seat]]

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
        builder = self.faction_of(offer.builder)
        return CODEC.encode("leech", offer.power, builder) if offer.power <= NAMED_OFFERS else LEECH_MORE

    def _fits(self, offer: Offer, command: Command) -> bool:
        """Whether an answer is to this offer: its number is the power offered, or what the bowls can take of it."""
        if command.source not in (None, self.faction_of(offer.builder)):
            return False
        gain = can_take(self.position.g, self.game.tables[0], offer.seat, offer.power)
        return command.number in (None, offer.power, gain)

    def settle(self, offer: Offer, *, accepted: bool) -> None:
        """Answer an offer. Where the bowls can take nothing there is no choice, whatever was written."""
        g, t = self.position.g, self.game.tables[0]
        self.offers.remove(offer)
        if can_take(g, t, offer.seat, offer.power) > 0:
            with self.another_turn():
                g.actor, g.turn, g.decision = offer.seat, offer.builder, LEECH
                g.offer_seat[0], g.offer_power[0], g.offer_count = offer.seat, offer.power, 1
                if accepted:
                    self.decide(self._choice(offer), lambda g, t: accept(g, t, offer.seat, offer.power))
                else:
                    self.decide(DECLINE, lambda g, t: None)
        if offer.open:
            self.answered.setdefault(offer.action, set()).add("leech" if accepted else "decline")
        shut = self._shut_offers(offer.seat) if accepted else []
        for answered in [offer, *shut]:
            if g.faction[answered.builder] == CULTISTS:
                self._reward(answered)

    def settle_shut(self) -> None:
        """Offers that nobody has to answer, and nobody did."""
        for offer in [o for o in self.offers if not o.open]:
            self.settle(offer, accepted=False)

    def _shut_offers(self, seat: int) -> list[Offer]:
        """The seat's open offers, when its bowls are full: it has no choice any more."""
        if power_room(self.position.g, seat) > 0:
            return []
        full = [o for o in self.offers if o.seat == seat and o.open]
        self.offers = [replace(o, open=False) if o in full else o for o in self.offers]
        return full

    def _reward(self, offer: Offer) -> None:
        """The Cultists' cult step for a first acceptance; their power when all who had a choice have declined (§12)."""
        answers = self.answered.get(offer.action, set())
        if "leech" in answers and "rewarded" not in answers:
            answers.add("rewarded")
            self.rewards += 1
        last = not any(o.action == offer.action and o.open for o in self.offers)
        if last and answers == {"decline"} and self.game.tables[0].cultists_power:
            answers.add("rewarded")
            gain_power(self.position.g, offer.builder, 1)
            self.refresh()

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


def _index(names: tuple[str, ...], name: str, what: str) -> int:
    if name not in names:
        raise LedgerError(f"there is no {what} {name}")
    return names.index(name)
