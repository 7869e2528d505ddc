"""Recorded games of another engine: they pass, and what differs is reported."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from own_games import game_of_double_turns, game_of_five, in_pieces, recording_of, rows_of, write_lines

from theogony.envs.core.position import Position
from theogony.envs.core.verify import verify
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.ledger.commands import LedgerError
from theogony.verification.terra_mystica import read_game

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "reference" / "terra_mystica"
NOT_HERE = "the reference material is not beside the repository"


def outcome(*paths: Path) -> tuple[tuple[int, int], str]:
    said: list[str] = []
    return verify(SPEC, paths, said.append), "\n".join(said)


@pytest.mark.slow
def test_recorded_game() -> None:
    """A random game with what was legal: every stated fact is as recorded."""
    assert outcome(HERE / "data" / "game_2016.jsonl.gz") == ((1, 0), "")


@pytest.mark.slow
@pytest.mark.parametrize("game", [game_of_five, game_of_double_turns])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_own_game_in_rows_of_any_length(game: Callable[[], Position], share: float, tmp_path: Path) -> None:
    """Rows cut between their commands: the Chaos Magicians dig, build and pass in a double turn over up to six."""
    rows = in_pieces(rows_of(game()), 5, share)
    path = write_lines(recording_of(game(), rows), tmp_path / "game.jsonl.gz")
    assert outcome(path) == ((1, 0), "")


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason=NOT_HERE)
@pytest.mark.parametrize(("folder", "count"), [("replays", 20), ("real_games", 12)])
def test_all_reference_recordings(folder: str, count: int) -> None:
    """Random games of another engine, and games of people, which are no part of this repository."""
    assert outcome(*sorted((SHARED / folder).glob("*.jsonl.gz"))) == ((count, 0), "")


DAMAGES = {
    "points": (lambda line: line["state"]["players"]["giants"].update(VP=99), "players.giants.VP: expected 99"),
    "a bowl": (lambda line: line["state"]["players"]["dwarves"].update(P2=0), "players.dwarves.P2: expected 0"),
    "a supply": (lambda line: line["state"]["supply"].update(FAV5=1), "supply.FAV5: expected 1, found 3"),
    "whose turn": (lambda line: line["state"].update(active="nobody"), "active: expected nobody"),
    "terrain": (lambda line: line["state"]["terrain"].update(A1="red"), "terrain.A1: expected red, found nothing"),
    "a command": (lambda line: line.update(commands=["jump"]), "is not a command of the ledger"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_reported(what: str, tmp_path: Path) -> None:
    content = gzip.decompress((HERE / "data" / "game_2016.jsonl.gz").read_bytes()).decode()
    lines = [json.loads(line) for line in content.splitlines()[:10]]
    change, message = DAMAGES[what]
    change(lines[9])
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    counts, said = outcome(path)
    assert counts == (0, 1) and message in said and "step 9" in said


def changed_game(tmp_path: Path, change: Callable[[list[dict[str, Any]]], None]) -> Path:
    """An own game, recorded in another way."""
    lines = copy.deepcopy(recording_of(game_of_five(), rows_of(game_of_five())))
    change(lines)
    return write_lines(lines, tmp_path / "game.jsonl")


def owe_a_cult_step(lines: list[dict[str, Any]]) -> None:
    """The last player's cult step is written in a row after the pass; the position in between has it open."""
    favors = [k for k, line in enumerate(lines) if line["commands"][0] == "action FAV6"]
    k = next(k for k in favors if lines[k]["commands"][-1].startswith("pass"))
    late = copy.deepcopy(lines[k])
    faction, step = late["faction"], lines[k]["commands"].pop(1)
    cult = step.removeprefix("+1")
    late["commands"] = [f"+{cult}"]
    before = late["state"]["players"][faction][cult] - 1
    owed = {"type": "cult", "faction": faction, "amount": 1}
    lines[k]["state"] = {"players": {faction: {cult: before}}, "pending": [owed], "active": faction}
    del lines[k + 1 :]
    lines.insert(k + 1, late)


