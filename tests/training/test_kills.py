"""Runs that are killed at any moment and go on. `make soak` does this a hundred times."""

from pathlib import Path

import kills
import pytest


@pytest.mark.slow
def test_killed_runs_end_as_one_that_was_not(tmp_path: Path) -> None:
    counts = kills.kill_runs(3, 0, tmp_path)
    assert counts["kills"] >= 3 and counts["at a file"] >= 1


@pytest.mark.slow
def test_a_run_may_be_killed_at_its_end(tmp_path: Path) -> None:
    """While the curve and the last evaluation are written it must go on as well as from its middle."""
    whole = kills.whole_run(tmp_path / "whole")
    for back in (0, 9):
        folder = tmp_path / f"cut-{back}"
        assert kills.ended(kills.start(folder, whole.moments - back)) == -9
        assert kills.ended(kills.start(folder)) == 0
        assert kills.differs(folder, whole.folder) is None
