"""Recordings of another implementation: all that is stated is compared."""

import copy
import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.verify import verify
from theogony.envs.orbis.components import DEFAULT_TILES, load_tiles
from theogony.envs.orbis.game import SPEC
from theogony.verification.orbis.reader import tiles_digest

DATA = Path(__file__).with_name("data")


def read(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def game() -> list[dict[str, Any]]:
    return read("game_of_two.jsonl.gz")


@pytest.fixture
def tried(tmp_path: Path) -> Callable[..., tuple[tuple[int, int], list[str]]]:
    """`tried(lines)`: what `verify` finds in a file of these lines: (passed, failed) and its sentences."""

    def run(lines: list[Any]) -> tuple[tuple[int, int], list[str]]:
        path, said = tmp_path / "recording.jsonl", []
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return verify(SPEC, [path], said.append), said

    return run


@pytest.mark.slow
@pytest.mark.parametrize(("name", "cases"), [("game_of_two", 1), ("game_of_four", 1), ("final_positions", 45)])
def test_selection(name: str, cases: int) -> None:
    said: list[str] = []
    assert verify(SPEC, [DATA / f"{name}.jsonl.gz"], said.append) == (cases, 0), said


def test_tiles_digest() -> None:
    """The digest that recordings name, by the recipe of their format."""
    assert tiles_digest(load_tiles(DEFAULT_TILES)) == read("game_of_two.jsonl.gz")[0]["tiles_digest"]


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return {"white": "red", "active": "cancelled", "up": "wilderness"}.get(value, value + "x")
    if isinstance(value, list):
        return value[:-1] if value else ["bottom left"]
    if isinstance(value, dict):
        return {"red": 99, **{k: v for k, v in value.items() if k != "red"}}
    return 1


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The path of every value inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def with_change(lines: list[dict], line: int, path: tuple) -> list[dict]:
    found = copy.copy(lines)
    found[line] = copy.deepcopy(lines[line])
    place = found[line]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = changed(place[path[-1]])
    return found


@pytest.mark.slow
def test_every_statement_of_a_turn_is_compared(game: list, tried: Callable) -> None:
    """Change any value of a turn, and another difference is found."""
    short = [game[0], copy.deepcopy(game[1])]
    del short[1]["commands"][2:]
    usual = tried(short)[1]
    skipped = {("type",), ("commands", 0), ("commands", 1)}
    paths = [path for path in places(short[1]) if path not in skipped and path[:1] + path[1:2] < ("legal_tiles", 1)]
    paths += [path for path in places(short[1]) if path[0] in ("seat", "turn", "round", "wilderness_slots")]
    assert len(paths) > 100
    assert not [path for path in paths if tried(with_change(short, 1, path))[1] == usual]


@pytest.mark.slow
def test_every_statement_of_a_scoring_is_compared(tried: Callable) -> None:
    for case in read("final_positions.jsonl.gz")[::20]:
        for path in list(places(case["expected"], ("expected",)))[::3]:
            assert tried(with_change([case], 0, path))[0] == (0, 1), path


@pytest.mark.parametrize("field", ["display", "gods", "gods_out_of_the_game", "temple_tokens"])
def test_every_statement_of_the_start_is_compared(field: str, game: list, tried: Callable) -> None:
    lines = copy.deepcopy(game[:1])
    usual = tried(lines)[1]
    lines[0]["start"][field] = changed(lines[0]["start"][field])
    assert tried(lines)[1] != usual


def test_a_start_with_other_piles(game: list, tried: Callable) -> None:
    lines = copy.deepcopy(game[:1])
    piles = lines[0]["start"]["piles"]
    piles["2"], piles["3"] = piles["3"], piles["2"]
    assert "a tile lies in the pile of another level" in tried(lines)[1][0]
    piles["2"] = piles["2"][1:]
    assert "the tiles are not those of a game of 2" in tried(lines)[1][0]


def test_rulings_of_the_header(game: list, tried: Callable) -> None:
    """A ruling that is not known is a difference, and so is another value."""
    lines = copy.deepcopy(game)
    lines[0]["options"]["realm_discard"] = "as many as you like"
    lines[0]["options"]["six_rounds"] = True
    (passed, failed), said = tried(lines)
    assert (passed, failed) == (0, 1) and "options.realm_discard" in said[0] and "options.six_rounds" in said[1]


def test_other_tiles_make_a_recording_void(game: list, tried: Callable) -> None:
    lines = copy.deepcopy(game)
    lines[0]["tiles_digest"] = "0" * 64
    assert "made with other tiles" in tried(lines)[1][0]


def command(lines: list[dict], starts: str) -> dict[str, Any]:
    return next(c for line in lines[1:-1] for c in line["commands"] if c["command"].startswith(starts))


@pytest.mark.parametrize(
    ("starts", "instead", "says"),
    [
        ("take tile", "take tile W3-1 from 0", "does not lie on 0"),
        ("generate", "generate red on 0 1 2", "our rules put them on"),
        ("collect", "collect 9 red", "but it is"),
        ("exchange", "exchange 3 red for 1 white", "not legal"),
        ("pay 1", "pay 9 red", "due"),
        ("place on", "place on W1-1 W1-2", "no slot"),
        ("village discard", "village discard 1 red", "more is due"),
        ("volcano cancel", "volcano destroy 1 red from 8", "not legal"),
        ("refill", "refill 0 with W3-1", "our pile brings"),
        ("end turn", "dance", "is no command"),
    ],
)
def test_commands_that_break_the_rules(starts: str, instead: str, says: str, game: list, tried: Callable) -> None:
    lines = copy.deepcopy(game)
    command(lines, starts)["command"] = instead
    (passed, failed), said = tried(lines)
    assert (passed, failed) == (0, 1) and any(says in line for line in said)


def test_games_that_are_not_whole(game: list, tried: Callable) -> None:
    assert "the scoring of the finished game" in tried(game[:2])[1][-1]
    assert tried([*game[:3], game[-1]])[0] == (0, 1)
    assert tried(game[1:3])[0] == (0, 1) and tried([3])[0] == (0, 1) and tried([])[0] == (0, 1)
    assert tried([*game[:2], *game[:2]])[0] == (0, 2)


def test_a_pyramid_that_breaks_the_rules_is_refused(tried: Callable) -> None:
    case = read("final_positions.jsonl.gz")[0]
    case["seats"][1]["rows"][1][2] |= {"tile": "W2-1", "status": None}
    assert "W2-1 may not lie in c2" in tried([case])[1][0]
    del case["seats"][0]["rows"][3][1]
    assert "the rows are not 5, 4, 3 and 2 tiles" in tried([case])[1][0]
