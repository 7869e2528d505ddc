"""Tianshou's PPO runs over our games with masks: an illegal action would raise."""

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "tianshou_ppo.py"
pytestmark = pytest.mark.skipif(find_spec("tianshou") is None, reason="needs the extra `examples`")


@pytest.mark.slow
def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    result = main(["--game", "tictactoe:SPEC", "--epochs", "1", "--epoch-steps", "6144"])
    assert result.games == 1000 and result.low > 0.7, "an untrained one has 0.5 to 0.65"
