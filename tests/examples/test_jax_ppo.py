"""The PPO in JAX learns: on tic-tac-toe within seconds. An action that is not legal would raise."""

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "jax_ppo.py"
pytestmark = pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `jax`")


@pytest.mark.slow
def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--reward", "outcome", "--total-steps"]
    untrained = main([*game, "1", "--learning-rate", "0"])
    assert untrained.win_rate < 0.7 and main([*game, "15000"]).low > 0.8
