"""The PPO in JAX learns: on tic-tac-toe within seconds. An action that is not legal would raise."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs the extra `jax`")
EXAMPLE = Path(__file__).parents[2] / "examples" / "jax_ppo.py"


def test_it_learns_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--reward", "outcome", "--learning-rate"]
    untrained = main([*game, "0", "--total-steps", "1"])  # about 0.5: drawn games are not won
    trained = main([*game, "3e-3", "--total-steps", "20000"])
    assert untrained < 0.62 and trained > 0.72
    assert f"won {trained:.1%} of 1000 games against random" in capsys.readouterr().out
