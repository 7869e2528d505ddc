"""The single-file PPO learns: on tic-tac-toe within seconds."""

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "cleanrl_ppo.py"


def test_it_learns_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--reward", "outcome", "--n-steps", "16"]
    untrained = main([*game, "--total-steps", "1", "--learning-rate", "0"])  # about 0.45: drawn games are not won
    trained = main([*game, "--total-steps", "12000"])
    assert untrained < 0.6 and trained > 0.72
    assert f"won {trained:.1%} of 1000 games against random" in capsys.readouterr().out
