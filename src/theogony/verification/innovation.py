"""Innovation: recordings of another implementation, single dogma actions (scenarios) and whole games (replays).

Such a recording leaves out most decisions with a single outcome and lists some that our rules do not ask for; both
are played or passed over. Everything else must be equal: who decides what, the options, each movement, the positions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.kernels import kernels
from theogony.envs.core.verify import Case, Differ, RecordingError, compare
from theogony.envs.innovation import actions as at
from theogony.envs.innovation import state
from theogony.envs.innovation.cards.opcodes import DONE, ME, POOL, TAKE_HIGHEST
from theogony.envs.innovation.components import AGES, CARDS, COLOURS, MAX_PLAYERS, SPECIALS, SPLAYS
from theogony.envs.innovation.components.tables import CHANCES
from theogony.envs.innovation.snapshot import PositionError, load_position, to_json
from theogony.envs.innovation.state import cards_in, state_dtype
from theogony.verification.chance import configured, given, with_given_chances

# ---- Movements in the form of recordings: an entry of the log as an event, events in groups

Event = dict[str, Any]
AREAS = {  # of players, by the place of the first, from the last area on
    state.CLAIMED: "achievements", state.SHOWN: "revealed", state.SCORES: "score", state.HANDS: "hand",
}  # fmt: skip


def place_name(place: int) -> str:
    """A place in the recording's words."""
    if place < state.SUPPLY:
        return f"{place // state.SIDE}.board"
    if place < state.HANDS:
        return "supply"
    if place == state.UNCLAIMED:
        return "achievements"
    first = next(first for first in AREAS if place >= first)
    return f"{place - first}.{AREAS[first]}"


