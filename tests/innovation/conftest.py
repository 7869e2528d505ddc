"""Positions to try the rules on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from moves import play_texts

from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.game import SPEC

DATA = Path(__file__).parent / "data"
AGES = [card["age"] for card in SPEC.configure().components["cards"]]
COLOURS = [card["colour"] for card in SPEC.configure().components["cards"]]


def number(name: str) -> int:
    return NAMES.index(name)


def table(
    players: int = 2, turn: int = 0, actions_left: int = 2, supply: Any = None, **seats: dict[str, Any]
) -> Position:
    """A position by card names: `table(p0={"board": {"Tools": "left", "Writing": "left"}, "hand": [...]}, ...)`.

    A board lists its cards bottom first, each with the splay of its pile. `supply` gives the next cards of some ages
    by name; the other cards follow in the order of their numbers, one of each age 1 to 9 being its achievement.
    """
    used: set[int] = set()
    listed = [_seat(seats.get(f"p{k}", {}), used) for k in range(players)]
    first = {age: [number(name) for name in names] for age, names in (supply or {}).items()}
    used |= {card for cards in first.values() for card in cards}
    rest = {age: [c for c in range(105) if AGES[c] == age and c not in used] for age in range(1, 11)}
    periods = []
    claimed = {AGES[c] for seat in listed for c in seat["age_achievements"]}
    for age in range(1, 10):
        if age not in claimed:
            periods.append(rest[age].pop())
    taken = {name for seat in listed for name in seat["special_achievements"]}
    data = {
        "supply": [first.get(age, []) + rest[age] for age in range(1, 11)],
        "age_achievements": periods,
        "special_achievements": [n for n in ("Empire", "Monument", "Universe", "Wonder", "World") if n not in taken],
        "players": listed,
        "turn": turn,
        "actions_left": actions_left,
    }
    return SPEC.configure({"players": players}).position_from_json(data)


def _seat(seat: dict[str, Any], used: set[int]) -> dict[str, Any]:
    board: dict[str, Any] = {}
    for name, splay in seat.get("board", {}).items():
        pile = board.setdefault(COLOURS[number(name)], {"splay": splay, "cards": []})
        pile["cards"].append(number(name))
    areas = {area: [number(name) for name in seat.get(area, [])] for area in ("hand", "score", "age_achievements")}
    used |= {card for pile in board.values() for card in pile["cards"]} | {c for cards in areas.values() for c in cards}
    more = {key: seat.get(key, 0) for key in ("tucked", "scored")}
    return {**areas, **more, "board": board, "special_achievements": seat.get("special_achievements", [])}


@pytest.fixture
def lay() -> Callable[..., Position]:
    """The function `table`: a position by card names."""
    return table


@pytest.fixture
def play() -> Callable[..., Position]:
    """`play(position, "dogma of blue", "card Tools", ...)`: decisions by their texts."""
    return play_texts


@pytest.fixture
def look() -> Callable[[Position], dict[str, Any]]:
    """What is where, by card names."""

    def names(position: Position) -> dict[str, Any]:
        seats = []
        for player in position.game.to_json(position.g)["players"]:
            board = {colour: [NAMES[c] for c in pile["cards"]] for colour, pile in player["board"].items()}
            areas = {area: [NAMES[c] for c in player.get(area, [])] for area in ("hand", "score", "revealed")}
            seats.append(
                {**player, **areas, "board": board, "splays": {c: p["splay"] for c, p in player["board"].items()}}
            )
        return {"seats": seats, "over": position.over}

    return names
