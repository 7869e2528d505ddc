"""A recorded game as it is played again: its commands in order of a turn, each as
decisions of ours and steps that need none.

Commands name what they speak of as the recordings do: tiles by their ids, positions of the display from 0 to 8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes, to_bytes
from theogony.envs.core.verify import Differ, RecordingError
from theogony.envs.orbis import actions as at
from theogony.envs.orbis.breakdown import colour_numbers
from theogony.envs.orbis.components import ANY, COLOUR_NAMES, COLOURS, DISPLAY, FARM, GOD_NAMES
from theogony.envs.orbis.rules import effects, turn
from theogony.envs.orbis.rules.effects import total
from theogony.envs.orbis.rules.legal import legal as legal_actions
from theogony.envs.orbis.state import COLLECT, DESTROY, EFFECT, END, FINISH, GAIN, GENERATE, GIVE, NONE, REFILL, TRIM
from theogony.envs.orbis.vocabulary import in_words
from theogony.verification.orbis.snapshot import PHASES, slot_of, tile_id

# ---- Single steps of the rules, and turn by turn through the engine as everybody uses it

CHOICES = (GAIN, GIVE, DESTROY)  # decisions of an effect


@rule
def decide(states, tables, action):
    turn.decide(states[0], tables[0], action)


@rule
def proceed(states, tables):
    turn.proceed(states[0], tables[0])


@rule
def legal(states, tables, mask):
    legal_actions(states[0], tables[0], mask)


@rule
def exchange(states, give, get):
    effects.exchange(states[0], np.int64(states[0].actor), give, get)


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
        self.states.view(np.uint8)[:] = from_bytes(self.position.key(), self.position.game.state).view(np.uint8)

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
            position.play(at.TAKE_TILE + entry["pos"])
            offered = bool(position.mask[0, at.FACE_UP])
            expected = entry["face_up"] and entry["exchanges_needed"] == 0
            if offered != expected:
                differ(step, f"face-up {entry['tile']}", expected, offered)

    def act(self, action: int) -> None:
        """One decision of ours, if it is legal."""
        mask = np.zeros(self.game.actions.size, np.int8)
        if self.g.decision < GENERATE and not self.g.over:
            legal(self.states, self.game.tables, mask)
        if not mask[action]:
            raise IllegalAction(f"{self.game.actions.text(action)!r} is not legal in {PHASES[int(self.g.decision)]}")
        decide(self.states, self.game.tables, action)
        self.decisions.append(action)

    def each(self, first: int, numbers: dict[str, int], apart: int = 1) -> None:
        """One decision for each worshipper; `first` is the action for white, so far apart are those of two colours."""
        for colour, number in numbers.items():
            for _ in range(number):
                self.act(first + apart * COLOUR_NAMES.index(colour))

    def step(self, *phases: int) -> None:
        """One step that needs no decision, in one of the phases."""
        if self.g.decision not in phases:
            expected = PHASES[phases[0]]
            raise IllegalAction(f"a step of {expected} in the phase {PHASES[int(self.g.decision)]}")
        proceed(self.states, self.game.tables)

    def open_effect(self) -> None:
        """From the bare phase to the player's choice, where the effect has one."""
        if self.g.decision == EFFECT:
            before = self.states.copy()
            proceed(self.states, self.game.tables)
            if self.g.decision not in CHOICES:
                self.states.view(np.uint8)[:] = before.view(np.uint8)

    def close_limit(self) -> None:
        """On from the limit, with nothing to discard or after the discard."""
        if self.g.decision == TRIM:
            proceed(self.states, self.game.tables)
        if self.g.decision == FINISH:
            self.act(at.END_TURN)

    def exchange(self, give: int, get: int) -> None:
        """Three for one; also before an effect without a choice, where the engine offers it only afterwards."""
        self.open_effect()
        action = at.EXCHANGE + COLOURS * give + get
        if self.g.decision == EFFECT and self.realm()[give] >= effects.RATE:
            exchange(self.states, give, get)
            self.decisions.append(action)
            return
        if self.g.decision == TRIM:
            proceed(self.states, self.game.tables)
        self.act(action)

    def realm(self) -> np.ndarray:
        """Worshippers of the acting seat, by colour."""
        return self.g.realm[self.g.actor].astype(np.int64)


# ---- The commands

