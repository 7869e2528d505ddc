"""A network learns from a search what wins at tic-tac-toe."""

import json
import runpy
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="onnx is not installed")
EXAMPLE = Path(__file__).parents[2] / "examples" / "clone_search.py"


def test_it_learns_tic_tac_toe(tmp_path: Path) -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    how = ["--game", "tictactoe:SPEC", "--teacher", "mcts:50", "--steps", "9999", "--most", "2000"]
    assert main([*how, "--out", str(tmp_path)]).low > 0.85, "an untrained one has 0.5 to 0.65"
    assert json.loads((tmp_path / "training.json").read_text())["decisions"] == 2000
