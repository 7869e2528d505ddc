"""What AgileRL's page on self-play does, on every game, in the environment that `make agilerl` makes."""

import os
import subprocess
from pathlib import Path

import pytest
from outside import GAMES

ROOT, HERE = Path(__file__).parents[2], Path(__file__).parent
PYTHON = ROOT / ".venv-agilerl" / "bin" / "python"


@pytest.mark.slow
def test_its_dqn_plays_every_game_to_the_end_and_learns() -> None:
    if not PYTHON.exists():
        pytest.skip("AgileRL wants PettingZoo before 1.27: `make agilerl` makes an environment for it")
    command = [PYTHON, HERE / "run_agilerl.py", *GAMES]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert [line.split()[0] for line in done.stdout.splitlines() if line.split()[0] in GAMES] == GAMES
