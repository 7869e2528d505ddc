"""The commands of recorded games, in order of a turn, each played as decisions of ours and steps that need none."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.position import Position
from theogony.envs.core.record import to_bytes
from theogony.envs.core.verify import Differ, RecordingError
from theogony.envs.orbis.actions import (
    DECLINE,
    DESTROY_AT,
    DISCARD,
    END_TURN,
    EXCHANGE,
    FACE_UP,
    GAIN_COLOUR,
    PAY_COLOUR,
    PLACE_AT,
    TAKE_GOD,
    TAKE_TILE,
    TURN_OVER,
)
from theogony.envs.orbis.breakdown import colour_numbers
from theogony.envs.orbis.components import COLOUR_NAMES, COLOURS, DISPLAY, FARM, GOD_NAMES
from theogony.envs.orbis.recorded_view import PHASES, slot_of, tile_id
from theogony.envs.orbis.rules import turn as turns
from theogony.envs.orbis.rules.economy import exchange, total
from theogony.envs.orbis.state import (
    COLLECT,
    DESTROY,
    EFFECT,
    END,
    FINISH,
    GAIN,
    GENERATE,
    GIVE,
    NONE,
    REFILL,
    TRIM,
)

Detail = dict[str, Any]
CHOICES = (GAIN, GIVE, DESTROY)


@rule
def decide(states, tables, action):
    turns.decide(states[0], tables[0], action)


@rule
def proceed(states, tables):
    turns.proceed(states[0], tables[0])


@rule
def legal(states, tables, mask):
    turns.legal(states[0], tables[0], mask)


@rule
def exchange_now(states, give, get):
    exchange(states[0], np.int64(states[0].actor), give, get)


def worshippers(text: str) -> dict[str, int]:
    """`1 white 2 red` or `nothing` as colour -> number."""
    if text == "nothing":
        return {}
    words = text.split()
    found = {colour: int(number) for number, colour in zip(words[::2], words[1::2], strict=True)}
    if not set(found) <= set(COLOUR_NAMES) or min(found.values()) < 1:
        raise RecordingError(f"{text!r} are no worshippers")
    return {colour: found[colour] for colour in COLOUR_NAMES if colour in found}


def in_words(numbers: dict[str, int]) -> str:
    """Colour -> number as `1 white 2 red`."""
    return " ".join(f"{number} {colour}" for colour, number in numbers.items()) or "nothing"


class Player:
    """Plays the commands of one game: `states` is one position that also rests between steps of the rules."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.position = Position(game, 0)
        self.states = game.new_states(1)
        self.decisions: list[int] = []  # of the running turn

    @property
    def g(self) -> Any:
        """The position now."""
        return self.states[0]

    def start(self, display: list[int], pile: list[int], offer: int) -> None:
        """Deal what a recording says instead of what our dice say."""
        g = self.position.g
        g.display[:], g.pile[: len(pile)], g.offer = display, pile, offer
        self.position.refresh()
        self._follow()

    def _follow(self) -> None:
        self.states.view(np.uint8)[:] = np.frombuffer(self.position.key(), np.uint8)

    def end_turn(self, step: Any, differ: Differ) -> None:
        """Play the turn's decisions through the engine as a whole; it must come to the same position."""
        for action in self.decisions:
            self.position.play(action)
        self.decisions = []
        self.states[0].ply = self.position.g.ply  # single steps are not counted
        if to_bytes(self.states) != self.position.key():
            differ(step, "position", "the same from single steps and from whole decisions", "two positions")
        self._follow()

    def check_faces(self, legal_tiles: list[dict[str, Any]], step: Any, differ: Differ) -> None:
        """Where no exchange is needed, the engine itself must offer the tile face-up, or not."""
        for entry in legal_tiles:
            position = self.position.clone()
            position.play(TAKE_TILE + entry["pos"])
            offered = bool(position.mask[0, FACE_UP])
            expected = entry["face_up"] and entry["exchanges_needed"] == 0
            if offered != expected:
                differ(step, f"face-up {entry['tile']}", expected, offered)

    def play(self, text: str) -> tuple[Detail, bool]:
        """Play a command. Returns its parts and whether a choice was made. Raises IllegalAction, RecordingError."""
        for pattern, method in COMMANDS:
            if match := re.fullmatch(pattern, text):
                return method(self, *match.groups())
        raise RecordingError(f"{text!r} is no command")

    # ------------------------------------------------------------------------------------------------ steps

    def _act(self, action: int) -> None:
        """One decision of ours, if it is legal."""
        mask = np.zeros(self.game.actions.size, np.int8)
        if self.g.decision < GENERATE and not self.g.over:
            legal(self.states, self.game.tables, mask)
        if not mask[action]:
            raise IllegalAction(f"{self.game.actions.text(action)!r} is not legal in {PHASES[int(self.g.decision)]}")
        decide(self.states, self.game.tables, action)
        self.decisions.append(action)

    def _each(self, first: int, numbers: dict[str, int]) -> None:
        for colour, number in numbers.items():
            for _ in range(number):
                self._act(first + COLOUR_NAMES.index(colour))

    def _step(self, *phases: int) -> None:
        """One step that needs no decision, in one of the phases."""
        if self.g.decision not in phases:
            expected = PHASES[phases[0]]
            raise IllegalAction(f"a step of {expected} in the phase {PHASES[int(self.g.decision)]}")
        proceed(self.states, self.game.tables)

    def _open_effect(self) -> None:
        """From the bare phase to the player's choice, where the effect has one."""
        if self.g.decision == EFFECT:
            before = self.states.copy()
            proceed(self.states, self.game.tables)
            if self.g.decision not in CHOICES:
                self.states.view(np.uint8)[:] = before.view(np.uint8)

    def _close_limit(self) -> None:
        """On from the limit, with nothing to discard or after the discard."""
        if self.g.decision == TRIM:
            proceed(self.states, self.game.tables)
        if self.g.decision == FINISH:
            self._act(END_TURN)

    def _realm(self) -> np.ndarray:
        return self.g.realm[self.g.actor].astype(np.int64)

    # ------------------------------------------------------------------------------------------------ commands

    def take_tile(self, tile: str, place: str) -> tuple[Detail, bool]:
        if tile_id(self.game, self.g.display[int(place)]) != tile:
            raise IllegalAction(f"{tile} does not lie on {place}")
        self._act(TAKE_TILE + int(place))
        return {"op": "take tile", "tile": tile, "pos": int(place)}, True

    def take_god(self, god: str) -> tuple[Detail, bool]:
        self._act(TAKE_GOD + GOD_NAMES.index(god))
        return {"op": "take god", "god": god}, True

    def generate(self, colour: str, places: str) -> tuple[Detail, bool]:
        before = self.g.lying.astype(np.int64)
        self._step(GENERATE)
        more = self.g.lying - before
        found = np.flatnonzero(more[:, COLOUR_NAMES.index(colour)]).tolist()
        if sorted(map(int, places.split())) != found or more.sum() != len(found):
            raise IllegalAction(f"{colour} on {places}, but our rules put them on {found}")
        return {"op": "generate", "colour": colour, "positions": found}, False

    def collect(self, text: str) -> tuple[Detail, bool]:
        before = self._realm()
        self._step(COLLECT)
        self._same("collect", worshippers(text), self._realm() - before)
        return {"op": "collect", "worshippers": worshippers(text)}, False

    def _same(self, what: str, stated: dict[str, int], found: np.ndarray) -> None:
        if stated != colour_numbers(found):
            raise IllegalAction(f"{what} {in_words(stated)}, but it is {in_words(colour_numbers(found))}")

    def exchange(self, give: str, get: str) -> tuple[Detail, bool]:
        self._open_effect()
        a, b = COLOUR_NAMES.index(give), COLOUR_NAMES.index(get)
        action = EXCHANGE + COLOURS * a + b
        if self.g.decision == EFFECT and self._realm()[a] >= 3:  # before a step that our engine takes by itself
            exchange_now(self.states, a, b)
            self.decisions.append(action)
        else:
            if self.g.decision == TRIM:
                proceed(self.states, self.game.tables)
            self._act(action)
        return {"op": "exchange", "give": give, "get": get}, True

    def pay(self, text: str) -> tuple[Detail, bool]:
        paid, before = worshippers(text), self._realm()
        self._act(FACE_UP)
        named = before - self._realm()
        anything = np.array([paid.get(colour, 0) for colour in COLOUR_NAMES]) - named
        if anything.min() < 0 or anything.sum() != self.g.due[COLOURS]:
            raise IllegalAction(f"pay {text}: {in_words(colour_numbers(named))} and {self.g.due[COLOURS]} any are due")
        self._each(PAY_COLOUR, colour_numbers(anything))
        return {"op": "pay", "worshippers": paid}, True

    def wilderness(self) -> tuple[Detail, bool]:
        self._act(TURN_OVER)
        return {"op": "wilderness"}, True

    def place(self, text: str) -> tuple[Detail, bool]:
        slot = slot_of(self.game, self.g, int(self.g.actor), text)
        if slot == NONE:
            raise IllegalAction(f"there is no slot {text!r}")
        self._act(PLACE_AT + slot)
        return {"op": "place", "slot": text}, True

    def gain(self, text: str) -> tuple[Detail, bool]:
        self._open_effect()
        gained, before = worshippers(text), self._realm()
        choice = bool(self.g.decision == GAIN)
        if choice:
            self._each(GAIN_COLOUR, gained)
        else:
            self._step(EFFECT)
        self._same("gain", gained, self._realm() - before)
        self._done("gain")
        return {"op": "gain", "worshippers": gained}, choice

    def _done(self, what: str) -> None:
        if self.g.decision != TRIM:
            raise IllegalAction(f"{what}: more is due")

    def farm(self, colour: str) -> tuple[Detail, bool]:
        tile = int(self.g.hand)
        self._step(EFFECT)
        if self.game.tables[0].effect[tile] != FARM or not self.game.tables[0].parts[tile, COLOUR_NAMES.index(colour)]:
            raise IllegalAction(f"{tile_id(self.game, tile)} is no farm of {colour}")
        return {"op": "farm", "colour": colour}, False

    def irrigation(self, status: str) -> tuple[Detail, bool]:
        self._step(EFFECT)
        self._check_status(status)
        return {"op": "irrigation", "status": status}, False

    def _check_status(self, status: str) -> None:
        bits = self.g.active if status == "active" else self.g.cancelled
        if self.g.cell == NONE or not bits[self.g.actor] >> self.g.cell & 1:
            raise IllegalAction(f"the tile is not {status}")

    def give(self, what: str, text: str) -> tuple[Detail, bool]:
        self._open_effect()
        self._each(DISCARD, worshippers(text))
        self._done(what)
        return {"op": f"{what} discard", "worshippers": worshippers(text)}, True

    def destroy(self, text: str) -> tuple[Detail, bool]:
        self._open_effect()
        targets: dict[str, dict[str, int]] = {}
        for part in text.split(", "):
            numbers, _, place = part.rpartition(" from ")
            targets[place] = worshippers(numbers)
        for place, numbers in targets.items():
            for colour, number in numbers.items():
                for _ in range(number):
                    self._act(DESTROY_AT + DISPLAY * COLOUR_NAMES.index(colour) + int(place))
        self._done("volcano")
        return {"op": "volcano destroy", "from": targets}, True

    def cancel(self, what: str) -> tuple[Detail, bool]:
        self._open_effect()
        choice = int(self.g.decision) in CHOICES
        if self.g.decision == GIVE:  # an exchange may have made it impossible
            choice = bool(total(self.g.realm[self.g.actor]) >= self.g.due[COLOURS])
        if self.g.decision in CHOICES:
            self._act(DECLINE)
        else:
            self._step(EFFECT)
        if what != "death":
            self._check_status("cancelled")
        return {"op": f"{what} cancel"}, choice

    def discard(self, text: str) -> tuple[Detail, bool]:
        self._step(TRIM)
        for colour, number in worshippers(text).items():
            for _ in range(number):
                self._act(DISCARD + COLOUR_NAMES.index(colour))
                self._step(TRIM)
        if self.g.decision == FINISH:
            raise IllegalAction("more must be discarded")
        return {"op": "discard", "worshippers": worshippers(text)}, True

    def refill(self, place: str, tile: str) -> tuple[Detail, bool]:
        self._close_limit()
        self._step(REFILL)
        found = tile_id(self.game, self.g.display[int(place)])
        if self.g.source != int(place) or found != tile:
            raise IllegalAction(f"our pile brings {tile_id(self.game, self.g.display[self.g.source])}")
        return {"op": "refill", "pos": int(place), "tile": tile}, False

    def finish_turn(self) -> tuple[Detail, bool]:
        self._close_limit()
        self._step(END)
        return {"op": "end turn"}, False


COLOUR = f"({'|'.join(COLOUR_NAMES)})"
COMMANDS: tuple[tuple[str, Callable[..., tuple[Detail, bool]]], ...] = (
    (r"take tile (\S+) from ([0-8])", Player.take_tile),
    (rf"take god ({'|'.join(GOD_NAMES)})", Player.take_god),
    (rf"generate {COLOUR} on ([0-8 ]+)", Player.generate),
    (r"collect (.+)", Player.collect),
    (rf"exchange 3 {COLOUR} for 1 {COLOUR}", Player.exchange),
    (r"pay (.+)", Player.pay),
    (r"wilderness", Player.wilderness),
    (r"place (.+)", Player.place),
    (r"gain (.+)", Player.gain),
    (rf"farm {COLOUR}", Player.farm),
    (r"irrigation (active|cancelled)", Player.irrigation),
    (r"(village|death) discard (.+)", Player.give),
    (r"volcano destroy (.+)", Player.destroy),
    (r"(village|volcano|death) cancel", Player.cancel),
    (r"discard (.+)", Player.discard),
    (r"refill ([0-8]) with (\S+)", Player.refill),
    (r"end turn", Player.finish_turn),
)
