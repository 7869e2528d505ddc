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

    def exchange(self, give: str, get: str) -> None:
        """Three for one; also before an effect without a choice, where the engine offers it only afterwards."""
        self.open_effect()
        given, taken = COLOUR_NAMES.index(give), COLOUR_NAMES.index(get)
        action = at.EXCHANGE + COLOURS * given + taken
        if self.g.decision == EFFECT and self.realm()[given] >= effects.RATE:
            exchange(self.states, given, taken)
            self.decisions.append(action)
            return
        if self.g.decision == TRIM:
            proceed(self.states, self.game.tables)
        self.act(action)

    def realm(self) -> np.ndarray:
        """Worshippers of the acting seat, by colour."""
        return self.g.realm[self.g.actor].astype(np.int64)


# ---- The commands, by their parts: each plays its own, and says whether a choice was made where that is not always so

Numbers = dict[str, int]  # worshippers: colour -> number


def play(player: Player, text: str) -> tuple[dict[str, Any], bool]:
    """Play a command. Returns its parts and whether a choice was made. Raises IllegalAction, RecordingError."""
    for op, pattern, command in COMMANDS:
        if match := re.fullmatch(pattern, text):
            parts = {name: READ.get(name, str)(part) for name, part in match.groupdict().items()}
            choice = command(player, *parts.values())
            return {"op": op, **parts}, op not in AUTOMATIC if choice is None else choice
    raise RecordingError(f"{text!r} is no command")


def worshippers(text: str) -> Numbers:
    """`1 white 2 red` or `nothing` as colour -> number."""
    if text == "nothing":
        return {}
    words = text.split()
    found = {colour: int(number) for number, colour in zip(words[::2], words[1::2], strict=True)}
    if not set(found) <= set(COLOUR_NAMES) or min(found.values()) < 1:
        raise RecordingError(f"{text!r} are no worshippers")
    return {colour: found[colour] for colour in COLOUR_NAMES if colour in found}


def worshippers_by_place(text: str) -> dict[str, Numbers]:
    """`1 red from 3, 2 blue from 4` as position of the display -> worshippers."""
    parts = (part.rpartition(" from ") for part in text.split(", "))
    return {place: worshippers(numbers) for numbers, _, place in parts}


# ---------------------------------------------------------------------------------------------------- commands


def take_tile(player: Player, tile: str, place: int) -> None:
    if tile_id(player.game, player.g.display[place]) != tile:
        raise IllegalAction(f"{tile} does not lie on {place}")
    player.act(at.TAKE_TILE + place)


def generate(player: Player, colour: str, places: list[int]) -> None:
    before = player.g.lying.astype(np.int64)
    player.step(GENERATE)
    more = player.g.lying - before
    found = np.flatnonzero(more[:, COLOUR_NAMES.index(colour)]).tolist()
    if places != found or more.sum() != len(found):
        raise IllegalAction(f"{colour} on {places}, but our rules put them on {found}")


def collect(player: Player, stated: Numbers) -> None:
    before = player.realm()
    player.step(COLLECT)
    _same("collect", stated, player.realm() - before)


def _same(what: str, stated: Numbers, found: np.ndarray) -> None:
    if stated != colour_numbers(found):
        raise IllegalAction(f"{what} {in_words(stated)}, but it is {in_words(colour_numbers(found))}")


def pay(player: Player, paid: Numbers) -> None:
    before = player.realm()
    player.act(at.FACE_UP)
    named = before - player.realm()
    anything = np.array([paid.get(colour, 0) for colour in COLOUR_NAMES]) - named
    if anything.min() < 0 or anything.sum() != player.g.due[ANY]:
        due = f"{in_words(colour_numbers(named))} and {player.g.due[ANY]} any"
        raise IllegalAction(f"pay {in_words(paid)}: {due} are due")
    player.each(at.PAY_COLOUR, colour_numbers(anything))


def place(player: Player, text: str) -> None:
    slot = slot_of(player.game, player.g, int(player.g.actor), text)
    if slot == NONE:
        raise IllegalAction(f"there is no slot {text!r}")
    player.act(at.PLACE_AT + slot)


def gain(player: Player, gained: Numbers) -> bool:
    player.open_effect()
    before, choice = player.realm(), bool(player.g.decision == GAIN)
    if choice:
        player.each(at.GAIN_COLOUR, gained)
    else:
        player.step(EFFECT)
    _same("gain", gained, player.realm() - before)
    _done(player, "gain")
    return choice


def _done(player: Player, what: str) -> None:
    if player.g.decision != TRIM:
        raise IllegalAction(f"{what}: more is due")


