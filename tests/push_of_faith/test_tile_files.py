"""Other tile lists from JSON files: what is accepted is played, what is not is refused by name."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.game import ComponentError
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.components import DEFAULT_TILES
from theogony.envs.push_of_faith.game import SPEC

Tiles = dict[str, Any]
DEFAULT: Tiles = json.loads(DEFAULT_TILES.read_text())


def made(side: int, counts: dict[int, int], statues: int, seed: int = 0) -> Tiles:
    """A drawn tile list: `counts` new tiles for each player count, 0 to `statues` statues a tile."""
    generator = np.random.default_rng(seed)
    tiles = [
        {
            "id": k,
            "squares": generator.integers(5, size=(side, side)).tolist(),
            "statues": generator.integers(5, size=generator.integers(statues + 1)).tolist(),
            "players": players,
        }
        for k, players in enumerate(players for players, count in counts.items() for _ in range(count))
    ]
    generator.shuffle(tiles)  # any order in the file
    return {"tile_side": side, "tiles": tiles}


def configure(tmp_path: Path, content: Tiles | str, **options: Any) -> Any:
    path = tmp_path / "tiles.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return SPEC.configure({"tile_file": path, **options})


# Player count, side, most statues on a tile, tiles for each lowest player count. Each is compiled for itself.
LISTS = {
    "side 1, without statues": (2, 1, 0, {2: 54}),
    "28, 37, 46, 55 tiles": (3, 2, 1, {2: 28, 3: 9, 4: 9, 5: 9}),
    "side 3, up to 4 statues": (5, 3, 4, {2: 30, 3: 10, 4: 5, 5: 10}),
    "side 4, as few tiles as can be": (4, 4, 2, {2: 27, 3: 9, 4: 9}),
    "many tiles": (2, 2, 2, {2: 200, 4: 150}),
}


@pytest.mark.random_play
@pytest.mark.parametrize("what", LISTS)
def test_other_tiles_are_played(what: str, tmp_path: Path, play: Callable) -> None:
    """Any side, any number of statues, any split that fills every world."""
    players, side, statues, counts = LISTS[what]
    game = configure(tmp_path, made(side, counts, statues), players=players)
    position = Position(game, 1)
    for _ in range(6):
        assert game.spec.invariant(game, position.g) is None
        play(position, 3 * players, seed=position.now)
        check_observation(position)
    assert position.over == 1 and game.spec.invariant(game, position.g) is None
    in_use = sum(count for n, count in counts.items() if n <= players)
    assert int(game.tables[0].in_use) == in_use and position.g.heights.sum() == in_use - 9 - 9 * players


def check_observation(position: Position) -> None:
    layout = position.game.features
    for seat in range(position.game.players):
        seen = position.observe(seat)
        assert (seen >= layout.low).all() and (seen <= layout.high).all()


def test_default_tiles_are_balanced() -> None:
    """30, 40, 50 and 55 tiles; each type has as many squares and statues as any other at every player count."""
    for players, squares, statues in ((2, 24, 6), (3, 32, 8), (4, 40, 10), (5, 44, 11)):
        t = SPEC.configure({"players": players}).tables[0]
        ids = t.ids[: t.in_use]
        assert np.bincount(t.terrain[ids, 0].reshape(-1)).tolist() == [squares] * 5
        assert t.statues[ids].sum(axis=0).tolist() == [statues] * 5


def test_a_file_for_two_players_only(tmp_path: Path) -> None:
    """The player count in force decides whether there are enough tiles."""
    tiles = made(2, {2: 27}, 1)
    assert configure(tmp_path, tiles).tables[0].in_use == 27
    with pytest.raises(
        ComponentError, match=r"tiles\.json: 27 tiles for 3 players, but the map and their worlds take 36"
    ):
        configure(tmp_path, tiles, players=3)


def test_other_keys_and_names(tmp_path: Path) -> None:
    tiles = {**DEFAULT, "author": "somebody", "terrains": ["steppe", "grove", "rock", "lake", "sand"]}
    game = configure(tmp_path, tiles)
    assert (
        "(s steppe" not in (text := SPEC.render_text(game, Position(game, 0).g, None)) and "a steppe, b grove" in text
    )
    assert game.component_digest != SPEC.configure({}).component_digest


# ---------------------------------------------------------------------------------------------------- refused


def edit(change: Callable[[list[Any]], Any]) -> Tiles:
    content = copy.deepcopy(DEFAULT)
    change(content["tiles"])
    return content


def without(key: str) -> Tiles:
    return {k: v for k, v in DEFAULT.items() if k != key}


REFUSED: dict[str, tuple[Tiles | str, str]] = {
    "a missing tile": (edit(lambda t: t.pop(7)), "tile 7 is missing: 54 tiles have ids from 0 on"),
    "the same tile twice": (edit(lambda t: t.append(t[7])), "tile 7 is listed twice"),
    "too small to be placed": (
        edit(lambda t: t[3]["squares"].pop()),
        "tile 3 cannot be placed: its squares are not 2 rows of 2, the tile_side",
    ),
    "too large to be placed": (edit(lambda t: t[3]["squares"][1].append(0)), "tile 3 cannot be placed: its squares"),
    "another side": ({**DEFAULT, "tile_side": 3}, "tile 0 cannot be placed: its squares are not 3 rows of 3"),
    "no side": (without("tile_side"), "tile_side: Field required"),
    "no squares": (edit(lambda t: t[3].pop("squares")), "tiles.3 (id 3).squares: Field required"),
    "an unknown terrain": (
        edit(lambda t: t[3]["squares"][0].__setitem__(1, 5)),
        "tiles.3 (id 3).squares.0.1: Input should be less than 5, found 5",
    ),
    "a negative terrain": (
        edit(lambda t: t[3]["squares"][0].__setitem__(1, -1)),
        "greater than or equal to 0, found -1",
    ),
    "a terrain by name": (
        edit(lambda t: t[3]["squares"][0].__setitem__(1, "sea")),
        "should be a valid integer, found 'sea'",
    ),
    "an unknown god": (
        edit(lambda t: t[8]["statues"].append(9)),
        "tiles.8 (id 8).statues.1: Input should be less than 5",
    ),
    "no statues": (edit(lambda t: t[8].pop("statues")), "tiles.8 (id 8).statues: Field required"),
    "six players": (
        edit(lambda t: t[54].__setitem__("players", 6)),
        "tiles.54 (id 54).players: Input should be less than or equal to 5",
    ),
    "no id": (edit(lambda t: t[4].pop("id")), "tiles.4.id: Field required"),
    "a tile that is none": (
        edit(lambda t: t.__setitem__(4, "tile")),
        "tiles.4: Input should be a valid dictionary",
    ),
    "too few tiles": (
        {**DEFAULT, "tiles": DEFAULT["tiles"][:26]},
        "26 tiles for 2 players, but the map and their worlds take 27",
    ),
    "more tiles than are counted": (
        {**DEFAULT, "tiles": DEFAULT["tiles"] * 20},
        "tiles: List should have at most 999 items",
    ),
    "more statues than are counted": (
        edit(lambda t: t[8].update(statues=[0] * 31)),
        "tiles.8 (id 8).statues: List should have at most 30 items",
    ),
    "four terrains": ({**DEFAULT, "terrains": ["a", "b", "c", "d"]}, "terrains: List should have at least 5 items"),
    "no tiles": ({"tile_side": 2}, "tiles: Field required"),
    "a list": ("[]", "tiles.json: Input should be a valid dictionary"),
    "no JSON": ("{tiles", "is not JSON: Expecting property name"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str, tmp_path: Path) -> None:
    content, message = REFUSED[what]
    with pytest.raises(ComponentError) as caught:
        configure(tmp_path, content)
    assert str(caught.value).startswith(str(tmp_path / "tiles.json")) and message in str(caught.value)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match=r"nowhere\.json: cannot be read: No such file"):
        SPEC.configure({"tile_file": tmp_path / "nowhere.json"})
    with pytest.raises(ComponentError, match=r"cannot be read: Is a directory"):
        SPEC.configure({"tile_file": tmp_path})


def test_too_few_tiles_in_components() -> None:
    """Component data that came another way, such as in a record, is counted as well."""
    with pytest.raises(ComponentError, match=r"the tile list: 55 tiles for 5 players|27 tiles for 5 players"):
        SPEC.configure({"players": 5}, {**made(2, {2: 27}, 1), "terrains": list("abcde")})
