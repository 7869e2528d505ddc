"""A recorded game as it is played again: in single steps, and turn by turn through the engine as everybody uses it."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes, to_bytes
from theogony.envs.core.verify import Differ
from theogony.envs.orbis.actions import END_TURN, EXCHANGE, FACE_UP, TAKE_TILE
from theogony.envs.orbis.components import COLOUR_NAMES, COLOURS
from theogony.envs.orbis.rules import effects, turn
from theogony.envs.orbis.rules.legal import legal as legal_actions
from theogony.envs.orbis.state import DESTROY, EFFECT, FINISH, GAIN, GENERATE, GIVE, TRIM
from theogony.verification.orbis.snapshot import PHASES

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
            position.play(TAKE_TILE + entry["pos"])
            offered = bool(position.mask[0, FACE_UP])
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

    def each(self, first: int, numbers: dict[str, int]) -> None:
        """One decision for each worshipper; `first` is the action for white."""
        for colour, number in numbers.items():
            for _ in range(number):
                self.act(first + COLOUR_NAMES.index(colour))

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
            self.act(END_TURN)

    def exchange(self, give: int, get: int) -> None:
        """Three for one; also before an effect without a choice, where the engine offers it only afterwards."""
        self.open_effect()
        action = EXCHANGE + COLOURS * give + get
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
