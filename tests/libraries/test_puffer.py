"""The interface of PufferLib's environments, on every game: arrays that stay in place, masks behind the codes."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from outside import GAMES

EXAMPLE = Path(__file__).parents[2] / "examples" / "puffer_env.py"


def test_results_stand_in_the_same_arrays() -> None:
    env = runpy.run_path(str(EXAMPLE))["PufferGames"]("push_of_faith", 8, opponents="greedy", options={"players": 3})
    observations, infos = env.reset(seed=1)
    assert infos == [] and observations.shape == (8, *env.single_observation_space.shape)
    games = 0
    for step in range(1, 41):
        legal = observations[:, env.length :]
        assert set(np.unique(legal)) == {0, 1} and (legal == env.batch.masks).all()
        assert (observations[:, : env.length] == env.batch.codes).all()
        found = env.step(legal.argmax(1))
        assert all(
            ours is given
            for ours, given in zip(found[:4], (observations, env.rewards, env.terminals, env.truncations), strict=True)
        )
        assert env.terminals.all() == env.terminals.any() == (step % 18 == 0) == bool(found[4])
        games += env.terminals.sum()
        if found[4]:
            assert found[4][0]["episode_length"] == 18
            assert found[4][0]["episode_return"] == np.mean(env.rewards, dtype=float)
    assert games == 16


@pytest.mark.parametrize("game", GAMES)
def test_it_runs(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE))["main"](["--game", game, "--num-envs", "4", "--steps", "200"])
    assert "decisions a second" in capsys.readouterr().out
