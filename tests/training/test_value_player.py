"""A learnt value as a player: in kernels and in search, blind to what is hidden, refused where it does not fit."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.kernels import KERNEL
from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, KernelPlay, Views, in_kernel, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.training.config.sections import ValueNetwork
from theogony.training.networks.value import ValueNet
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.players.names import load_player
from theogony.training.players.search import search
from theogony.training.players.search.tree import NODES
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader, read_header
from theogony.wrappers.single_agent import SingleAgentEnv

NETWORK = ValueNetwork(widths=[12, 8], reward="margin")


def write_run(folder: Path, game: Game, seed: int = 0) -> Path:
    """A run whose network is random but not small."""
    torch.manual_seed(seed)
    net = ValueNet(game.features.length, NETWORK)
    with torch.no_grad():
        net.linear_layers()[-1].weight *= 20
    checkpoint.save(folder, CheckpointHeader.of(game, NETWORK, 1), weights_of(net), {}, {}, {})
    return folder


@pytest.fixture
def run(tmp_path: Path, game: Game) -> Path:
    """A run of Push of Faith for two."""
    return write_run(tmp_path / "run", game)


def test_it_is_played_inside_the_kernel_of_a_batch(run: Path, game: Game) -> None:
    player = load_player(run, game)
    assert isinstance(player, GreedyPlayer) and in_kernel(player) is player
    batch = Batch(game, 12, 3, seat=0, opponents=[(1.0, "greedy"), (1.0, player), (1.0, "random")])
    assert set(np.unique(batch.rows["controller"][:, 1])) == {KERNEL - 1, KERNEL}
    assert [name for _, name in batch.opponents] == ["greedy:1", player, "random"]
    for _ in range(40):
        batch.step(batch.sample())
    other = Batch(game, 12, 9, seat=0, opponents=[(1.0, "greedy"), (1.0, player), (1.0, "random")])
    other.load_state_dict(batch.state_dict())
    for _ in range(40):
        actions = batch.sample()
        batch.step(actions)
        other.step(actions)
    assert batch.states.tobytes() == other.states.tobytes()
    with pytest.raises(ValueError, match="needs players"):
        Batch(game, 12, 9, seat=0).load_state_dict(batch.state_dict())


def test_every_opponent_goes_by_its_own_network(run: Path, game: Game, tmp_path: Path) -> None:
    """Alone or between others, an opponent plays the same."""
    second = load_player(write_run(tmp_path / "second", game, seed=1), game)
    alone = Batch(game, 6, 3, seat=0, opponents=second)
    among = Batch(game, 6, 3, seat=0, opponents=[(0.0, load_player(run, game)), (1.0, second)])
    for _ in range(30):
        actions = alone.sample()
        assert (actions == among.sample()).all()
        alone.step(actions)
        among.step(actions)
    assert alone.states.tobytes() == among.states.tobytes()


def test_it_plays_in_a_gymnasium_environment(run: Path, game: Game) -> None:
    import theogony

    env = SingleAgentEnv(theogony.make("push_of_faith"), seat=0, opponents=str(run))
    _, info = env.reset(seed=2)
    assert info["action_mask"].any()


@pytest.mark.parametrize("name", ["{}", "mcts:20@{}", "gumbel:20@{}", "gumbel:20@{}", "flat:20@{}"])
def test_what_is_hidden_does_not_change_the_choice(run: Path, game: Game, name: str) -> None:
    player = make_player(name.format(run), game)
    position, compared = Position(game, 4), 0
    while not position.over:
        chosen = set()
        for seed in range(3):
            other = position.clone()
            other.resample(position.actor, np.array([seed], np.uint64))
            chosen.add(int(player.act(Views.at(other), np.random.default_rng(5))[0]))
        assert len(chosen) == 1
        position.play(chosen.pop())
        compared += 1
    assert compared > 20


def test_the_choice_is_the_best_by_the_network(run: Path, game: Game) -> None:
    player = load_player(run, game)
    assert isinstance(player, GreedyPlayer)
    position, play = Position(game, 4), KernelPlay(game)
    different = 0
    while not position.over:
        own, learnt = (
            play.choose(position, 1.0, np.array([7], np.uint64), net) for net in (player.net[:0], player.net)
        )
        different += own != learnt
        position.play(learnt)
    assert different > 3


def test_more_iterations_than_memory_holds_take_no_more_memory(game: Game) -> None:
    assert len(make_player("mcts:999999999", game).search.trees[0].nodes) == NODES  # pyright: ignore


@pytest.mark.slow
def test_a_search_that_memory_could_not_hold_is_refused_in_one_line(game: Game) -> None:
    """In a process that may have a gigabyte more than it has before the search is made."""
    program = """if True:
        import resource
        from theogony.envs import load
        from theogony.envs.core.thinking.player_names import PlayerError
        from theogony.envs.core.players import make_player
        import theogony

        game = load("push_of_faith").configure({"players": 2})
        make_player("mcts:1", game)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 10**9, -1))
        try:
            make_player("mcts:999999999x60", game)
        except PlayerError as error:
            print(error)
    """
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"there is not enough memory for a search of 60 trees: .*\n", found.stdout), found


def test_a_search_of_more_memory_than_the_machine_has_is_refused(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "machine_bytes", lambda: 1e9)
    with pytest.raises(PlayerError, match=r"of 20 trees takes up to 2.2 GB, and this machine has 1.0: expected fewer"):
        make_player("mcts:10msx20", game)


def test_a_network_of_another_table_or_game_is_refused(run: Path, game: Game) -> None:
    with pytest.raises(CheckpointError, match="the agent plays push_of_faith with 2 players, not push_of_faith with 3"):
        make_player(str(run), load("push_of_faith").configure({"players": 3}))
    with pytest.raises(CheckpointError, match="not orbis with 2"):
        make_player(f"gumbel:20@{run}", load("orbis").configure({"players": 2}))
    net = in_kernel(load_player(run, game)).net  # pyright: ignore
    with pytest.raises(PlayerError, match=r"a value network of 10.. inputs cannot play <Tic-tac-toe>"):
        GreedyPlayer(load("tictactoe:SPEC").configure(), net=net)


@pytest.mark.parametrize("name", ["{}", "mcts:20@{}", "gumbel:5msx2@{}"])
@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("version", 99, "version is 99, but this game has"), ("features", "0" * 16, "has changed since: train the agent")],
)
def test_a_network_of_another_version_or_layout_is_refused(
    run: Path, game: Game, name: str, field: str, value: object, message: str
) -> None:
    path = checkpoint.latest(run)
    header = read_header(path).model_copy(update={field: value})
    content = {name: (path / name).read_bytes() for name in checkpoint.FILES}
    (path / "header.json").write_bytes(header.sealed(content).as_bytes())
    with pytest.raises(CheckpointError, match=message):
        make_player(name.format(run), game)


def test_weights_that_are_not_finite_are_refused(run: Path, game: Game) -> None:
    from safetensors.torch import save

    path = checkpoint.latest(run)
    header = read_header(path)
    weights = checkpoint.read_weights(path)
    weights["first"][3, 3] = float("nan")
    content = {name: (path / name).read_bytes() for name in checkpoint.FILES} | {checkpoint.POLICY: save(weights)}
    (path / checkpoint.POLICY).write_bytes(content[checkpoint.POLICY])
    (path / "header.json").write_bytes(header.sealed(content).as_bytes())
    with pytest.raises(CheckpointError, match="weight first holds numbers that are not finite"):
        load_player(run, game)


def test_a_policy_is_expected_where_there_is_none(run: Path, game: Game) -> None:
    with pytest.raises(CheckpointError, match="holds a learnt value and no policy"):
        checkpoint.read_policy(checkpoint.latest(run), game)
