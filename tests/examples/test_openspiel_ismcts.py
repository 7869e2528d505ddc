"""OpenSpiel's search wins games of ours against a random player."""

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel_ismcts.py"
pytestmark = pytest.mark.skipif(find_spec("pyspiel") is None, reason="open_spiel is not installed")


@pytest.mark.slow
def test_it_beats_random_at_tic_tac_toe() -> None:
    result = runpy.run_path(str(EXAMPLE))["main"](["--game", "tictactoe:SPEC", "--games", "20", "--simulations", "30"])
    assert result.games == 20 and result.win_rate > 0.8
