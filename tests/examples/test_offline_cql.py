"""Offline reinforcement learning from Parquet files by d3rlpy."""

import runpy
import sys
from pathlib import Path

import pytest

pytest.importorskip("d3rlpy", reason="d3rlpy is not installed: it brings the Gym of old, and is no extra")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: the extra `data` brings it")
from theogony.dataset.games import Wanted, write

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
def test_it_learns_and_plays_beside_its_controls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    write(Wanted("push_of_faith", tmp_path / "data", "greedy", "random", deals=40, chances="none"))
    main = runpy.run_path(str(EXAMPLES / "offline_cql.py"))["main"]
    found = main([str(tmp_path / "data"), "--steps", "50", "--epochs", "1", "--eval-games", "20"])
    assert list(found) == ["untrained", "CQL", "cloned"] and all(one.games == 20 for one in found["CQL"])
