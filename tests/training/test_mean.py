"""`theogony average`: one agent whose weights are the mean of those of several."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from theogony.benchmark.agents import FORMER
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.training.learning.reproduce import write_mean
from theogony.training.networks.weights import CheckpointError
from theogony.training.players.reference import AGENTS
from theogony.training.rating.evaluate import evaluate
from theogony.training.storage import checkpoint

POLICY, VALUE, POINTS = AGENTS / "push_of_faith/2p-policy", AGENTS / "push_of_faith/2p", AGENTS / "terra_mystica/4p"
BEFORE = [*FORMER.glob("terra_mystica-4p-*")]


def test_weights_are_the_mean_and_one_that_is_named_twice_counts_twice(tmp_path: Path) -> None:
    first, second = (write_mean([POLICY] * 2, tmp_path / name) for name in ("first", "second"))
    moved = {name: tensor + 0.3 for name, tensor in checkpoint.read_weights(second).items()}
    header = checkpoint.read_header(second)
    run = tmp_path / "run"
    checkpoint.save(run, header, moved, {}, {}, {})
    mean = checkpoint.read_weights(write_mean([first, first, run], tmp_path / "mean"))
    for name, tensor in checkpoint.read_weights(POLICY).items():
        assert torch.allclose(mean[name], tensor + 0.1, atol=1e-5), name


def test_the_mean_of_an_agent_with_itself_plays_as_it_does(tmp_path: Path) -> None:
    game = load("push_of_faith").configure({"players": 2})
    mean = write_mean([VALUE, VALUE], tmp_path / "mean")
    players = (make_player(name, game) for name in (str(mean), str(VALUE)))
    alone, again = (evaluate(player, "greedy", game, games=20) for player in players)
    assert alone.win_rate == again.win_rate and alone.seats == again.seats


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ([POLICY], "1 agent to average; expected 2 or more"),
        ([POLICY, Path("nowhere")], "nowhere: there is no such run"),
        ([POLICY, VALUE], "2p-policy: holds a policy; a learnt value was expected"),
        ([VALUE, AGENTS / "orbis/2p"], "push_of_faith/2p: game is 'push_of_faith', but this game has 'orbis'"),
        ([POINTS, *BEFORE], "terra_mystica/4p: learnt the reward points, the last agent margin; expected the same"),
        ([AGENTS / "push_of_faith/3p", VALUE], "agent plays push_of_faith with 3 players, not push_of_faith with 2"),
    ],
)
def test_agents_that_have_no_mean(tmp_path: Path, agents: list[Path], said: str) -> None:
    with pytest.raises(CheckpointError, match=said):
        write_mean(agents, tmp_path / "mean")
    assert not (tmp_path / "mean").exists()


def test_a_folder_that_is_there_is_kept(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="is there already; expected a new folder"):
        write_mean([POLICY, POLICY], tmp_path)
