"""CleanRL's way: a PPO in one file, of all its parts. It runs on every game, and learns tic-tac-toe within seconds."""

import runpy
import sys
from pathlib import Path

import numpy as np
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


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_deep_monte_carlo_runs_on_every_game(game: str) -> None:
    tiny("deep_monte_carlo.py", game, *"--num-envs 4 --n-steps 40 --total-steps 640 --width 8".split())


def test_deep_monte_carlo_learns_what_followed_in_each_game() -> None:
    """A return is what was paid from a decision to the end of its game, and no game gives anything before its end."""
    sys.path.append(str(EXAMPLE.parent))
    games = runpy.run_path(str(EXAMPLE.parent / "deep_monte_carlo.py"))["Games"](2)
    views = np.arange(2)
    for step, ended in enumerate([(False, False), (True, False), (False, True)]):
        games.add(views + 10 * step, np.array([step, step]), np.array([1.0, 0.5]), np.array(ended))
    seen, actions, returns = games.taken()
    assert seen.tolist() == [10, 0, 21, 11, 1]
    assert actions.tolist() == [1, 0, 2, 1, 0]
    assert returns.tolist() == [1.0, 2.0, 0.5, 1.0, 1.5]
    assert not games.over and [len(game) for game in games.going] == [1, 0]