def merge_rows(lines: list[dict[str, Any]]) -> None:
    """An answer and the faction's next turn stand in one row."""
    for k in range(len(lines) - 2, 0, -1):
        first, second = lines[k], lines[k + 1]
        if first["faction"] == second["faction"] and first["commands"][0].startswith("leech"):
            second["commands"] = first["commands"] + second["commands"]
            del lines[k]


def split_favors(lines: list[dict[str, Any]]) -> None:
    """A favor tile is taken in a row after the answers to the upgrade; positions in between are not stated."""
    tiles = [k for k, line in enumerate(lines) if line["commands"][-1].startswith("+FAV")]
    k = next(k for k in tiles if lines[k + 1]["commands"][0].startswith(("leech", "decline")))
    taken = copy.deepcopy(lines[k])
    taken["commands"] = [lines[k]["commands"].pop()]
    taken["state"] = copy.deepcopy(lines[k + 1]["state"])
    lines[k]["state"] = {}
    lines[k + 1]["state"] = {}
    lines.insert(k + 2, taken)
    del lines[k + 40 :]


@pytest.mark.slow
@pytest.mark.parametrize("change", [owe_a_cult_step, merge_rows, split_favors])
def test_rows_of_other_recordings(change: Callable[[list[dict[str, Any]]], None], tmp_path: Path) -> None:
    assert outcome(changed_game(tmp_path, change)) == ((1, 0), "")


DEEP = "[" * 100_000
SETUP = '{"kind": "setup", "step": 0, "faction": "", "commands": [], "state": {}}'
STRANGE = {
    "no line": ("", "record"),
    "binary": (b"\x00\x01\xfe\xff", "line 1: is not UTF-8 text"),
    "not an object": ("[1, 2]", "line 1"),
    "deep": (DEEP, ""),
    "deep inside": (json.dumps({"kind": "setup", "x": json.loads("[" * 50 + "]" * 50)}), "nested deeper than 8 levels"),
    "unknown kind": (SETUP.replace("setup", "dance"), "kind: Input should be"),
    "a number for a list": (SETUP.replace("[]", "5"), "commands: Input should be a valid list"),
    "a list for a state": (SETUP.replace("{}", "[]"), "state: Input should be a valid dictionary"),
    "an escape": (SETUP.replace('""', '"\\u001b[31m"'), "printed"),
    "a long text": (json.dumps({"kind": "setup", "faction": "x" * 300}), "longer than 200 characters"),
    "a huge number": ('{"kind": "setup", "step": ' + "9" * 5000 + "}", "line 1: is not JSON"),
    "too many lines": ((SETUP + "\n") * 5001, "no game"),
    "no factions": (SETUP, "step 0"),
}  # fmt: skip


@pytest.mark.parametrize("what", STRANGE)
def test_a_file_that_is_no_recording_gets_one_line(what: str, tmp_path: Path) -> None:
    content, message = STRANGE[what]
    path = tmp_path / "game.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    counts, said = outcome(path)
    assert counts == (0, 1) and message in said
    assert said.isprintable() and len(said) < 1000
    with pytest.raises(LedgerError) as error:
        read_game(path)
    assert str(error.value).isprintable() and message in str(error.value)


def test_wrong_types_in_a_position_are_named(tmp_path: Path) -> None:
    def change(lines: list[dict[str, Any]]) -> None:
        lines[3]["state"]["bridges"] = [["A1", 5, None]]

    counts, said = outcome(changed_game(tmp_path, change))
    assert counts == (0, 1) and "line 4: state.bridges.0.1: Input should be a valid string, found 5" in said


def test_a_setup_in_the_middle_of_a_game_is_refused(tmp_path: Path) -> None:
    def change(lines: list[dict[str, Any]]) -> None:
        lines[3]["kind"] = "setup"

    assert "a game begins only once" in outcome(changed_game(tmp_path, change))[1]
