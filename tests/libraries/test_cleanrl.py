"""CleanRL's way: a PPO in one file, of all its parts. It runs on every game, and learns tic-tac-toe within seconds."""

import runpy
from pathlib import Path

import pytest
from outside import GAMES, tiny

EXAMPLE = Path(__file__).parents[2] / "examples" / "cleanrl_ppo.py"


@pytest.mark.slow
def test_it_learns_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = [
        "--game",
        "tictactoe:SPEC",
        "--reward",
        "outcome",
        "--shaping",
        "none",
        "--n-steps",
        "16",
        "--vf-coef",
        "0.5",
    ]
    untrained = main([*game, "--total-steps", "1", "--learning-rate", "0"])[0]
    trained = main([*game, "--total-steps", "12000"])[0]
    assert untrained.win_rate < 0.7 and trained.low > 0.7
    assert f"{trained.win_rate:.1%}" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_it_runs_on_every_game(game: str) -> None:
    tiny("cleanrl_ppo.py", game, *"--num-envs 4 --n-steps 8 --total-steps 64 --minibatches 2 --width 8".split())
