"""TorchRL plays whole games with legal actions only, and learns from them."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("torchrl", reason="needs the extra `examples`")
EXAMPLE = Path(__file__).parents[2] / "examples" / "torchrl_rollout.py"


def test_whole_games_with_masks() -> None:
    games = runpy.run_path(str(EXAMPLE))["main"](["--game", "push_of_faith", "--games", "2"])
    assert len(games) == 2
    for game in games:
        players = game["players"]
        assert len(game) == 36 and game["next", "done"].flatten().tolist() == [False] * 35 + [True]
        assert (players["mask"].sum(-1) == 1).all(), "one seat decides at a time"
        legal = players["action_mask"].gather(-1, players["action"].unsqueeze(-1)).squeeze(-1)
        assert legal[players["mask"]].all()
        rewards = game["next", "players", "reward"].squeeze(-1)
        assert not rewards[:-1].any() and sorted(rewards[-1].tolist()) in ([-1, 1], [0, 0])
