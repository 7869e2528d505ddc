"""Tianshou's PPO runs over our games with masks: an illegal action would raise."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("tianshou", reason="needs the extra `examples`")
EXAMPLE = Path(__file__).parents[2] / "examples" / "tianshou_ppo.py"


def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    stats = main(["--game", "tictactoe:SPEC", "--epochs", "1", "--epoch-steps", "6144"])
    assert stats.n_collected_episodes == 200
    assert stats.returns.mean() > 0.3, "two equal players have 0 on the average"
