"""TorchRL plays whole games with legal actions only, and learns from them."""

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

from theogony.envs import load

EXAMPLE = Path(__file__).parents[2] / "examples" / "torchrl_rollout.py"
pytestmark = pytest.mark.skipif(find_spec("torchrl") is None, reason="needs the extra `examples`")


def test_whole_games_with_masks() -> None:
    module = runpy.run_path(str(EXAMPLE))
    env = module["make_env"]("push_of_faith", 0)
    policy = module["make_policy"](env, load("push_of_faith").configure({}).features)
    for game in (module["play"](env, policy) for _ in range(2)):
        players = game["players"]
        assert len(game) == 36 and game["next", "done"].flatten().tolist() == [False] * 35 + [True]
        assert (players["mask"].sum(-1) == 1).all(), "one seat decides at a time"
        legal = players["action_mask"].gather(-1, players["action"].unsqueeze(-1)).squeeze(-1)
        assert legal[players["mask"]].all()
        rewards = game["next", "players", "reward"].squeeze(-1)
        assert not rewards[:-1].any() and sorted(rewards[-1].tolist()) in ([-1, 1], [0, 0])


@pytest.mark.slow
def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--games", "300", "--learning-rate", "1e-2"]
    assert main(game).low > 0.66, "an untrained one has 0.5 to 0.6"
