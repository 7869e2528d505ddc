"""MaskablePPO learns on `make_vec`: on tic-tac-toe within seconds."""

import runpy
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "sb3_ppo.py"


def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--reward", "outcome", "--learning-rate", "3e-3"]
    assert main([*game, "--total-steps", "12000"]).low > 0.75, "an untrained one has 0.5 to 0.65"
