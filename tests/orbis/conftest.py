"""Positions of Orbis to try the rules on, written in the words of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from moves import legal_after, play_texts

from theogony.envs.core.position import Position
from theogony.envs.orbis.breakdown import breakdown
from theogony.envs.orbis.components import COLOUR_NAMES, GOD_NAMES
from theogony.envs.orbis.game import SPEC
from theogony.envs.orbis.rules.effects import CHECKED
from theogony.envs.orbis.rules.pyramid import RIGHT, SLOT_CELLS, lay
from theogony.envs.orbis.state import NONE, STRIDE, UP, WILDERNESS


class Table:
    """A game whose pieces can be put where a test needs them."""

    def __init__(self, players: int = 2, seed: int = 0, components: Any = None, **options: Any) -> None:
        self.position = Position(SPEC.configure({"players": players, **options}, components), seed)
        self.game = self.position.game
        self.t = self.game.tables[0]

    @property
    def g(self) -> Any:
        return self.position.g

    def tile(self, name: str) -> int:
        return [tile["id"] for tile in self.game.components["regions"]].index(name)

    def name(self, tile: int) -> str | None:
        return None if tile == NONE else self.game.components["regions"][tile]["id"]

    def display(self, names: str) -> Table:
        """Nine ids by rows, or fewer for the first positions."""
        for position, name in enumerate(names.split()):
            self.g.display[position] = self.tile(name)
        return self._ready()

    def lying(self, **worshippers: str) -> Table:
        """`lying(p0="2 white", p4="1 red")`."""
        for place, text in worshippers.items():
            self.g.lying[int(place[1:])] = numbers(text)
        return self._ready()

    def realm(self, text: str, seat: int = 0) -> Table:
        self.g.realm[seat] = numbers(text)
        return self._ready()

    def universe(self, *rows: str, seat: int = 0) -> Table:
        """Rows from the bottom: ids, `_` for nothing; `~B1-1` is a wilderness, `R2-1+` active, `R2-1x` cancelled."""
        for row, names in enumerate(rows):
            for column, name in enumerate(names.split()):
                if name != "_":
                    self._lay(seat, STRIDE * row + column, name)
        return self._ready()

    def _lay(self, seat: int, cell: int, name: str) -> None:
        tile, bit = self.tile(name.strip("~+x")), 1 << cell
        slot = RIGHT if cell < STRIDE else SLOT_CELLS.tolist().index(cell)
        lay(self.g, self.t, seat, tile, WILDERNESS if name[0] == "~" else UP, slot)
        if name[-1] == "+":
            self.g.active[seat] |= bit
            self.g.counts[seat, CHECKED[self.t.effect[tile]]] += 1
            self.g.cp[seat] += self.t.cp[tile]
        elif name[-1] == "x":
            self.g.cancelled[seat] |= bit

    def offer(self, *gods: str) -> Table:
        self.g.offer = sum(1 << GOD_NAMES.index(god) for god in gods)
        return self._ready()

    def god(self, god: str, seat: int = 0, done: bool = False) -> Table:
        self.g.god[seat], self.g.taken[seat] = GOD_NAMES.index(god), done
        return self._ready()

    def _ready(self) -> Table:
        self.position.refresh()
        return self

    def play(self, *texts: str) -> Table:
        play_texts(self.position, *texts)
        return self

    def legal(self, kind: str = "") -> list[str]:
        """The legal actions that begin with a word, without it."""
        return legal_after(self.position, kind)

    def has(self, seat: int = 0) -> str:
        return in_words(self.g.realm[seat])

    def lies(self, place: int) -> str:
        return in_words(self.g.lying[place])

    def rows(self, seat: int = 0) -> list[str]:
        """The universe in the words of `universe`, without empty ends."""
        found = []
        for row in range(4):
            cells = [self._cell(seat, STRIDE * row + column) for column in range(STRIDE - row)]
            found.append(" ".join(cells).rstrip(" _"))
        return [row for row in found if row]

    def _cell(self, seat: int, cell: int) -> str:
        g = self.g
        name = self.name(int(g.tiles[seat, cell])) or "_"
        mark = "+" if g.active[seat] >> cell & 1 else "x" if g.cancelled[seat] >> cell & 1 else ""
        return ("~" if g.wild[seat] >> cell & 1 else "") + name + mark

    def score(self, seat: int = 0) -> dict[str, Any]:
        return breakdown(self.game, self.g)[seat]


def numbers(text: str) -> list[int]:
    words = text.split()
    found = {colour: int(number) for number, colour in zip(words[::2], words[1::2], strict=True)}
    return [found.get(colour, 0) for colour in COLOUR_NAMES]


def in_words(realm: np.ndarray) -> str:
    return " ".join(f"{number} {colour}" for number, colour in zip(realm, COLOUR_NAMES, strict=True) if number)


@pytest.fixture
def table() -> Callable[..., Table]:
    """`table(players=3, seed=1, late_exchange=False, components=...)`: the start of a game."""
    return Table


@pytest.fixture
def finish() -> Callable[..., Position]:
    """`finish(position, seed)`: go on at random to the end."""

    def go_on(position: Position, seed: int = 0) -> Position:
        generator = np.random.default_rng(seed)
        while not position.over:
            position.play(generator.choice(position.legal_actions()))
        return position

    return go_on