def event(what: int, source: int, target: int) -> Event:
    """A movement of the log in the recording's form."""
    if what == state.LOG_SPLAY:
        return {"splay": SPLAYS[target], "player": source // state.SIDE, "color": COLOURS[source % state.SIDE]}
    if what == state.LOG_REORDER:
        return {"reorder": True}
    if what == state.LOG_REMOVE:
        return {"remove_all": True}
    card = what if what < state.LOG_SPECIAL else SPECIALS[what - state.LOG_SPECIAL]
    moved: Event = {"card": card, "from": place_name(source)}
    return moved | ({"to": place_name(-1 - target), "under": True} if target < 0 else {"to": place_name(target)})


def straight(events: list[Event]) -> list[Event]:
    """Movements without those that only show a card on its way from a hand to a score pile (ruling R8)."""
    kept: list[Event] = []
    for e in events:
        before = kept[-1] if kept else {}
        path = [before.get("from", ""), before.get("to", ""), e.get("to", "")]
        if path[1] == e.get("from") and [place.split(".")[-1] for place in path] == ["hand", "revealed", "score"]:
            kept[-1] = {**e, "from": path[0]}
        else:
            kept.append(e)
    return kept


def in_groups(events: list[Event]) -> list[Any]:
    """Events with the order inside of a group taken out.

    A group is a run of movements between the same kinds of places; what happens on the way (a splay that is lost, a
    special achievement) belongs to it.
    """
    runs: list[tuple[Any, list[str]]] = []
    for e in events:
        kind = None
        if "from" in e:
            kind = "supply" if e["to"] == "supply" else (e["from"].split(".")[-1], e["to"])
        on_the_way = e.get("splay") == "none" or e.get("card") in SPECIALS
        if not runs or not (on_the_way or (kind is not None and runs[-1][0] == kind)):
            runs.append((kind, []))
        runs[-1][1].append(str(sorted(e.items())))
    return [sorted(run) for _, run in runs]


# ---- A recording is followed, decision by decision

KINDS = {
    state.CARD: "card", state.SPLAY_COLOUR: "splay", state.YES_NO: "yes_no", state.ALTERNATIVE: "alternative",
    state.PLAYER: "player", state.COLOUR: "color", state.PAIR: "two_colors", state.VALUE: "value",
    state.PILE: "reorder",
}  # fmt: skip
Record = dict[str, Any]
CHOICES: dict[int, Callable[[Any], int]] = {  # the id of a recorded choice; of cards it is their number
    state.YES_NO: lambda choice: at.ANSWER_AT + bool(choice),
    state.SPLAY_COLOUR: lambda colour: at.COLOUR_AT + COLOURS.index(colour),
    state.COLOUR: lambda colour: at.COLOUR_AT + COLOURS.index(colour),
    state.VALUE: lambda value: at.VALUE_AT + int(value) - 1,
    state.ALTERNATIVE: lambda letter: at.ALTERNATIVE_AT + "ab".index(letter),
    state.PAIR: lambda pair: at.PAIR_AT + at.PAIRS.index("+".join(sorted(pair, key=COLOURS.index))),
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

    def position(self) -> dict[str, Any]:
        """The position in the recording's form."""
        return _sorted(to_json(self.game, self.g))

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
        if moved > state.LOG_ENTRIES:
            self.differ(self.where(), "events", f"at most {state.LOG_ENTRIES} in one decision", moved)
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
        actions = [action for action in legal if action != at.STOP_AT]
        if kind in (state.CARD, state.ORDER):
            asked["options"] = sorted(card for action in actions for card in self.behind(action))
        elif kind in (state.SPLAY_COLOUR, state.PILE):
            asked["options"] = [COLOURS[action - at.COLOUR_AT] for action in actions]
        elif kind == state.PLAYER:
            asked["options"] = sorted((actor + 1 + action - at.PLAYER_AT) % self.game.players for action in actions)
        if kind == state.CARD:
            asked |= self.counts()
        if kind == state.SPLAY_COLOUR:
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
        k, age = divmod(action - at.BACK_AT, AGES)
        seat = (int(self.g.actor) + 1 + k) % self.game.players
        return [card for card in cards_in(self.g.scored[seat]) if self.game.tables[0].age[card] == age + 1]

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
        if choice is None:
            self.play(at.STOP_AT)
        elif kind == state.PLAYER:
            self.play(at.PLAYER_AT + (int(choice) - int(self.g.actor) - 1) % self.game.players)
        elif kind == state.CARD and choice not in self.legal():
            self.choose_behind(int(choice))
        elif kind == state.PILE:
            self.play(at.COLOUR_AT + COLOURS.index(choice["color"]))
            for card in choice["bottom_to_top"][:0:-1]:  # we place them from the top down
                if self.g.decision == state.ORDER:
                    self.play(card)
        else:
            self.play(CHOICES.get(kind, int)(choice))

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
        if len(ages) > 1 or not all(state.HANDS <= place < state.SHOWN for place in places):
            return False
        if record["player"] != performer:  # the ties of Medicine and Sanitation, chosen by the owner in recordings
            return True
        return len(places) == 1 and (places.pop() - state.HANDS) % MAX_PLAYERS != performer

    # ------------------------------------------------------------------------------------------------ a whole effect

    def follow(self, action: int, records: deque[Record]) -> None:
        """Begin an action and decide until it is over, taking recorded choices where they are due."""
        self.note_chance(records)
        self.play(action)
        while not self.g.over and self.g.decision != state.ACTION:
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
        if self.g.decision != state.CARD or at.STOP_AT in legal or self.g.least < len(legal):
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


# ---- The cases of a file


@cache
def logged_game(players: int) -> Game:
    game = configured("innovation", players=players)
    return with_given_chances(game, state_dtype(game.state["lists"].shape[1], log=True))


def recordings(path: Path, lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    """The cases of one file: every line of a scenario file, a whole game of a replay. Raises RecordingError."""
    first = next(lines)
    if first.get("record") == "header":
        yield path.name, lambda differ: _play_game(first, lines, differ)
    elif "before" in first:
        for line in chain([first], lines):
            yield f"{line['id']} {line['name']}", lambda differ, line=line: _play_scenario(line, differ)
    else:
        raise RecordingError(f"{path}: begins with neither the header of a game nor a scenario")


def _started(players: int, position: dict[str, Any], turn: int, actions_left: int, differ: Differ) -> Follower:
    """A follower at a recorded position. Raises RecordingError for an impossible one."""
    follower = Follower(logged_game(players), differ)
    try:
        data = {**position, "turn": turn, "actions_left": actions_left}
        load_position(follower.game, follower.states, 0, data)
    except PositionError as error:
        raise RecordingError(str(error)) from None
    return follower


# ---------------------------------------------------------------------------------------------------- scenarios


def _play_scenario(line: dict[str, Any], differ: Differ) -> None:
    """One dogma action: choices, movements, the position after it, the sharing bonus and the end."""
    follower = _started(line["players"], line["before"], line["active"], 2, differ)
    with suppress(Lost):
        follower.expected = straight(line["events"])
        records = deque({**c, "at_event": len(straight(line["events"][: c["at_event"]]))} for c in line["choices"])
        follower.follow(_dogma_of(follower, line["card"]), records)
        follower.finish(records)
        _compare_events(differ, "end", follower.expected, follower.events)
        _compare_end(follower, differ, line["end"])
        if line["end"] is None:
            compare(differ, "end", line["sharing_bonus"], bool(follower.g.had_bonus), "sharing_bonus")
        if line["end"] is None or line["end"]["by"] != state.ENDINGS[state.BY_ACHIEVEMENTS]:
            compare(differ, "end", _sorted(line["after"]), follower.position(), "position")


def _dogma_of(follower: Follower, card: int) -> int:
    """The action that performs a top card of the active player. Raises RecordingError when it is none."""
    g = follower.g
    colour = int(follower.game.tables[0].colour[card])
    if g.top[int(g.turn) * state.SIDE + colour] != card:
        raise RecordingError(f"{at.NAMES[card]} is no top card of seat {g.turn}")
    return at.DOGMA_AT + colour


def _compare_events(differ: Differ, step: Any, expected: list[Any], found: list[Any]) -> None:
    """Every movement, in order; inside a group that moves at once the order carries no meaning."""
    for k, (a, b) in enumerate(zip_longest(in_groups(expected), in_groups(found), fillvalue="nothing")):
        if a != b:
            return differ(step, f"events.{k}", a, b)


def _compare_end(follower: Follower, differ: Differ, end: dict[str, Any] | None) -> None:
    g = follower.g
    winners = [seat for seat in range(follower.game.players) if g.winners >> seat & 1]
    found = {"by": state.ENDINGS[g.ended_by], "winners": winners} if g.over else None
    compare(differ, "end", end and {"by": end["by"], "winners": sorted(end["winners"])}, found, "end")


def _sorted(position: dict[str, Any]) -> dict[str, Any]:
    """Sets in order; seats by number, so that every difference has a path."""
    players = {}
    for seat, player in enumerate(position["players"]):
        sets = ("hand", "score", "age_achievements", "special_achievements", "revealed")
        players[str(seat)] = {**player, **{key: sorted(player.get(key, [])) for key in sets}}
    unclaimed = {key: sorted(position[key]) for key in ("age_achievements", "special_achievements")}
    supply = {str(age): pile for age, pile in enumerate(position["supply"], 1)}
    return {"supply": supply, **unclaimed, "players": players}


# ---------------------------------------------------------------------------------------------------- whole games


def _play_game(header: dict[str, Any], lines: Iterator[dict[str, Any]], differ: Differ) -> None:
    """A whole game: every decision's options and position, the movements, the end."""
    follower = _started(header["players"], header["start"], 0, 0, differ)
    with suppress(Lost):
        follower.step = "initial melds"
        melds = next(lines)
        for card in melds["cards"]:
            follower.play(card)
        compare(differ, follower.step, melds["first_player"], int(follower.g.turn), "first_player")
        in_order = [e for card in melds["cards"] for e in melds["events"] if e["card"] == card]
        _compare_events(differ, follower.step, in_order, follower.events)  # all at once: recorded in any order
        follower.events.clear()
        end: Record = {"record": ""}
        for action, choices, following in _actions(lines):
            _play_action(follower, action, choices)
            end = following
        if end["record"] != "end":
            raise RecordingError("the game has no record of its end")
        _close_game(follower, differ, end)


def _actions(lines: Iterator[dict[str, Any]]) -> Iterator[tuple[Record, list[Record], Record]]:
    """Every action with the choices inside it; the last one comes with the record of the end."""
    action: Record | None = None
    inside: list[Record] = []
    for line in lines:
        if line["record"] == "decision" and line["kind"] != "action":
            inside.append(line)
            continue
        if action is not None:
            yield action, inside, line
        action, inside = line, []


def _play_action(follower: Follower, action: Record, choices: list[Record]) -> None:
    """One action: the position before it, its options, its choices."""
    g, differ = follower.g, follower.differ
    follower.step = action["n"]
    found = {"kind": "action" if g.decision == state.ACTION else "other", "player": int(g.actor), "over": int(g.over)}
    found |= {"actions_left": int(g.actions_left), "action_no": int(g.action_count) + 1}
    recorded = {key: action[key] for key in ("kind", "player", "actions_left", "action_no")} | {"over": 0}
    compare(differ, follower.step, recorded, found)
    _compare_events(differ, follower.step, follower.expected, follower.events)
    compare(differ, follower.step, _sorted(action["before"]), follower.position(), "position")
    options = sorted(_action(follower, option) for option in action["options"])
    compare(differ, follower.step, options, follower.legal(), "options")
    follower.events.clear()
    follower.expected = straight(action["events"])
    records: deque[Record] = deque()
    for choice in choices:
        records.append({**choice, "at_event": len(follower.expected)})
        follower.expected += straight(choice["events"])
    follower.follow(_action(follower, action["choice"]), records)
    follower.finish(records)


def _action(follower: Follower, option: Record) -> int:
    """The id of a recorded action."""
    kind = option["action"]
    if kind == "draw":
        return at.DRAW_AT
    if kind == "achieve":
        return at.ACHIEVE_AT + option["age"] - 1
    return option["card"] if kind == "meld" else _dogma_of(follower, option["card"])


def _close_game(follower: Follower, differ: Differ, end: Record) -> None:
    """How the game ended: by what, who won, the points and the last position."""
    follower.step = "end"
    _compare_end(follower, differ, end)
    points = [int(p) for p in follower.g.points[: follower.game.players]]
    if end["by"] != state.ENDINGS[state.BY_ACHIEVEMENTS]:  # else a group may have been cut short, in any order
        _compare_events(differ, "end", follower.expected, follower.events)
        compare(differ, "end", end["points"], points, "points")
        compare(differ, "end", _sorted(end["final"]), follower.position(), "position")
