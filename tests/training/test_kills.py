"""Runs that are killed at any moment and go on. `make soak` does this a hundred times."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "soak" / "kills.py"


@pytest.fixture(scope="module")
def kills() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kills", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kills"] = module  # for its dataclass
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_killed_runs_end_as_one_that_was_not(kills: ModuleType, tmp_path: Path) -> None:
    counts = kills.kill_runs(4, 0, tmp_path)
    assert counts["kills"] >= 4 and counts["at a file"] >= 1


@pytest.mark.slow
def test_the_last_evaluation_may_be_killed(kills: ModuleType, tmp_path: Path) -> None:
    """What the end of a run writes: the run must go on from there too, not only from its middle."""
    whole = kills.whole_run(tmp_path / "whole")
    for back in (0, 5, 13):
        folder = tmp_path / f"cut-{back}"
        process = kills.start(folder, kills.arguments_for(folder), whole.moments - back)
        assert process.wait(300) == -9
        assert kills.start(folder, kills.arguments_for(folder)).wait(300) == 0
        assert kills.differs(folder, whole.folder) is None
