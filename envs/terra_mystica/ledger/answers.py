"""Power offers that may be answered late.

People answer power offers long after the offer, and convert while somebody else is due. The rules know nothing of that:
the offers are kept here, and each answer is played as the decision it is, on a position whose turn is set aside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.terra_mystica.actions import CODEC, DECLINE, LEECH_MORE, NAMED_OFFERS
from theogony.envs.terra_mystica.components import CULTISTS, FACTIONS
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError
from theogony.envs.terra_mystica.ledger.written_game import Listener, WrittenGame
from theogony.envs.terra_mystica.rules.offers import accept, can_take, clear_offers
from theogony.envs.terra_mystica.rules.power import gain_power, power_room
from theogony.envs.terra_mystica.rules.rounds import ask_for_spades
from theogony.envs.terra_mystica.rules.turn import decide, next_station
from theogony.envs.terra_mystica.state import CULT_PHASE, LEECH, OFFERS


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


class AnsweredGame(WrittenGame):
    """A written game with its open offers. With `late` they are answered at any time, else in the engine's order."""

    books = (*WrittenGame.books, "offers", "rewards", "answered", "actions")

    def __init__(self, game: Game, listener: Listener | None = None, *, late: bool = True) -> None:
        super().__init__(game, listener)
        self.late = late
        self.offers: list[Offer] = []
        self.rewards = 0  # cult steps the Cultists may still take
        self.answered: dict[int, set[str]] = {}  # how the offers of an action were answered
        self.actions = 0
        self.spades_kept: set[str] = set()  # factions whose spades of the cult bonus are not given up by themselves

    def play(self, action: int) -> None:
        """One decision of the seat that is due. Where it ends a turn, its offers are kept and the game goes on."""
        before = self.position.g.copy()
        super().play(action)
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
            raise LedgerError(f"there is no such power offer{self._open_offers(seat)}", text=command.text)
        if command.name == "decline" and command.source is None:
            answered = fitting
        else:
            answered = [fitting[self.choose(len(fitting))]]
        for offer in answered:
            self.settle(offer, accepted=command.name == "leech")

    def choose(self, options: int) -> int:
        """One of several readings of a command."""
        return 0

    def _open_offers(self, seat: int) -> str:
        """The offers a seat has, for a message."""
        names = [f"{o.power} from {self.faction_of(o.builder)}" for o in self.offers if o.seat == seat]
        return f"; open are {', '.join(names)}" if names else ""

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
