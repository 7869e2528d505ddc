"""Recorded games of another implementation: same legal actions and positions; damaged recordings are reported."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from god_of_war.condense import digest, step_digest

from theogony.envs.core.verify import verify
from theogony.envs.god_of_war.game import SPEC

SHARED = Path(__file__).parents[3] / "shared" / "reference" / "god_of_war" / "replays"
shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the reference material is not beside the repository")


def test_recorded_games(recorded: dict[str, Any], new_table: Any) -> None:
    table = new_table(recorded["header"])
    assert digest(table.state) == recorded["start"]
    for number, step in enumerate(recorded["steps"], 1):
        legal = table.legal()
        table.do(chance=step["chance"], **step["action"])
        assert step_digest(legal, table.state) == step["digest"], f"step {number}"


@pytest.mark.slow
@shared
def test_all_reference_recordings() -> None:
    said: list[str] = []
    files = sorted(SHARED.glob("*.jsonl.gz"))
    assert verify(SPEC, files, said.append) == (len(files), 0), said


def _damaged(path: Path, change: Any) -> tuple[tuple[int, int], list[str]]:
    with gzip.open(SHARED / "corner_quest_failed.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file]
    change(lines)
    path.write_text("\n".join(json.dumps(line) for line in lines))
    said: list[str] = []
    return verify(SPEC, [path], said.append), said


@shared
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda lines: lines[2]["state"]["players"][0]["figures"][0].update(damage=3), "figures.0.damage"),
        (lambda lines: lines[2]["state"]["scene"][8].update(tokens=2), "scene.8.tokens"),
        (lambda lines: lines[1]["legal"].pop(), "legal"),
        (lambda lines: lines[1].update(seat=1), "seat"),
        (lambda lines: lines[1]["action"].update(column=9), "action"),
        (lambda lines: lines[-1].update(reason="round limit"), "reason"),
        (lambda lines: lines[-2]["chance"].append({"die": 2}), "chance"),
        (lambda lines: lines[0]["start"]["decks"][0].append("excalibur"), "excalibur"),
        (lambda lines: lines[0].update(game="chess"), "game"),
        (lambda lines: lines[1].update(step=7), "step"),
    ],
)
def test_damaged_recordings_are_reported(tmp_path: Path, change: Any, expected: str) -> None:
    counts, said = _damaged(tmp_path / "game.jsonl", change)
    assert counts == (0, 1)
    assert any(expected in line for line in said), said