def farm(player: Player, colour: str) -> None:
    tile = int(player.g.hand)
    player.step(EFFECT)
    if player.game.tables[0].effect[tile] != FARM or not player.game.tables[0].parts[tile, COLOUR_NAMES.index(colour)]:
        raise IllegalAction(f"{tile_id(player.game, tile)} is no farm of {colour}")


def irrigation(player: Player, status: str) -> None:
    player.step(EFFECT)
    _check_status(player, status)


def _check_status(player: Player, status: str) -> None:
    bits = player.g.active if status == "active" else player.g.cancelled
    if player.g.cell == NONE or not bits[player.g.actor] >> player.g.cell & 1:
        raise IllegalAction(f"the tile is not {status}")


def give(player: Player, numbers: Numbers) -> None:
    player.open_effect()
    player.each(at.DISCARD, numbers)
    _done(player, "discard")


def destroy(player: Player, targets: dict[str, Numbers]) -> None:
    player.open_effect()
    for position, numbers in targets.items():
        player.each(at.DESTROY_AT + int(position), numbers, DISPLAY)
    _done(player, "volcano")


def cancel_tile(player: Player) -> bool:
    choice = cancel(player)
    _check_status(player, "cancelled")
    return choice


def cancel(player: Player) -> bool:
    player.open_effect()
    choice = int(player.g.decision) in CHOICES
    if player.g.decision == GIVE:  # an exchange may have made it impossible
        choice = bool(total(player.g.realm[player.g.actor]) >= player.g.due[ANY])
    if player.g.decision in CHOICES:
        player.act(at.DECLINE)
    else:
        player.step(EFFECT)
    return choice


def discard(player: Player, numbers: Numbers) -> None:
    player.step(TRIM)
    for colour, number in numbers.items():
        for _ in range(number):
            player.act(at.DISCARD + COLOUR_NAMES.index(colour))
            player.step(TRIM)
    if player.g.decision == FINISH:
        raise IllegalAction("more must be discarded")


def refill(player: Player, position: int, tile: str) -> None:
    player.close_limit()
    player.step(REFILL)
    found = tile_id(player.game, player.g.display[position])
    if player.g.source != position or found != tile:
        raise IllegalAction(f"our pile brings {tile_id(player.game, player.g.display[player.g.source])}")


def finish_turn(player: Player) -> None:
    player.close_limit()
    player.step(END)


COLOUR = "|".join(COLOUR_NAMES)
WORSHIPPERS = "(?P<worshippers>.+)"
READ: dict[str, Callable[[str], Any]] = {  # parts that are no texts
    "pos": int,
    "positions": lambda text: sorted(map(int, text.split())),
    "worshippers": worshippers,
    "from": worshippers_by_place,
}
AUTOMATIC = ("generate", "collect", "farm", "irrigation", "refill", "end turn")  # without a choice
COMMANDS: tuple[tuple[str, str, Callable[..., bool | None]], ...] = (
    ("take tile", r"take tile (?P<tile>\S+) from (?P<pos>[0-8])", take_tile),
    ("take god", rf"take god (?P<god>{'|'.join(GOD_NAMES)})", lambda p, god: p.act(at.TAKE_GOD + GOD_NAMES.index(god))),
    ("generate", rf"generate (?P<colour>{COLOUR}) on (?P<positions>[0-8 ]+)", generate),
    ("collect", f"collect {WORSHIPPERS}", collect),
    ("exchange", rf"exchange 3 (?P<give>{COLOUR}) for 1 (?P<get>{COLOUR})", Player.exchange),
    ("pay", f"pay {WORSHIPPERS}", pay),
    ("wilderness", "wilderness", lambda player: player.act(at.TURN_OVER)),
    ("place", "place (?P<slot>.+)", place),
    ("gain", f"gain {WORSHIPPERS}", gain),
    ("farm", rf"farm (?P<colour>{COLOUR})", farm),
    ("irrigation", "irrigation (?P<status>active|cancelled)", irrigation),
    *((f"{what} discard", f"{what} discard {WORSHIPPERS}", give) for what in ("village", "death")),
    ("volcano destroy", "volcano destroy (?P<from>.+)", destroy),
    *((f"{what} cancel", f"{what} cancel", cancel_tile) for what in ("village", "volcano")),
    ("death cancel", "death cancel", cancel),
    ("discard", f"discard {WORSHIPPERS}", discard),
    ("refill", r"refill (?P<pos>[0-8]) with (?P<tile>\S+)", refill),
    ("end turn", "end turn", finish_turn),
)
