"""Tile files: what is printed, and clear errors for others."""

import copy
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.game import ComponentError, OptionError
from theogony.envs.orbis.components import COLOUR_NAMES, DEFAULT_TILES, check_tiles, load_tiles
from theogony.envs.orbis.game import SPEC


@pytest.fixture
def data() -> dict[str, Any]:
    return load_tiles(DEFAULT_TILES)


def test_printed_totals(data: dict) -> None:
    """65 tiles, 20/20/25 by level, 13 of each colour, the stars of the rulebook, all faces different."""
    tiles = data["regions"]
    assert Counter(tile["level"] for tile in tiles) == {1: 20, 2: 20, 3: 25}
    assert Counter(tile["colour"] for tile in tiles) == dict.fromkeys(COLOUR_NAMES, 13)
    for stars, by_level in (("white", {1: 5, 2: 5, 3: 4}), ("purple", {1: 4, 2: 4, 3: 6})):
        assert Counter(tile["level"] for tile in tiles if tile["stars"] == stars) == by_level
    faces = {json.dumps([tile[k] for k in ("colour", "cost", "effect", "cp", "mythology")]) for tile in tiles}
    assert len(faces) == 65
    assert sorted(tile["mythology"] for tile in tiles if tile["mythology"]) == list(range(1, 14))
    assert sorted(t["effect"]["waives"] for t in tiles if t["effect"]["type"] == "farm") == sorted(COLOUR_NAMES)


def test_mythology_values_are_1_to_13_with_the_low_ones_on_level_1(data: dict) -> None:
    """A41: white tiles bear them, each once."""
    levels = {tile["mythology"]: tile["level"] for tile in data["regions"] if tile["mythology"]}
    assert sorted(levels) == list(range(1, 14))
    assert [value for value, level in sorted(levels.items()) if level == 1] == [1, 2, 3, 4]


def test_temples_farms_and_conversions_have_no_points_but_one(data: dict) -> None:
    """A42."""
    of_kind = [tile for tile in data["regions"] if tile["effect"]["type"] in ("temple", "farm", "conversion")]
    assert [(tile["effect"]["type"], tile["cp"]) for tile in of_kind if tile["cp"]] == [("temple", 1)]


def test_two_farms_are_of_level_1_and_three_of_level_2(data: dict) -> None:
    """A43."""
    assert Counter(tile["level"] for tile in data["regions"] if tile["effect"]["type"] == "farm") == {1: 2, 2: 3}


def test_a_corrected_file_loads(tmp_path: Path, table: Callable, data: dict) -> None:
    """Who knows what is printed plays with it (A40)."""
    changed = copy.deepcopy(data)
    changed["regions"][0] |= {"cp": 7, "source": "my own copy"}
    path = tmp_path / "tiles.json"
    path.write_text(json.dumps(changed))
    game = SPEC.configure({"players": 3, "tile_file": path})
    assert game.tables[0].cp[0] == 7 and game.component_digest != table(3).game.component_digest


BROKEN: list[tuple[str, Callable[[dict], Any], str]] = [
    ("unknown colour", lambda d: d["regions"][3].update(colour="pink"), r"id W1-4\).colour: Input should be 'white'"),
    ("cost of a colour", lambda d: d["regions"][3].update(cost={"pink": 1}), r"id W1-4\).cost"),
    ("cost of nothing", lambda d: d["regions"][3].update(cost={"red": 0}), r"id W1-4\).cost.red: .*greater than"),
    ("unknown effect", lambda d: d["regions"][0].update(effect={"type": "flood"}), r"id W1-1\).effect: .*'flood'"),
    ("no points", lambda d: d["regions"][0].pop("cp"), r"id W1-1\).cp: Field required"),
    ("a text", lambda d: d["regions"][0].update(cp="3"), r"id W1-1\).cp: .*integer"),
    ("twice", lambda d: d["regions"][1].update(id="W1-1"), r"tile W1-1 is listed twice"),
    ("mythology of red", lambda d: d["regions"][19].update(mythology=3), r"tile R1-4: only a white tile"),
    ("a god too few", lambda d: d["gods"].pop(), r"ten printed gods.*god_of_harvest"),
    ("no regions", lambda d: d.pop("regions"), r"regions: Field required"),
]


@pytest.mark.parametrize(("change", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_files_say_what_is_wrong(change: Callable, message: str, data: dict) -> None:
    broken = copy.deepcopy(data)
    change(broken)
    with pytest.raises(ComponentError, match=message):
        check_tiles(broken, "my.json")


def test_a_file_with_too_few_tiles(tmp_path: Path, data: dict) -> None:
    path = tmp_path / "few.json"
    path.write_text(json.dumps({**data, "regions": data["regions"][:-1]}))
    with pytest.raises(ComponentError, match="36 tiles for 2 players, but a game takes exactly 37"):
        SPEC.configure({"players": 2, "tile_file": path})
    path.write_text("{")
    with pytest.raises(ComponentError, match=r"few\.json: is not JSON"):
        SPEC.configure({"players": 2, "tile_file": path})
    with pytest.raises(ComponentError, match=r"none\.json: cannot be read"):
        SPEC.configure({"players": 2, "tile_file": tmp_path / "none.json"})


def test_too_few_tiles_in_components(data: dict) -> None:
    """Component data that came another way, such as in a record, is counted as well."""
    with pytest.raises(ComponentError, match="the tile list: 36 tiles for 2 players, but a game takes exactly 37"):
        SPEC.configure({"players": 2}, {**data, "regions": data["regions"][:-1]})


def test_options() -> None:
    with pytest.raises(OptionError, match="orbis is for 2, 3 or 4 players, not 5"):
        SPEC.configure({"players": 5})
    with pytest.raises(OptionError, match="option temple_tie='highest'"):
        SPEC.configure({"temple_tie": "highest"})
    with pytest.raises(OptionError, match="no option 'rounds'"):
        SPEC.configure({"rounds": 3})


def test_actions_are_few_and_frozen() -> None:
    """The action space of version 0: its texts in order."""
    codec = SPEC.configure({"players": 2}).actions
    assert codec.size == 119
    texts = "\n".join(codec.text(k) for k in range(codec.size))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == "33d6f32ddcd94ed1"
    assert all(codec.parse(codec.text(k)) == k for k in range(codec.size))
