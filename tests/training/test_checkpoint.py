"""Checkpoints: whole or not at all, plain data only, and clear errors for what is foreign or damaged."""

import json
import pickle
import re
import resource
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.push_of_faith.game import SPEC
from theogony.training.config.sections import Network
from theogony.training.networks.policy import act, make_policy
from theogony.training.networks.weights import (
    CheckpointError,
    load_optimizer,
    load_weights,
    optimizer_tensors,
    weights_of,
)
from theogony.training.players.names import load_player
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader

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
    weights, moments = weights_of(policy), optimizer_tensors(optimizer)
    return checkpoint.save(
        run, CheckpointHeader.of(game, NETWORK, steps), weights, moments, {"a": np.arange(3)}, {"b": 1}
    )


def test_round_trip(saved: Path, tmp_path: Path, game: Game) -> None:
    assert checkpoint.latest(tmp_path) == saved
    found = checkpoint.read(saved)
    assert found.header.steps == 640 and found.numbers == {"b": 1}
    assert found.arrays["a"].tolist() == [0, 1, 2]
    policy = make_policy(game, NETWORK)
    load_weights(policy, found.policy, saved)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    load_optimizer(optimizer, found.optimizer, saved)
    again = optimizer_tensors(optimizer)
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
    expect(rf"{re.escape(name)}: is (damaged|not JSON)", saved)
    (saved / name).unlink()
    expect(rf"{re.escape(name)}: cannot be read", saved)


def test_other_players_are_another_shape(saved: Path) -> None:
    expect(r"observation_length is \d+, but this game has \d+", saved, SPEC.configure({"players": 3}))


def reseal(saved: Path, precision: Literal["float32", "float16"] = "float32", **changes: Any) -> None:
    """Make a header anew that fits the files as they are now, as one who does it on purpose would."""
    header = CheckpointHeader(**{**json.loads((saved / "header.json").read_text()), **changes})
    files = {name: (saved / name).read_bytes() for name in checkpoint.FILES}
    (saved / "header.json").write_bytes(header.sealed(files, precision).as_bytes())


@pytest.mark.parametrize("name", [*checkpoint.FILES, "header.json"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_flipped_bit_is_noticed(saved: Path, name: str, share: float) -> None:
    content = bytearray((saved / name).read_bytes())
    content[int(share * len(content))] ^= 1
    (saved / name).write_bytes(content)
    expect(re.escape(name), saved)
    with pytest.raises(CheckpointError, match="there is no whole checkpoint before it"):
        checkpoint.latest(saved.parents[1])


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("game", "orbis", r"game is 'orbis', but this game has 'push_of_faith'; the agent plays orbis"),
        ("version", 99, r"version is 99, but this game has \d+; .* train the agent anew"),
        ("features", "0" * 16, r"features is '0+', but this game has .* has changed since: train the agent anew"),
        ("network", {"shared": [9], "policy": [8], "value": [8]}, r"weight \S+ is \(8,.* the network has it \(9"),
        ("network", {"shared": [60_000] * 60}, r"weight \S+ is .* the network has it \(124, 256\)"),
        ("precision", "float16", r"weight \S+ is of torch.float32; expected torch.float16"),
    ],
)  # fmt: skip
def test_foreign_checkpoints(saved: Path, game: Game, field: str, value: Any, expected: str) -> None:
    if field == "precision":
        reseal(saved, "float16")
    else:
        reseal(saved, **{field: value})
    expect(expected, saved, game)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("format", "theogony-checkpoint-1", r"format is 'theogony-checkpoint-1', expected .* train the agent anew"),
        ("steps", "many", r"steps: Input should be a valid integer"),
        ("steps", 10**13, r"steps: Input should be less than"),
        ("steps", 641, r"header.json: is damaged"),
        ("network", {"shared": [10**9]}, r"network.shared.0: Input should be less than"),
    ],
)  # fmt: skip
def test_damaged_headers(saved: Path, game: Game, field: str, value: object, expected: str) -> None:
    header = json.loads((saved / "header.json").read_text())
    (saved / "header.json").write_text(json.dumps({**header, field: value}))
    expect(expected, saved, game)
    (saved / "header.json").write_text("[" * 100_000 + "]" * 100_000)
    expect("is nested more than", saved, game)


def test_a_header_names_no_file(saved: Path, game: Game) -> None:
    """Also not the file that components once came from: they are in the header themselves."""
    reseal(saved, options={"players": 2, "tile_file": "/etc/passwd"})
    with pytest.raises(CheckpointError, match="option 'tile_file' names a file"):
        checkpoint.read_header(saved).make_game(saved)
    reseal(saved, options={"players": 2, "max_decisions": 2**40})
    with pytest.raises(CheckpointError):
        checkpoint.read_header(saved).make_game(saved)