Detail = dict[str, Any]


def play(player: Player, text: str) -> tuple[Detail, bool]:
    """Play a command. Returns its parts and whether a choice was made. Raises IllegalAction, RecordingError."""
    for pattern, command in COMMANDS:
        if match := re.fullmatch(pattern, text):
            return command(player, *match.groups())
    raise RecordingError(f"{text!r} is no command")


def worshippers(text: str) -> dict[str, int]:
    """`1 white 2 red` or `nothing` as colour -> number."""
    if text == "nothing":
        return {}
    words = text.split()
    found = {colour: int(number) for number, colour in zip(words[::2], words[1::2], strict=True)}
    if not set(found) <= set(COLOUR_NAMES) or min(found.values()) < 1:
        raise RecordingError(f"{text!r} are no worshippers")
    return {colour: found[colour] for colour in COLOUR_NAMES if colour in found}


# ---------------------------------------------------------------------------------------------------- commands


def take_tile(player: Player, tile: str, place: str) -> tuple[Detail, bool]:
    if tile_id(player.game, player.g.display[int(place)]) != tile:
        raise IllegalAction(f"{tile} does not lie on {place}")
    player.act(at.TAKE_TILE + int(place))
    return {"op": "take tile", "tile": tile, "pos": int(place)}, True


def take_god(player: Player, god: str) -> tuple[Detail, bool]:
    player.act(at.TAKE_GOD + GOD_NAMES.index(god))
    return {"op": "take god", "god": god}, True


def generate(player: Player, colour: str, places: str) -> tuple[Detail, bool]:
    before = player.g.lying.astype(np.int64)
    player.step(GENERATE)
    more = player.g.lying - before
    found = np.flatnonzero(more[:, COLOUR_NAMES.index(colour)]).tolist()
    if sorted(map(int, places.split())) != found or more.sum() != len(found):
        raise IllegalAction(f"{colour} on {places}, but our rules put them on {found}")
    return {"op": "generate", "colour": colour, "positions": found}, False


def collect(player: Player, text: str) -> tuple[Detail, bool]:
    before = player.realm()
    player.step(COLLECT)
    _same("collect", worshippers(text), player.realm() - before)
    return {"op": "collect", "worshippers": worshippers(text)}, False


def _same(what: str, stated: dict[str, int], found: np.ndarray) -> None:
    if stated != colour_numbers(found):
        raise IllegalAction(f"{what} {in_words(stated)}, but it is {in_words(colour_numbers(found))}")


def three_for_one(player: Player, give: str, get: str) -> tuple[Detail, bool]:
    player.exchange(COLOUR_NAMES.index(give), COLOUR_NAMES.index(get))
    return {"op": "exchange", "give": give, "get": get}, True


def pay(player: Player, text: str) -> tuple[Detail, bool]:
    paid, before = worshippers(text), player.realm()
    player.act(at.FACE_UP)
    named = before - player.realm()
    anything = np.array([paid.get(colour, 0) for colour in COLOUR_NAMES]) - named
    if anything.min() < 0 or anything.sum() != player.g.due[ANY]:
        raise IllegalAction(f"pay {text}: {in_words(colour_numbers(named))} and {player.g.due[ANY]} any are due")
    player.each(at.PAY_COLOUR, colour_numbers(anything))
    return {"op": "pay", "worshippers": paid}, True


def wilderness(player: Player) -> tuple[Detail, bool]:
    player.act(at.TURN_OVER)
    return {"op": "wilderness"}, True


def place(player: Player, text: str) -> tuple[Detail, bool]:
    slot = slot_of(player.game, player.g, int(player.g.actor), text)
    if slot == NONE:
        raise IllegalAction(f"there is no slot {text!r}")
    player.act(at.PLACE_AT + slot)
    return {"op": "place", "slot": text}, True


def gain(player: Player, text: str) -> tuple[Detail, bool]:
    player.open_effect()
    gained, before = worshippers(text), player.realm()
    choice = bool(player.g.decision == GAIN)
    if choice:
        player.each(at.GAIN_COLOUR, gained)
    else:
        player.step(EFFECT)
    _same("gain", gained, player.realm() - before)
    _done(player, "gain")
    return {"op": "gain", "worshippers": gained}, choice


