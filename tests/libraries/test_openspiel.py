"""What OpenSpiel's pages do, on every game: simulations, its environment for learners, a search."""

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside import GAMES, drawn

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel_ismcts.py"
pytestmark = pytest.mark.skipif(find_spec("pyspiel") is None, reason="open_spiel is not installed")


@pytest.mark.slow
def test_it_beats_random_at_tic_tac_toe() -> None:
    result = runpy.run_path(str(EXAMPLE))["main"](["--game", "tictactoe:SPEC", "--games", "20", "--simulations", "30"])
    assert result.games == 20 and result.win_rate > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_its_own_simulation(name: str) -> None:
    import pyspiel

    from theogony.wrappers.openspiel import load

    options: dict[str, Any] = {"max_decisions": 60} if name in ("god_of_war", "innovation", "terra_mystica") else {}
    pyspiel.random_sim_test(load(name, seeds=4, **options), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_its_environment_for_learners(name: str) -> None:
    from open_spiel.python import rl_environment

    from theogony.wrappers.openspiel import load

    env, rng = rl_environment.Environment(load(name, seeds=4, max_decisions=200)), np.random.default_rng(0)
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == env.observation_spec()["info_state"][0]
        legal = np.isin(np.arange(env.game.num_distinct_actions()), step.observations["legal_actions"][player])
        step = env.step([int(drawn(legal, rng))])
    assert name == "god_of_war" or sum(step.rewards) == 0
