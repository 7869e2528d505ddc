"""A game that is played from written rows: its decisions, and power offers that may be answered late.

People answer power offers long after the offer, and convert while somebody else is due. The rules know nothing of that:
the offers are kept here, and each answer is played as the decision it is, on a position whose turn is set aside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import CODEC, DECLINE, LEECH_MORE, NAMED_OFFERS
from theogony.envs.terra_mystica.commands import Command, LedgerError
from theogony.envs.terra_mystica.components import BONUS, CULTISTS, FACTIONS, SCORING
from theogony.envs.terra_mystica.rules.offers import accept, can_take, clear_offers
from theogony.envs.terra_mystica.rules.power import gain_power, power_room
from theogony.envs.terra_mystica.rules.rounds import clear_turn
from theogony.envs.terra_mystica.rules.turn import decide, run_on
from theogony.envs.terra_mystica.state import FREE, LEECH, NOT_IN_GAME, OFFERS, REWARD

# What a turn is in the middle of: set aside while somebody else answers.
TURN_FIELDS = (
    "actor", "turn", "decision", "turns_left", "spades", "spade_use", "target", "first", "tunnelled", "sites",
    "free_dwelling", "free_house", "favors_due", "towns_due", "steps_due", "bridge_due", "priests_due", "stopped",
    "connecting", "brought", "turned", "key_choice", "offer_seat", "offer_power", "offer_count", "offer_next",
    "offer_taken", "offer_declined",
)  # fmt: skip
Listener = Callable[[Position, int], None]
Effect = Callable[[Any, Any], None]


@dataclass
class Offer:
    """Power offered and not yet answered. Offers of one action share `action`, a running number."""

    seat: int
    builder: int
    power: int
    action: int


class WrittenGame:
    """A game in play. `position` is where it stands; `listener` hears of each decision."""

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
        before = self.position.g.copy()
        try:
            self.position.play(action)
        except IllegalAction as error:
            raise LedgerError(str(error)) from None
        if self.late:
            self._keep_offers(before, action)

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

    def mine(self, seat: int, decision: int) -> bool:
        """Whether a seat is due with this kind of decision."""
        g = self.position.g
        return not self.held and g.actor == seat and g.decision == decision and not g.over

    # ------------------------------------------------------------------------------------------------ power offers

    def _keep_offers(self, before: Any, action: int) -> None:
        """Take the offers of a turn that has just ended out of the engine's queue: they may be answered late.

        The engine asks the neighbours at once, so the decision is made again and the turn goes on without them.
        """
        t, ended = self.game.tables[0], before
        decide(ended, t, action)
        if ended.decision != OFFERS or ended.offer_next == ended.offer_count:
            return
        self.actions += 1
        for k in range(int(ended.offer_next), int(ended.offer_count)):
            self.offers.append(
                Offer(int(ended.offer_seat[k]), int(ended.turn), int(ended.offer_power[k]), self.actions)
            )
        clear_offers(ended)
        run_on(ended, t)
        g = self.position.g
        ended.ply = g.ply
        for name in g.dtype.names:
            g[name] = ended[name]
        self.refresh()

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


def _index(names: tuple[str, ...], name: str, what: str) -> int:
    if name not in names:
        raise LedgerError(f"there is no {what} {name}")
    return names.index(name)
