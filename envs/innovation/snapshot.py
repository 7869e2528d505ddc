"""Positions as JSON: whole piles, hands and achievements by card number, as recordings of other engines write them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import clear_record
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.innovation import state
from theogony.envs.innovation.components import AGES, CARDS, COLOURS, MAX_PLAYERS, NO_SPLAY, SPECIALS, SPLAYS
from theogony.envs.innovation.rules.bits import insert
from theogony.envs.innovation.rules.moves import is_open, lay, owner
from theogony.envs.innovation.rules.piles import set_splay
from theogony.envs.innovation.rules.setup import ask_first_meld, empty_table
from theogony.envs.innovation.rules.turn import ask_action
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SIDE, SUPPLY, UNCLAIMED, cards_in, pile_of


class Arrangement(NamedTuple):
    """What lies where in a position between two actions, or before the first melds."""

    order: np.ndarray  # int64 (CARDS,): the cards in the order in which they are laid down
    places: np.ndarray  # int64 (CARDS,): the place of each card
    splays: np.ndarray  # int64 (SUPPLY,): the splay of each pile
    period: np.ndarray  # int8 (AGES,): the seat that claimed each age
    special: np.ndarray  # int8: the seat that claimed each special achievement
    counters: np.ndarray  # int64 (2, seats): cards tucked and cards scored
    fission: int  # the card Fission where it has removed cards (ruling R10), else NONE
    turn: int
    actions_left: int  # 0 stands for the first melds


@rule
def arrange(states, i, tables, given):
    """Lay every card on its place, one after another. Every seat knows what it owns and what lies in the open."""
    clear_record(states, i)
    g, t = states[i], tables[0]
    empty_table(g, t)
    for k in range(CARDS):
        card = given.order[k]
        place = given.places[card]
        if place < UNCLAIMED:
            lay(g, t, card, place, False)
        g.place[card] = place
        for seat in range(g.players):
            if is_open(place) or card == given.fission or (HANDS <= place < UNCLAIMED and owner(place) == seat):
                insert(g.known[seat], card)
    for pile in range(SUPPLY):
        if given.splays[pile] != NO_SPLAY:
            set_splay(g, t, pile, given.splays[pile])
    g.period[:] = given.period
    g.special[:] = given.special
    for seat in range(g.players):
        g.tucks[seat] = given.counters[0, seat]
        g.scores[seat] = given.counters[1, seat]
        g.achievements[seat] = np.sum(given.period == seat) + np.sum(given.special == seat)
    g.turn = given.turn
    g.short_turns = 0
    g.actions_left = given.actions_left
    if given.actions_left > 0:
        ask_action(g, t)
    else:
        g.short_turns = 2 if t.players == 4 else 1
        ask_first_meld(g, 0)


# ---- Positions as JSON: whole piles, hands and achievements by card number, as recordings of other engines write the

CardNumber = Annotated[int, Field(ge=0, lt=CARDS)]
SpecialName = Literal["Empire", "Monument", "Universe", "Wonder", "World"]
ABSENT = -2  # of an achievement that nothing says yet where it is; of age 10 there is none


class PositionError(ValueError):
    """A position in JSON is impossible; the message names the place and what was expected."""


class PileJson(BaseModel):
    """A pile of a board, bottom card first."""

    model_config = ConfigDict(extra="forbid")
    splay: Literal["none", "left", "right", "up"] = "none"
    cards: list[CardNumber]


class PlayerJson(BaseModel):
    """One seat."""

    model_config = ConfigDict(extra="forbid")
    hand: list[CardNumber] = []
    score: list[CardNumber] = []
    board: dict[Literal["blue", "red", "green", "yellow", "purple"], PileJson] = {}
    age_achievements: list[CardNumber] = []
    special_achievements: list[SpecialName] = []
    tucked: Annotated[int, Field(ge=0, le=CARDS)] = 0
    scored: Annotated[int, Field(ge=0, le=CARDS)] = 0
    revealed: list[CardNumber] = []


class PositionJson(BaseModel):
    """A position between two actions, or before the first melds (`actions_left` 0)."""

    model_config = ConfigDict(extra="forbid")
    supply: Annotated[list[list[CardNumber]], Field(min_length=AGES, max_length=AGES)]  # top card first
    age_achievements: list[CardNumber] = []
    special_achievements: list[SpecialName] = []
    players: list[PlayerJson]
    turn: Annotated[int, Field(ge=0, lt=MAX_PLAYERS)] = 0
    actions_left: Annotated[int, Field(ge=0, le=2)] = 2


def from_json(game: Game, data: dict[str, Any]) -> Position:
    """A position to play on from. Raises PositionError when it is impossible."""
    position = Position(game, 0)
    load_position(game, position.states, 0, data)
    position.refresh()
    return position


def load_position(game: Game, states: np.ndarray, i: int, data: dict[str, Any]) -> None:
    """Write a JSON position over record i of `states`. Raises PositionError when it is impossible."""
    position = checked(PositionJson, data, "position", PositionError)
    builder = _Builder(game, position)
    arrange(states, i, game.tables, Arrangement(*(getattr(builder, name) for name in Arrangement._fields)))


class _Builder:
    """The arrays of a position, checked card by card."""

    def __init__(self, game: Game, data: PositionJson) -> None:
        if len(data.players) != game.players:
            raise PositionError(f"players: {len(data.players)} seats, but the game is for {game.players}")
        if data.turn >= game.players:
            raise PositionError(f"turn: seat {data.turn} of {game.players}")
        self.t, self.turn, self.actions_left = game.tables[0], data.turn, data.actions_left
        self.names = [card["name"] for card in game.components["cards"]]
        self.fission = NONE  # its number, when it has removed cards
        self.places = np.full(CARDS, NONE, np.int64)
        self.laid: list[int] = []
        self.splays = np.zeros(SUPPLY, np.int64)
        self.period, self.special = np.full(AGES, ABSENT, np.int8), np.full(len(SPECIALS), ABSENT, np.int8)
        self.counters = np.zeros((2, MAX_PLAYERS), np.int64)
        self.read_supply(data)
        self.claim("age_achievements", data.age_achievements, data.special_achievements, NONE)
        for seat, player in enumerate(data.players):
            self.read_player(seat, player)
        self.check_all_there()
        self.check_running(data)
        removed = self.removed()
        self.places[removed] = state.REMOVED
        self.order = np.array(self.laid + removed, np.int64)

    def put(self, where: str, card: int, place: int) -> None:
        if self.places[card] != NONE:
            raise PositionError(f"{where}: card {card} is in two places")
        self.places[card] = place
        self.laid.append(card)

    def read_supply(self, data: PositionJson) -> None:
        for age, pile in enumerate(data.supply, 1):
            for card in reversed(pile):
                if self.t.age[card] != age:
                    raise PositionError(f"supply.{age - 1}: card {card} is of age {self.t.age[card]}, not {age}")
                self.put(f"supply.{age - 1}", card, SUPPLY + age - 1)

    def claim(self, where: str, periods: list[int], specials: list[SpecialName], seat: int) -> None:
        """Achievements of a seat, or unclaimed ones (seat -1)."""
        for card in periods:
            age = int(self.t.age[card])
            if age == AGES or self.period[age - 1] != ABSENT:
                raise PositionError(f"{where}: card {card}: there is one achievement of each age 1 to 9, not of {age}")
            self.period[age - 1] = seat
            self.put(where, card, UNCLAIMED if seat == NONE else state.CLAIMED + seat)
        for name in specials:
            if self.special[SPECIALS.index(name)] != ABSENT:
                raise PositionError(f"{where.replace('age', 'special')}: {name} is in two places")
            self.special[SPECIALS.index(name)] = seat

    def read_player(self, seat: int, player: PlayerJson) -> None:
        where = f"players.{seat}"
        if player.revealed:
            raise PositionError(f"{where}.revealed: a position inside an effect cannot be built")
        for card in player.hand:
            self.put(f"{where}.hand", card, HANDS + seat)
        for card in player.score:
            self.put(f"{where}.score", card, SCORES + seat)
        for name, pile in player.board.items():
            self.read_pile(f"{where}.board.{name}", seat, COLOURS.index(name), pile)
        self.claim(f"{where}.age_achievements", player.age_achievements, player.special_achievements, seat)
        self.counters[:, seat] = player.tucked, player.scored

    def read_pile(self, where: str, seat: int, colour: int, pile: PileJson) -> None:
        for card in pile.cards:
            if self.t.colour[card] != colour:
                raise PositionError(f"{where}: card {card} is {COLOURS[self.t.colour[card]]}")
            self.put(where, card, seat * SIDE + colour)
        if pile.splay != "none" and len(pile.cards) < 2:
            raise PositionError(f"{where}: a pile of {len(pile.cards)} cannot be splayed")
        self.splays[seat * SIDE + colour] = SPLAYS.index(pile.splay)

    def check_all_there(self) -> None:
        for age in range(1, AGES):
            if self.period[age - 1] == ABSENT:
                raise PositionError(f"age_achievements: the one of age {age} is missing")
        for number, name in enumerate(SPECIALS):
            if self.special[number] == ABSENT:
                raise PositionError(f"special_achievements: {name} is missing")

    def check_running(self, data: PositionJson) -> None:
        """Nobody has won yet; before the first melds everybody has two cards in hand and no others."""
        for seat, player in enumerate(data.players):
            won = len(player.age_achievements) + len(player.special_achievements)
            if won >= self.t.needed:
                raise PositionError(f"players.{seat}: {won} achievements have won the game, {self.t.needed} are enough")
            if data.actions_left == 0 and (len(player.hand) != 2 or player.board or player.score):
                raise PositionError(f"players.{seat}: before the first melds (actions_left 0) a seat has a hand of two")

    def removed(self) -> list[int]:
        """The cards that are nowhere: removed from the game by Fission, itself among them (ruling R10)."""
        removed = [card for card in range(CARDS) if self.places[card] == NONE]
        names = [self.names[card] for card in removed]
        if removed and "Fission" not in names:
            raise PositionError(f"card {removed[0]} ({names[0]}) is nowhere, though Fission has removed no cards")
        self.fission = removed[names.index("Fission")] if removed else NONE
        return removed


# ---------------------------------------------------------------------------------------------------- to JSON


def to_json(game: Game, g: Any) -> dict[str, Any]:
    """A position as JSON. Inside an effect `revealed` holds the cards that are shown; the effect itself is not kept."""
    claims = range(UNCLAIMED, state.CLAIMED + game.players)  # places of age achievements
    at = {place: [c for c in range(CARDS) if g.place[c] == place] for place in claims}
    return {
        "supply": [pile_of(g, SUPPLY + age) for age in range(AGES)],
        "age_achievements": at[UNCLAIMED],
        "special_achievements": [name for k, name in enumerate(SPECIALS) if g.special[k] == NONE],
        "players": [_player_json(g, seat, at[state.CLAIMED + seat]) for seat in range(game.players)],
        "turn": int(g.turn),
        "actions_left": 0 if g.decision == state.INITIAL_MELD else int(g.actions_left),
    }


def _player_json(g: Any, seat: int, periods: list[int]) -> dict[str, Any]:
    board = {}
    for colour, name in enumerate(COLOURS):
        pile = seat * SIDE + colour
        if g.height[pile]:
            board[name] = {"splay": SPLAYS[g.splay[pile]], "cards": pile_of(g, pile)[::-1]}
    player = {
        "hand": cards_in(g.hand[seat]),
        "score": cards_in(g.scored[seat]),
        "board": board,
        "age_achievements": periods,
        "special_achievements": [name for k, name in enumerate(SPECIALS) if g.special[k] == seat],
        "tucked": int(g.tucks[seat]),
        "scored": int(g.scores[seat]),
    }
    shown = cards_in(g.shown[seat])
    return {**player, "revealed": shown} if shown else player
