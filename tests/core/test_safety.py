"""The table of docs/safety.md says which files are safe from strangers: each row is tried."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import ComponentError
from theogony.envs.core.gamerecord import RecordError, read_record, write_record
from theogony.envs.core.position import Position
from theogony.envs.core.record import byte_rows, from_bytes, to_bytes

PAGE = Path(__file__).parents[2] / "docs" / "safety.md"
GAME = load("push_of_faith").configure()


def record(folder: Path) -> None:
    """Whatever a record says is checked before it is played: here components that would corrupt memory."""
    path = folder / "game.jsonl"
    write_record(Position(GAME, 1), path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    components: Any = json.loads(json.dumps(GAME.components))
    components["tiles"][0]["squares"][0][0] = -128
    path.write_text("\n".join(map(json.dumps, [lines[0] | {"components": components}, *lines[1:]])))
    with pytest.raises(RecordError, match=r"game\.jsonl: line 1: components of the record: tiles\.0"):
        read_record(path)


def component_file(folder: Path) -> None:
    path = folder / "tiles.json"
    path.write_text(json.dumps({**GAME.components, "tile_side": 10**9}))
    with pytest.raises(ComponentError, match=r"tiles\.json: tile_side: "):
        load("push_of_faith").configure({"tile_file": path})


def position_bytes(folder: Path) -> None:
    """Ranges and the invariant do not prove all: bytes that cannot come up in play are taken."""
    made = from_bytes(Position(GAME, 1).key(), GAME.state)
    made["ply"] = 7  # decisions, though nobody has moved anything
    Position(GAME, 1).load(to_bytes(made))


def saved_batch(folder: Path) -> None:
    batch = Batch(GAME, 2, 1)
    state = batch.state_dict()
    states = from_bytes(state["states"].tobytes(), GAME.state)
    states["ply"] = 7
    state["states"][:] = byte_rows(states)
    batch.load_state_dict(state)


class Harm:
    """What a pickle can do."""

    def __reduce__(self) -> Any:
        return os.getcwd, ()


def unpickled(folder: Path) -> None:
    assert pickle.loads(pickle.dumps(Harm())) == os.getcwd()


# The first words of every row, what the table says, and what shows it; others are tried by tests of training,
# of the benchmark and of language models.
ROWS: dict[str, tuple[str, Callable[[Path], None] | None]] = {
    "record of a game": ("safe", record),
    "component file": ("safe", component_file),
    "saved agent": ("safe", None),
    "dataset": ("safe", None),
    "agent that is fetched": ("safe", None),
    "results file of the benchmark": ("safe", None),
    "network": ("safe", None),
    "how far an entry can be beaten": ("safe", None),
    "results file and transcripts of a language model": ("safe", None),
    "program with": ("safe", None),
    "program that learns": ("safe", None),
    "marks of the leaderboard": ("your own", None),
    "list of entries": ("read it first", None),
    "training file": ("read it first", None),
    "recording of another program": ("your own", None),
    "position in JSON": ("your own", None),
    "bytes of a position": ("your own", position_bytes),
    "saved batch": ("your own", saved_batch),
    "pickle": ("your own", unpickled),
    "export for Stable-Baselines3": ("your own", None),
    "cache of compiled rules": ("your own", None),
    "compiled rules in a wheel": ("as far as you trust the wheel", None),
}


def test_the_table_has_these_rows() -> None:
    table = PAGE.read_text("utf-8").partition("## Files of strangers")[2].partition("\n\nWhat is wrong")[0]
    lines = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(lines) == len(ROWS)
    for (file, _, verdict, _), (begins, (expected, _)) in zip(lines, ROWS.items(), strict=True):
        assert file.removeprefix("| ").startswith(begins) and verdict == expected


@pytest.mark.parametrize("row", [row for row, (_, shows) in ROWS.items() if shows])
def test_a_row_is_true(row: str, tmp_path: Path) -> None:
    shows = ROWS[row][1]
    assert shows is not None
    shows(tmp_path)
