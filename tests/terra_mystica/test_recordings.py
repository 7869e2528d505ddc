"""Recorded games of another engine: they pass, and what differs is reported."""

import gzip
import json
from pathlib import Path

import pytest

from theogony.envs.core.verify import verify
from theogony.envs.terra_mystica.game import SPEC

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "reference" / "terra_mystica"


def outcome(*paths: Path) -> tuple[tuple[int, int], str]:
    said: list[str] = []
    return verify(SPEC, paths, said.append), "\n".join(said)


@pytest.mark.parametrize("name", ["game_2016", "base5p_0"])
def test_recorded_game(name: str) -> None:
    """A random game with what was legal, and a real one with late answers: every stated fact is as recorded."""
    assert outcome(HERE / "data" / f"{name}.jsonl.gz") == ((1, 0), "")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the reference material is not beside the repository")
@pytest.mark.parametrize(("folder", "count"), [("replays", 20), ("real_games", 12)])
def test_all_reference_recordings(folder: str, count: int) -> None:
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