def _done(player: Player, what: str) -> None:
    if player.g.decision != TRIM:
        raise IllegalAction(f"{what}: more is due")


def farm(player: Player, colour: str) -> tuple[Detail, bool]:
    tile = int(player.g.hand)
    player.step(EFFECT)
    if player.game.tables[0].effect[tile] != FARM or not player.game.tables[0].parts[tile, COLOUR_NAMES.index(colour)]:
        raise IllegalAction(f"{tile_id(player.game, tile)} is no farm of {colour}")
    return {"op": "farm", "colour": colour}, False


def irrigation(player: Player, status: str) -> tuple[Detail, bool]:
    player.step(EFFECT)
    _check_status(player, status)
    return {"op": "irrigation", "status": status}, False


def _check_status(player: Player, status: str) -> None:
    bits = player.g.active if status == "active" else player.g.cancelled
    if player.g.cell == NONE or not bits[player.g.actor] >> player.g.cell & 1:
        raise IllegalAction(f"the tile is not {status}")


def give(player: Player, what: str, text: str) -> tuple[Detail, bool]:
    player.open_effect()
    player.each(at.DISCARD, worshippers(text))
    _done(player, what)
    return {"op": f"{what} discard", "worshippers": worshippers(text)}, True


def destroy(player: Player, text: str) -> tuple[Detail, bool]:
    player.open_effect()
    targets: dict[str, dict[str, int]] = {}
    for part in text.split(", "):
        numbers, _, place = part.rpartition(" from ")
        targets[place] = worshippers(numbers)
    for place, numbers in targets.items():
        player.each(at.DESTROY_AT + int(place), numbers, DISPLAY)
    _done(player, "volcano")
    return {"op": "volcano destroy", "from": targets}, True


def cancel(player: Player, what: str) -> tuple[Detail, bool]:
    player.open_effect()
    choice = int(player.g.decision) in CHOICES
    if player.g.decision == GIVE:  # an exchange may have made it impossible
        choice = bool(total(player.g.realm[player.g.actor]) >= player.g.due[ANY])
    if player.g.decision in CHOICES:
        player.act(at.DECLINE)
    else:
        player.step(EFFECT)
    if what != "death":
        _check_status(player, "cancelled")
    return {"op": f"{what} cancel"}, choice


def discard(player: Player, text: str) -> tuple[Detail, bool]:
    player.step(TRIM)
    for colour, number in worshippers(text).items():
        for _ in range(number):
            player.act(at.DISCARD + COLOUR_NAMES.index(colour))
            player.step(TRIM)
    if player.g.decision == FINISH:
        raise IllegalAction("more must be discarded")
    return {"op": "discard", "worshippers": worshippers(text)}, True


def refill(player: Player, place: str, tile: str) -> tuple[Detail, bool]:
    player.close_limit()
    player.step(REFILL)
    found = tile_id(player.game, player.g.display[int(place)])
    if player.g.source != int(place) or found != tile:
        raise IllegalAction(f"our pile brings {tile_id(player.game, player.g.display[player.g.source])}")
    return {"op": "refill", "pos": int(place), "tile": tile}, False


def finish_turn(player: Player) -> tuple[Detail, bool]:
    player.close_limit()
    player.step(END)
    return {"op": "end turn"}, False


COLOUR = f"({'|'.join(COLOUR_NAMES)})"
COMMANDS: tuple[tuple[str, Callable[..., tuple[Detail, bool]]], ...] = (
    (r"take tile (\S+) from ([0-8])", take_tile),
    (rf"take god ({'|'.join(GOD_NAMES)})", take_god),
    (rf"generate {COLOUR} on ([0-8 ]+)", generate),
    (r"collect (.+)", collect),
    (rf"exchange 3 {COLOUR} for 1 {COLOUR}", three_for_one),
    (r"pay (.+)", pay),
    (r"wilderness", wilderness),
    (r"place (.+)", place),
    (r"gain (.+)", gain),
    (rf"farm {COLOUR}", farm),
    (r"irrigation (active|cancelled)", irrigation),
    (r"(village|death) discard (.+)", give),
    (r"volcano destroy (.+)", destroy),
    (r"(village|volcano|death) cancel", cancel),
    (r"discard (.+)", discard),
    (r"refill ([0-8]) with (\S+)", refill),
    (r"end turn", finish_turn),
)
