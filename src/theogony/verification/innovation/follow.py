"""Follow a recording of another implementation, decision by decision (`reader.py` reads the files)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.kernels import kernels
from theogony.envs.core.verify import Differ
from theogony.envs.innovation import actions as at
from theogony.envs.innovation.cards.opcodes import DONE, ME, POOL, TAKE_HIGHEST
from theogony.envs.innovation.components import AGES, CARDS, COLOURS, MAX_PLAYERS, SPLAYS
from theogony.envs.innovation.components.tables import CHANCES
from theogony.envs.innovation.state import (
    ACTION,
    ALTERNATIVE,
    CARD,
    COLOUR,
    HANDS,
    LOG_ENTRIES,
    ORDER,
    PAIR,
    PILE,
    PLAYER,
    SHOWN,
    SPLAY_COLOUR,
    VALUE,
    YES_NO,
    cards_in,
)
from theogony.verification.chance import given
from theogony.verification.innovation.events import Event, event

KINDS = {
    CARD: "card", SPLAY_COLOUR: "splay", YES_NO: "yes_no", ALTERNATIVE: "alternative", PLAYER: "player",
    COLOUR: "color", PAIR: "two_colors", VALUE: "value", PILE: "reorder",
}  # fmt: skip
Record = dict[str, Any]
CHOICES: dict[int, Callable[[Any], int]] = {  # the id of a recorded choice; of cards it is their number
    YES_NO: lambda choice: at.ANSWER_AT + bool(choice),
    SPLAY_COLOUR: lambda colour: at.COLOUR_AT + COLOURS.index(colour),
    COLOUR: lambda colour: at.COLOUR_AT + COLOURS.index(colour),
    VALUE: lambda value: at.VALUE_AT + int(value) - 1,
    ALTERNATIVE: lambda letter: at.ALTERNATIVE_AT + "ab".index(letter),
    PAIR: lambda pair: at.PAIR_AT + at.PAIRS.index("+".join(sorted(pair, key=COLOURS.index))),
}


class Lost(Exception):
    """The recording and the game went different ways; the difference has been reported."""


class Follower:
    """A game with a log, played as a recording says. `events` are the movements so far, in the recording's form."""

    def __init__(self, game: Game, differ: Differ) -> None:
        self.game, self.differ = game, differ
        self.kernels = kernels(game.spec)
        self.states = game.new_states(1)
        self.events: list[Event] = []
        self.expected: list[Event] = []  # the movements of the recording
        self.drawn: deque[int] = deque()  # recorded results of chance that are still to come
        self.step: Any = 0

    @property
    def g(self) -> Any:
        return self.states[0]

    def legal(self) -> list[int]:
        """Ids of the legal actions."""
        mask = np.zeros(at.CODEC.size, np.int8)
        self.kernels.legal_mask(self.states, 0, self.game.tables, mask)
        return [int(a) for a in np.flatnonzero(mask)]

    def play(self, action: int) -> None:
        """One decision; its movements are added to `events`."""
        if action not in self.legal():
            self.differ(self.where(), "action", at.CODEC.text(action), [at.CODEC.text(a) for a in self.legal()])
            raise Lost
        results = list(self.drawn)[:CHANCES]
        with given(self.game, self.g, results):
            self.kernels.decide(self.states, 0, self.game.tables, action)
        for _ in results[: int(self.g.rng[0])]:
            self.drawn.popleft()
        moved = int(self.g.log[0])
        if moved > LOG_ENTRIES:
            self.differ(self.where(), "events", f"at most {LOG_ENTRIES} in one decision", moved)
            raise Lost
        self.events += [event(*entry) for entry in self.g.log[1 : 1 + 3 * moved].reshape(moved, 3).tolist()]

    def where(self) -> str:
        """The step, and the card and effect that are being performed."""
        stack = self.dogma()
        if not stack:
            return str(self.step)
        inner = stack[-1]
        effect = f"{inner['kind']} effect {inner['effect']}"
        return f"{self.step} ({at.NAMES[inner['card']]}, {effect}, seat {inner['performer']})"

    def dogma(self) -> list[Record]:
        """The effects being performed, outermost first (those that were replaced by an inner one are left out)."""
        g = self.g
        if g.dogma < 0:
            return []
        stack = [(int(g.dogma), int(g.effect), int(g.performer))]
        for f in range(int(g.depth)):
            if g.nested[f]:
                stack.append((int(g.frame_card[f]), int(g.frame_effect[f]), int(g.num[f, ME])))
        return [self.entry(*x) for x in stack]

    def entry(self, card: int, effect: int, performer: int) -> Record:
        has_demand = bool(self.game.tables[0].demand[card])
        demand = has_demand and effect == 0
        number = effect + 1 - (has_demand and not demand)
        return {"card": card, "effect": number, "kind": "demand" if demand else "share", "performer": performer}

    # ------------------------------------------------------------------------------------------------ one decision

    def question(self) -> Record:
        """The decision that is due, in the recording's form."""
        g = self.g
        kind, actor = int(g.decision), int(g.actor)
        legal = self.legal()
        asked: Record = {"player": actor, "kind": KINDS.get(kind, "order"), "may_decline": at.STOP_AT in legal}
        if kind in (CARD, ORDER):
            asked["options"] = sorted(card for action in legal for card in self.behind(action))
        elif kind in (SPLAY_COLOUR, PILE):
            asked["options"] = [COLOURS[a - at.COLOUR_AT] for a in legal if a != at.STOP_AT]
        elif kind == PLAYER:
            players = self.game.players
            asked["options"] = sorted((actor + 1 + a - at.PLAYER_AT) % players for a in legal if a != at.STOP_AT)
        if kind == CARD:
            asked |= self.counts()
        if kind == SPLAY_COLOUR:
            asked["direction"] = SPLAYS[g.aim]
        return asked

    def counts(self) -> Record:
        """How many cards are chosen and to come. The n highest are recorded as n choices of one card."""
        g, f = self.g, int(self.g.depth) - 1
        if self.game.tables[0].code[g.pc[f], 4] & TAKE_HIGHEST:
            return {"already_chosen": 0, "still_required": 1, "still_allowed": 1}
        left = len(cards_in(g.sets[f, POOL]))
        least, most = min(int(g.least), left), min(int(g.most), left)
        return {"already_chosen": int(g.num[f, DONE]), "still_required": least, "still_allowed": most}

    def behind(self, action: int) -> list[int]:
        """The cards that an action can stand for: one, or all of that value in that score pile."""
        if action < CARDS:
            return [action]
        if action < at.BACK_AT:
            return []
        seat, age = self.back(action)
        return [card for card in cards_in(self.g.scored[seat]) if self.game.tables[0].age[card] == age]

    def back(self, action: int) -> tuple[int, int]:
        k, age = divmod(action - at.BACK_AT, AGES)
        return (int(self.g.actor) + 1 + k) % self.game.players, age + 1

    def differences(self, record: Record) -> dict[str, tuple[Any, Any]]:
        """Everything in which a recorded choice is not the one that is due."""
        asked = self.question()
        wrong = {}
        for key, found in asked.items():
            expected = record.get(key)
            if key == "options" and isinstance(expected, list):
                expected = sorted(expected, key=found.index if set(expected) == set(found) else None)
            if key in record and expected != found:
                wrong[key] = (expected, found)
        stack, recorded = self.dogma(), record["dogma"]
        if [stack[0], stack[-1]] != [recorded[0], recorded[-1]]:
            wrong["dogma"] = (recorded, stack)
        if record["at_event"] != len(self.events):
            wrong["at_event"] = (record["at_event"], len(self.events))
        return wrong

    def answer(self, record: Record) -> None:
        """Play a recorded choice."""
        choice, kind = record["choice"], int(self.g.decision)
        if kind == CARD and choice is not None and choice not in self.legal():
            self.choose_behind(int(choice))
        elif kind == PILE and choice is not None:
            self.play(at.COLOUR_AT + COLOURS.index(choice["color"]))
            for card in choice["bottom_to_top"][:0:-1]:  # we place them from the top down
                if self.g.decision == ORDER:
                    self.play(card)
        else:
            self.play(self.action(kind, choice))

    def action(self, kind: int, choice: Any) -> int:
        """The id of a recorded choice."""
        if choice is None:
            return at.STOP_AT
        if kind == PLAYER:
            return at.PLAYER_AT + (int(choice) - int(self.g.actor) - 1) % self.game.players
        return CHOICES.get(kind, int)(choice)

    def choose_behind(self, card: int) -> None:
        """Choose the back of a card; the queue of recorded chance makes it the one that was taken."""
        for action in self.legal():
            if action >= at.BACK_AT and card in self.behind(action):
                if len(self.behind(action)) > 1:
                    self.drawn.appendleft(self.behind(action).index(card))
                return self.play(action)
        return self.play(card)

    # ------------------------------------------------------------------------------------------------ recorded chance

    def note_chance(self, records: deque[Record]) -> None:
        """Take the coming choices that we leave to chance (rules §4.11) out of the records, up to the next question."""
        passed = []
        while records and (self.is_one_back(records[0]) or self.can_be_left_out(records[0])):
            record = records.popleft()
            if self.is_one_back(record):
                self.drawn.append(sorted(record["options"]).index(record["choice"]))
            else:
                passed.append(record)
        records.extendleft(reversed(passed))

    def is_one_back(self, record: Record) -> bool:
        """A recorded choice among cards of one value behind the backs of somebody else than the performer."""
        options = record.get("options") or []
        if record["kind"] != "card" or len(options) < 2 or record["may_decline"]:
            return False
        places = {int(self.g.place[card]) for card in options}
        ages = {int(self.game.tables[0].age[card]) for card in options}
        performer = record["dogma"][-1]["performer"]
        if len(ages) > 1 or not all(HANDS <= place < SHOWN for place in places):
            return False
        if record["player"] != performer:  # the ties of Medicine and Sanitation, chosen by the owner in recordings
            return True
        return len(places) == 1 and (places.pop() - HANDS) % MAX_PLAYERS != performer

    # ------------------------------------------------------------------------------------------------ a whole effect

    def follow(self, action: int, records: deque[Record]) -> None:
        """Begin an action and decide until it is over, taking recorded choices where they are due."""
        self.note_chance(records)
        self.play(action)
        while not self.g.over and self.g.decision != ACTION:
            wrong = self.differences(records[0]) if records else {"choice": ("none", self.question())}
            if not wrong:
                record = records.popleft()
                self.note_chance(records)
                self.answer(record)
            elif (card := self.from_group()) is not None:
                self.play(card)
            elif records and self.can_be_left_out(records[0]):
                records.popleft()
            else:
                for key, (expected, found) in wrong.items():
                    self.differ(self.where(), key, expected, found)
                raise Lost

    def can_be_left_out(self, record: Record) -> bool:
        """A recorded choice without a choice: no options, one of them mandatory, or a group of which all must go."""
        options = record.get("options")
        if options is None:
            return False
        if not options:
            return True
        gone = [e.get("card") for e in self.expected[record["at_event"] :]]
        all_go = record.get("still_required") == len(options) or all(card in gone for card in options)
        return not record["may_decline"] and (len(options) == 1 or all_go)

    def from_group(self) -> int | None:
        """The card of a group that was recorded as a whole which goes next, when we ask for the order (ruling R6)."""
        legal = self.legal()
        if self.g.decision != CARD or at.STOP_AT in legal or self.g.least < len(legal):
            return None
        to_come = list(self.expected)
        for moved in self.events:
            if moved in to_come:
                to_come.remove(moved)
        order = [moved.get("card") for moved in to_come]
        return min(legal, key=order.index) if set(legal) <= set(order) else None

    def finish(self, records: deque[Record]) -> None:
        """Nothing that matters may be left over."""
        for record in records:
            if not self.can_be_left_out(record):
                self.differ(self.where(), "choice", record, "not asked")
                raise Lost
        if self.drawn:
            self.differ(self.where(), "choice", "a card behind a back", "not drawn")
            raise Lost
