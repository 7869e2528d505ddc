"""skrl's PPO learns on our batch: on tic-tac-toe within seconds. An action that is not legal would raise."""

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "skrl_ppo.py"
pytestmark = pytest.mark.skipif(find_spec("skrl") is None, reason="needs the extra `examples`")


@pytest.mark.slow
def test_it_learns_tic_tac_toe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--reward", "outcome", "--total-steps"]
    untrained = main([*game, "64", "--learning-rate", "0"])
    assert untrained.win_rate < 0.7 and main([*game, "12000", "--learning-rate", "3e-3"]).low > 0.8
    assert not list(tmp_path.iterdir()), "it leaves nothing on disk"
