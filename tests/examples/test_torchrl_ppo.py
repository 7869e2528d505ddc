"""TorchRL's PPO learns on our batch: an action that is not legal would raise."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("torchrl", reason="needs the extra `examples`")
EXAMPLE = Path(__file__).parents[2] / "examples" / "torchrl_ppo.py"


@pytest.mark.slow
def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    how = ["--total-steps", "16128", "--learning-rate", "3e-3"]
    result = main(["--game", "tictactoe:SPEC", "--reward", "outcome", *how])
    assert result.games == 1000 and result.low > 0.75, "an untrained one has 0.5 to 0.65"
