"""What Tianshou offers learns on our batch with masks, on tic-tac-toe: an action that is not legal would raise."""

import json
import runpy
from pathlib import Path

import pytest

pytest.importorskip("tianshou", reason="needs the extra `examples`")
pytest.importorskip("onnx", reason="onnx is not installed")
EXAMPLES = Path(__file__).parents[2] / "examples"
GAME = ["--game", "tictactoe:SPEC", "--reward", "outcome"]


@pytest.mark.slow
def test_ppo() -> None:
    result = runpy.run_path(str(EXAMPLES / "tianshou_ppo.py"))["main"]([*GAME, "--total-steps", "16128"])
    assert result.games == 1000 and result.low > 0.8, "an untrained one has 0.5 to 0.65"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dqn", "sac"])
def test_off_policy(name: str, tmp_path: Path) -> None:
    """It learns, and what it leaves for the benchmark plays as well."""
    from theogony.envs import load
    from theogony.envs.core.players import make_player
    from theogony.training.rating.evaluate import evaluate

    main = runpy.run_path(str(EXAMPLES / f"tianshou_{name}.py"))["main"]
    result = main([*GAME, "--steps", "8192", "--updates", "16", "--out", str(tmp_path / "out")])
    assert result.low > 0.75, "an untrained one has 0.5 to 0.65"
    stated = json.loads((tmp_path / "out" / "training.json").read_text())
    assert stated["decisions"] == 8192 and stated["settings"]["updates"] == 16
    game = load("tictactoe:SPEC").configure({})
    again = evaluate(make_player(str(tmp_path / "out" / "policy.onnx"), game), "random", game, 1000, seed=1)
    assert again.win_rate == result.win_rate
