"""A network is cloned from Parquet files, and plays beside its controls."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed: the extra `data` brings it")
from theogony.dataset.games import Wanted, write

EXAMPLE = Path(__file__).parents[2] / "examples" / "clone_tables.py"


@pytest.mark.slow
def test_it_plays_better_than_before_and_worse_than_its_teacher(tmp_path: Path) -> None:
    write(Wanted("push_of_faith", tmp_path / "data", "greedy", "random", deals=400, chances="none"))
    main = runpy.run_path(str(EXAMPLE))["main"]
    found = main([str(tmp_path / "data"), "--epochs", "6", "--eval-games", "400"])
    margin = {name: results[0].margin for name, results in found.items()}
    assert margin["untrained"] + 1 < margin["cloned"] < margin["greedy"]
