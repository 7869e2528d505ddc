"""Positions as JSON: there and back, and clear errors for what cannot be."""

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.position import Position
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.snapshot import PositionError
from theogony.envs.innovation.state import ACTION

with gzip.open(Path(__file__).parent / "data" / "scenarios.jsonl.gz", "rt") as file:
    BEFORE = next(line["before"] for line in map(json.loads, file) if line["players"] == 2)


def test_there_and_back() -> None:
    position, compared = Position(SPEC.configure({"players": 3}), 4), 0
    for k in range(120):
        if position.over:
            break
        if position.g.decision == ACTION and k > 3:
            data = json.loads(json.dumps(position.game.to_json(position.g)))
            again = position.game.position_from_json(data)
            assert again.game.to_json(again.g) == data
            assert (again.mask == position.mask).all()
            compared += 1
        position.play(int(position.legal_actions()[k % len(position.legal_actions())]))
    assert compared > 10


def broken(change: str) -> dict[str, Any]:
    data = copy.deepcopy(BEFORE)
    seat = data["players"][0]
    if change == "two places":
        seat["hand"].append(data["supply"][9][0])
    elif change == "of age":
        data["supply"][9].append(data["supply"][8].pop() if data["supply"][8] else data["supply"][0].pop())
    elif change == "cannot be splayed":
        colour, card = ("blue", next(c for pile in data["supply"] for c in pile if c in (0, 1, 2, 15, 16, 25, 26, 35)))
        for pile in data["supply"]:
            pile[:] = [c for c in pile if c != card]
        seat["board"] = {colour: {"splay": "up", "cards": [card]}}
    elif change == "is missing":
        data["special_achievements"] = []
    elif change == "seats":
        data["players"].append(seat)
    elif change == "inside an effect":
        seat["revealed"] = [5]
    elif change == "less than 105":
        seat["hand"].append(105)
    elif change == "is nowhere":
        data["supply"][9] = data["supply"][9][1:]
    elif change == "have won the game":
        for kind in ("age_achievements", "special_achievements"):
            seat[kind], data[kind] = seat.get(kind, []) + data[kind], []
    elif change == "before the first melds":
        data["actions_left"] = 0
    elif change == "Extra inputs":
        seat["hnad"] = []
    return data


@pytest.mark.parametrize(
    "change",
    [
        "two places",
        "of age",
        "cannot be splayed",
        "is missing",
        "seats",
        "inside an effect",
        "less than 105",
        "is nowhere",
        "have won the game",
        "before the first melds",
        "Extra inputs",
    ],
)
def test_impossible_positions_are_named(change: str) -> None:
    with pytest.raises(PositionError, match=change):
        SPEC.configure({"players": 2}).position_from_json(broken(change))