def test_weights_of_a_wrong_shape_change_nothing(saved: Path, game: Game) -> None:
    policy = make_policy(game, NETWORK)
    before = weights_of(policy)
    for wrong, message in (
        ({"value_net.bias": torch.zeros(2)}, r"weight value_net\.bias is \(2,\), the network has it \(1,\)"),
        ({"value_net.bias": torch.zeros(1).double()}, r"weight value_net\.bias is of torch\.float64; expected"),
        ({"value_net.bias": torch.full((1,), torch.nan)}, r"weight value_net\.bias holds numbers that are not finite"),
        ({"more": torch.zeros(1)}, r"weight more is \(1,\), the network has it not known"),
    ):
        with pytest.raises(CheckpointError, match=message):
            load_weights(policy, {**before, **wrong}, saved)
    after = weights_of(policy)
    assert all(torch.equal(before[name], after[name]) for name in before)
    save_file({"other": torch.zeros(1)}, saved / "policy.safetensors")
    reseal(saved)
    expect(r"weight \S+ is missing, the network has it \(\d+", saved, game)


def test_moments_must_be_those_of_the_network(saved: Path, game: Game) -> None:
    found = checkpoint.read(saved).optimizer
    optimizer = torch.optim.Adam(make_policy(game, NETWORK).parameters(), lr=1e-3)
    for wrong, message in (
        ({}, r"moment 0\.exp_avg is missing"),
        ({**found, "0.exp_avg": torch.zeros(1)}, r"moment 0\.exp_avg is \(1,\), the network has it \(8, \d+\)"),
        ({**found, "0.step": torch.zeros((), dtype=torch.int64)}, r"moment 0\.step is of torch\.int64"),
        ({**found, "99.step": torch.zeros(())}, r"moment 99\.step is \(\), the network has it not known"),
    ):
        with pytest.raises(CheckpointError, match=message):
            load_optimizer(optimizer, wrong, saved)
    assert not optimizer.state_dict()["state"]
    with pytest.raises(CheckpointError, match="not known"):
        load_optimizer(optimizer, found, saved, begun=False)


def test_weights_that_are_not_finite_are_not_saved(tmp_path: Path, game: Game) -> None:
    before = save(tmp_path, game, 10)
    header = CheckpointHeader.of(game, NETWORK, 20)
    with pytest.raises(CheckpointError, match="not finite any more: training diverged"):
        checkpoint.save(tmp_path, header, {"a": torch.tensor([1.0, torch.inf])}, {}, {}, {})
    assert checkpoint.latest(tmp_path) == before


def test_a_save_touches_no_checkpoint_that_is_there(saved: Path, tmp_path: Path, game: Game) -> None:
    content = {path.name: path.read_bytes() for path in saved.iterdir()}
    with pytest.raises(CheckpointError, match="there is a checkpoint of as many steps"):
        save(tmp_path, game, 640)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == content


def test_the_newest_whole_checkpoint_is_taken(tmp_path: Path, game: Game) -> None:
    first, second, third = (save(tmp_path, game, steps) for steps in (10, 20, 30))
    (third / "state.npz").unlink()
    (second / "state.json").write_bytes(b"{}")
    (tmp_path / "checkpoints" / "LATEST").write_text("../../elsewhere")
    with pytest.warns(UserWarning) as said:
        assert checkpoint.latest(tmp_path) == first
    messages = [str(warning.message) for warning in said]
    assert "000000000030/state.npz: cannot be read" in messages[0]
    assert "000000000020/state.json: is damaged" in messages[1]
    checkpoint.put_aside_after(tmp_path, 10)
    assert checkpoint.latest(tmp_path) == first, "nothing to warn of any more"
    assert save(tmp_path, game, 20) == second, "there is room again"
    assert (tmp_path / "checkpoints" / "000000000030.aside").is_dir(), "and nothing is lost"


def test_only_folders_of_checkpoints_are_removed(tmp_path: Path, game: Game) -> None:
    root = tmp_path / "checkpoints"
    for name in ("000-best", "000000000001", "best"):
        (root / name).mkdir(parents=True)
        (root / name / "mine.txt").write_text("keep")
    for steps in (10, 20, 30, 40):
        save(tmp_path, game, steps)
    names = {path.name for path in root.iterdir()}
    kept = {f"{steps:012d}" for steps in (20, 30, 40)}
    assert names == {"000-best", "000000000001", "best", "LATEST", *kept}


def test_a_full_disk_is_named_and_leaves_what_was_there(saved: Path, tmp_path: Path, game: Game) -> None:
    """A limit on the size of files stands for the full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            save(tmp_path, game, 1280)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == str(tmp_path / "checkpoints" / "000000001280" / "policy.safetensors")
    assert checkpoint.latest(tmp_path) == saved
    assert sorted(path.name for path in saved.parent.iterdir()) == [saved.name, "LATEST"]


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
    reseal(saved)
    expect(r"state\.npz: cannot be read as a NumPy archive", saved)
    np.savez(saved / "state.npz", a=np.arange(3))
    (saved / "policy.safetensors").write_bytes(pickle.dumps(Trap(sprung)))
    reseal(saved)
    expect(r"policy\.safetensors: is no whole safetensors file", saved)
    assert not sprung.exists()


def test_runs_without_a_checkpoint(tmp_path: Path, game: Game) -> None:
    with pytest.raises(CheckpointError, match="there is no such run"):
        checkpoint.latest(tmp_path / "none")
    with pytest.raises(CheckpointError, match="has no checkpoint yet"):
        checkpoint.latest(tmp_path)
    with pytest.raises(PlayerError, match=r"there is no player 'grredy'; expected .*\"greedy\""):
        load_player("grredy", game)
