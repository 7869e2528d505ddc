"""Checkpoints: whole or not at all, plain data only, and clear errors for what is foreign or damaged."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from theogony.envs.core.game import Game
from theogony.envs.push_of_faith.game import SPEC
from theogony.training import checkpoint
from theogony.training.checkpoint import CheckpointError, Header
from theogony.training.config import Network
from theogony.training.players import load_player
from theogony.training.policy import act, make_policy

NETWORK = Network(shared=[8], policy=[8], value=[8])


@pytest.fixture
def saved(tmp_path: Path, game: Game) -> Path:
    """A run with one checkpoint, at 640 steps."""
    return save(tmp_path, game, 640)


def save(run: Path, game: Game, steps: int) -> Path:
    policy = make_policy(game, NETWORK)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    loss = torch.stack([parameter.sum() for parameter in policy.parameters()]).sum()
    loss.backward()
    optimizer.step()
    weights, moments = checkpoint.weights_of(policy), checkpoint.optimizer_tensors(optimizer)
    return checkpoint.save(run, Header.of(game, NETWORK, steps), weights, moments, {"a": np.arange(3)}, {"b": 1})


def test_round_trip(saved: Path, tmp_path: Path, game: Game) -> None:
    assert checkpoint.latest(tmp_path) == saved
    found = checkpoint.read(saved)
    assert found.header.steps == 640 and found.numbers == {"b": 1}
    assert found.arrays["a"].tolist() == [0, 1, 2]
    policy = make_policy(game, NETWORK)
    checkpoint.load_weights(policy, found.policy, saved)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    checkpoint.load_optimizer(optimizer, found.optimizer)
    again = checkpoint.optimizer_tensors(optimizer)
    assert again.keys() == found.optimizer.keys() and len(again) == 3 * len(list(policy.parameters()))
    assert all(torch.equal(again[name], found.optimizer[name]) for name in again)
    observations = np.ones((4, game.features.length), np.float32)
    masks = np.ones((4, game.actions.size), np.int8)
    loaded = checkpoint.read_policy(saved, game)
    assert np.array_equal(act(policy, observations, masks), act(loaded, observations, masks))


def test_loading_leaves_the_generator_alone(saved: Path, game: Game) -> None:
    before = torch.get_rng_state()
    checkpoint.read_policy(saved, game)
    assert torch.equal(before, torch.get_rng_state())


def test_old_checkpoints_and_half_written_ones_are_removed(tmp_path: Path, game: Game) -> None:
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / ".000000000001.99.tmp").mkdir()
    for steps in (10, 20, 30, 40, 50):
        save(tmp_path, game, steps)
    names = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert names == ["000000000030", "000000000040", "000000000050", "LATEST"]


def test_killed_while_writing(saved: Path, tmp_path: Path) -> None:
    """A half-written checkpoint lies under a name that nobody reads."""
    half = tmp_path / "checkpoints" / ".000000001280.7.tmp"
    half.mkdir()
    (half / "policy.safetensors").write_bytes(b"half")
    assert checkpoint.latest(tmp_path) == saved


def expect(pattern: str, path: Path, game: Game | None = None) -> None:
    with pytest.raises(CheckpointError, match=pattern) as caught:
        if game is None:
            checkpoint.read(path)
        else:
            load_player(path, game)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "name", ["policy.safetensors", "optimizer.safetensors", "state.npz", "state.json", "header.json"]
)
def test_missing_and_cut_off_files_are_named(saved: Path, name: str) -> None:
    content = (saved / name).read_bytes()
    (saved / name).write_bytes(content[: len(content) // 2])
    expect(rf"{re.escape(name)}: is (no whole|not JSON)", saved)
    (saved / name).unlink()
    expect(rf"{re.escape(name)}: cannot be read", saved)


def test_other_players_are_another_shape(saved: Path) -> None:
    expect(r"observation_length is \d+, but this game has \d+", saved, SPEC.configure({"players": 3}))


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("game", "orbis", r"game is 'orbis', but this game has 'push_of_faith'"),
        ("version", 99, r"version is 99, but this game has \d+"),
        ("features", "0" * 16, r"features is '0+', but this game has"),
        ("format", "zip", r"is no header of a checkpoint: expected format 'theogony-checkpoint-1'"),
        ("steps", "many", r"steps: Input should be a valid integer"),
        ("network", {"shared": [9], "policy": [8], "value": [8]}, r"weight \S+ is \(8,.* the network has it \(9"),
    ],
)  # fmt: skip
def test_foreign_checkpoints(saved: Path, game: Game, field: str, value: object, expected: str) -> None:
    header = json.loads((saved / "header.json").read_text())
    (saved / "header.json").write_text(json.dumps({**header, field: value}))
    expect(expected, saved, game)


def test_weights_of_a_wrong_shape_change_nothing(saved: Path, game: Game) -> None:
    policy = make_policy(game, NETWORK)
    before = checkpoint.weights_of(policy)
    weights = {**before, "value_net.bias": torch.zeros(2)}
    with pytest.raises(CheckpointError, match=r"weight value_net\.bias is \(2,\), the network has it \(1,\)"):
        checkpoint.load_weights(policy, weights, saved)
    after = checkpoint.weights_of(policy)
    assert all(torch.equal(before[name], after[name]) for name in before)
    save_file({"other": torch.zeros(1)}, saved / "policy.safetensors")
    expect(r"weight \S+ is missing, the network has it \(\d+", saved, game)


class Trap:
    """Pickled, this creates a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return Path.touch, (self.path,)


def test_nothing_in_a_checkpoint_is_executed(saved: Path, tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"
    pickle.loads(pickle.dumps(Trap(sprung)))
    assert sprung.exists(), "the trap works"
    sprung.unlink()
    np.savez(saved / "state.npz", a=np.array([Trap(sprung)], dtype=object))
    expect(r"state\.npz: is no whole npz file of plain arrays", saved)
    np.savez(saved / "state.npz", a=np.arange(3))
    (saved / "policy.safetensors").write_bytes(pickle.dumps(Trap(sprung)))
    expect(r"policy\.safetensors: is no whole safetensors file", saved)
    assert not sprung.exists()


def test_runs_without_a_checkpoint(tmp_path: Path, game: Game) -> None:
    with pytest.raises(CheckpointError, match="there is no such run"):
        checkpoint.latest(tmp_path / "none")
    with pytest.raises(CheckpointError, match="has no checkpoint yet"):
        checkpoint.latest(tmp_path)
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "LATEST").write_text("../../elsewhere")
    with pytest.raises(CheckpointError, match=r"names '\.\./\.\./elsewhere', which is no checkpoint of this run"):
        checkpoint.latest(tmp_path)
    with pytest.raises(CheckpointError, match=r"there is no player 'grredy'; expected \"random\", \"greedy\""):
        load_player("grredy", game)
