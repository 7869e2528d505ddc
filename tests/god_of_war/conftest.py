"""Positions to try the rules on, and moves in the words of the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.position import Position
from theogony.envs.god_of_war.components.pieces import HEROES
from theogony.envs.god_of_war.components.tables import designs, upgrade_types
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.snapshot import snapshot
from theogony.verification.chance import given
from theogony.verification.god_of_war import reader
from theogony.verification.god_of_war.composite import composites
from theogony.verification.god_of_war.reader import drawn


class Table:
    """A game whose chance results are given; moves are written as in the rules."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.header = reader.RecordingHeader.model_validate({**header, "state": {}})
        self.position = Position(reader._game(self.header), 0)
        assert reader._set_up(self.header, self.position, self.differ)

    def differ(self, step: Any, field: str, expected: Any, found: Any) -> None:
        raise AssertionError(f"{step}: {field}: expected {expected}, found {found}")

    @property
    def state(self) -> dict[str, Any]:
        """The position in the words of the recordings."""
        return snapshot(self.position.game, self.position.g)

    def legal(self, **part: Any) -> list[dict[str, Any]]:
        """The legal moves that have these values."""
        moves = [move for move, _ in composites(self.position)]
        return [move for move in moves if all(move.get(key) == value for key, value in part.items())]

    def do(self, dice: tuple[int, ...] = (), chance: Any = None, **part: Any) -> "Table":
        """Make the only legal move that has these values, then everything that is forced."""
        recorded = chance if chance is not None else [{"die": face} for face in dice]
        found = [entry for entry in composites(self.position) if all(entry[0].get(k) == v for k, v in part.items())]
        assert len(found) == 1, f"{part}: {[move for move, _ in found] or self.legal()}"
        for decision in found[0][1][:-1]:
            self.position.play(decision)
        results = drawn(self.position, recorded, "move", self.differ)
        with given(self.position.game, self.position.g, results):
            self.position.play(found[0][1][-1])
            reader._play_forced(self.position)
        assert int(self.position.g.rng[0]) >= len(results), "not all chance results were used"
        return self

    def figure(self, name: str) -> dict[str, Any]:
        """One figure of the position."""
        return next(f for player in self.state["players"] for f in player["figures"] if f["id"] == name)

    def card(self, name: str) -> dict[str, Any]:
        """One scene card of the position."""
        return next(card for card in self.state["scene"] if card["id"] == name)


def starting_deck(hero: str, first: list[str]) -> list[str]:
    """A hero's deck with some cards on top."""
    game = SPEC.configure()
    names = designs(game.components)
    printed = game.tables[0].starting_deck[HEROES.index(hero)]
    rest = [name for name, copies in zip(names, printed, strict=True) for _ in range(int(copies))]
    for card in first:
        if card in rest:
            rest.remove(card)
    return [*first, *rest]


@pytest.fixture
def deck_of():
    """`deck_of("kratos", ["melee"])`: the starting deck with some cards on top."""
    return starting_deck


@pytest.fixture
def table():
    """`table(["kratos"], quest=1, hands={"kratos": [...]}, runes=[...])`: one scene, with cards on top of the decks."""

    def make(heroes: list[str], quest: int, **given: Any) -> Table:
        hands, top = given.pop("hands", {}), given.pop("upgrades", [])
        max_rounds, chance = given.pop("max_rounds", 50), given.pop("chance", [])
        types = upgrade_types(SPEC.configure().components)
        start = {
            "mode": "single",
            "heroes": heroes,
            "starting_player": 0,
            "quest": quest,
            "decks": [starting_deck(hero, hands.get(hero, [])) for hero in heroes],
            "upgrade_deck": [*top, *(card for card in types if card not in top)],
            "supply": {"stun": 10, "poison": 10, "crystal": 10},
            **given,
        }
        options = {"mode": "single", "max_rounds": max_rounds}
        header = {"type": "header", "game": "god_of_war", "heroes": heroes, "options": options, "start": start}
        return Table({**header, "components": reader.COMPONENTS, "chance": chance})

    return make


GAMES = json.loads((Path(__file__).parent / "data" / "games.json").read_text())


@pytest.fixture(params=GAMES, ids=[game["name"] for game in GAMES])
def recorded(request: pytest.FixtureRequest) -> dict[str, Any]:
    """One condensed recording."""
    return request.param


@pytest.fixture
def new_table():
    """`new_table(header)`: the start of a condensed recording."""
    return Table
