"""Positions to try the rules on."""

from collections.abc import Callable
from typing import Any

import pytest
from moves import legal_texts, play_texts

from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import BOARD
from theogony.envs.terra_mystica.components import FACTIONS, STRUCTURES
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.rules.building import set_structure
from theogony.envs.terra_mystica.rules.rounds import begin_turn
from theogony.envs.terra_mystica.rules.towns import find_river_sites
from theogony.envs.terra_mystica.state import MAIN

Play = Callable[..., Position]


class Table:
    """A game in play, written as in a ledger: `table.play("upgrade E4 to TP", "done")`."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @property
    def g(self) -> Any:
        return self.position.g

    def play(self, *texts: str) -> "Table":
        play_texts(self.position, *texts)
        return self

    def legal(self, start: str = "") -> list[str]:
        """The texts of the legal actions that begin so."""
        return legal_texts(self.position, start)

    def has(self, seat: int, **goods: int) -> "Table":
        """Set coins, workers ... of a seat; `bowls=(5, 7, 0)`."""
        for name, value in goods.items():
            self.g[name][seat] = value
        self.position.refresh()
        return self

    def put(self, seat: int, **spaces: str) -> "Table":
        """Structures on spaces, which take the seat's colour: `put(0, E4="TP")`."""
        g, t = self.g, self.position.tables[0]
        for label, kind in spaces.items():
            space, home = BOARD.land.index(label), int(t.home[g.faction[seat]])
            old = int(g.terrain[space])
            for colour, held in ((old, False), (home, True)):
                words = [int(word) for word in g.colour[colour]]
                words[space >> 6] = words[space >> 6] & ~(1 << (space & 63)) | (held << (space & 63))
                g.colour[colour] = words
            g.terrain[space] = home
            set_structure(g, t, seat, space, 1 + STRUCTURES.index(kind))
        self.position.refresh()
        return self

    def turn(self, seat: int, round_number: int = 1) -> "Table":
        """The main decision of a seat."""
        self.g.round_number = round_number
        self.g.turns_left = 1
        begin_turn(self.g, seat)
        for s in range(int(self.g.players)):
            find_river_sites(self.g, self.position.tables[0], s)
        self.position.refresh()
        return self


@pytest.fixture
def table() -> Callable[..., Table]:
    """`table("giants", "mermaids", scoring=[2, ...], **options)`: round 1 with empty maps, seat 0 to act."""

    def make(*factions: str, scoring: tuple[int, ...] = (2, 3, 4, 5, 6, 7), **options: Any) -> Table:
        position = Position(SPEC.configure({"players": len(factions), **options}), 0)
        made = Table(position)
        for faction in factions:
            assert faction in FACTIONS
            made.play(f"setup {faction}")
        g = position.g
        g.scoring[:] = scoring
        g.setup_step = 6 * len(factions)
        for seat in range(len(factions)):
            g.card[seat] = seat + 2
        g.card_place[:] = [-2, -2, *range(len(factions)), *[-1] * (8 - len(factions))]
        made.turn(0)
        assert g.decision == MAIN
        return made

    return make
