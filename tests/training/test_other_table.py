"""`td.other_table` and `distil.other_table`: a run begins with what was learnt at a table of another size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save as save_tensors

from tests.training.ahead import Write, writer
from tests.training.loaded import loaded
from theogony.envs.core.game import Game
from theogony.envs.core.registry import load as load_game
from theogony.training.config import ConfigError
from theogony.training.config.engines import TdConfig
from theogony.training.config.sections import Network
from theogony.training.learning.ahead import weights_of_another_table
from theogony.training.learning.td import TdTraining
from theogony.training.learning.train import run
from theogony.training.networks.policy import make_policy
from theogony.training.networks.weight_transfer import moved, moved_policy, places
from theogony.training.networks.weights import CheckpointError, load_weights, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.header import HEADER, CheckpointHeader

FILE: dict[str, Any] = {
    "game": "push_of_faith",
    "reward": "rank",
    "environment": {"num_envs": 16, "threads": 1},
    "evaluation": {"every": 10**6, "games": 8, "against": ["random"], "final_games": 10},
}
TD = {"engine": "td", "td": {"widths": [8]}, "algorithm": {"total_steps": 100, "batch_size": 64}}
ARCH = {"shared": [8], "policy": [], "value": []}
DISTIL = {
    "engine": "distil",
    "distil": {"teacher": "greedy"},
    "algorithm": {"total_steps": 100, "batch_size": 64, "net_arch": ARCH},
}
FOR_TWO, FOR_THREE = (load_game("push_of_faith").configure({"players": players}) for players in (2, 3))


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    return writer(tmp_path, monkeypatch, FILE)


def at_table(write: Write, name: str, players: int, engine: dict[str, Any], other_table: bool = False, **more: Any):
    kind = str(engine["engine"])
    changed = {**engine, kind: {**engine[kind], "other_table": other_table}}
    return write(name, options={"players": players}, **changed, **more)


# ---------------------------------------------------------------------------------------------------- inputs


def test_rows_are_moved_by_the_names_of_features() -> None:
    rows = np.arange(1, FOR_TWO.features.length + 1, dtype=np.float32)
    there = over(rows, FOR_TWO, FOR_THREE)
    before, now = (views_of(game, array) for game, array in ((FOR_TWO, rows), (FOR_THREE, there)))
    assert np.array_equal(now["points"], [*before["points"], 0])
    assert np.array_equal(now["largest"][:2], before["largest"]) and not now["largest"][2].any()
    assert np.array_equal(now["other_worlds"][0], before["other_worlds"][0]) and not now["other_worlds"][1].any()
    assert np.array_equal(now["my_world"], before["my_world"])
    assert np.array_equal(over(there, FOR_THREE, FOR_TWO), rows)


def over(rows: np.ndarray, before: Game, now: Game) -> np.ndarray:
    """These numbers, one for each entry, as they are moved from one table to another."""
    return moved(torch.from_numpy(rows)[:, None], places(before.features, now.features))[:, 0].numpy()


def views_of(game: Game, row: np.ndarray) -> dict[str, np.ndarray]:
    """The entries of one row by the names of features."""
    ends = np.cumsum([feature.length for feature in game.features.features])
    parts = np.split(row, ends[:-1])
    return {f.name: part.reshape(f.shape) for f, part in zip(game.features.features, parts, strict=True)}


@pytest.mark.parametrize(
    ("name", "arch"),
    [
        ("orbis", {"shared": [16], "policy": [8], "value": [8]}),
        ("orbis", {"shared": [], "policy": [8], "value": []}),
        ("orbis", {"shared": [16], "policy": [], "value": [8], "rows": [8, 8]}),
        ("push_of_faith", {"shared": [16], "policy": [8], "value": [8], "rows": [8]}),
    ],
)
def test_a_moved_policy_says_the_same_of_what_both_tables_have(name: str, arch: dict[str, Any]) -> None:
    two, three = (load_game(name).configure({"players": players}) for players in (2, 3))
    network = Network.model_validate(arch)
    before, now = (make_policy(game, network, ortho_init=True) for game in (two, three))
    load_weights(now, moved_policy(weights_of(before), network, two, three), Path("moved"))
    there = places(two.features, three.features)
    rng = np.random.default_rng(0)
    at_three = rng.integers(0, 3, (5, three.features.length), np.uint8)
    at_two = np.zeros((5, two.features.length), np.uint8)
    at_two[:, there[there >= 0]] = at_three[:, there >= 0]
    for game, codes in ((two, at_two), (three, at_three)):
        if "turns" in game.features.slices():
            codes[:, game.features.slices()["turns"]] = 0  # a share of all turns, which are more at a larger table
    with torch.no_grad():
        known, found = (net.judge(torch.from_numpy(codes)) for net, codes in ((before, at_two), (now, at_three)))
    for one, other in zip(known, found, strict=True):
        torch.testing.assert_close(one, other)


# ---------------------------------------------------------------------------------------------------- runs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "first"), [(TD, "first"), (DISTIL, "features_extractor.layers.0.weight")], ids=["td", "distil"]
)
def test_a_run_begins_from_the_network_of_another_table(
    write: Write, tmp_path: Path, engine: dict[str, Any], first: str
) -> None:
    run(at_table(write, "two", 2, engine), [], None)
    begun = str(tmp_path / "two")
    with pytest.raises(CheckpointError, match="the agent plays push_of_faith with 2 players, not push_of_faith with 3"):
        run(at_table(write, "refused", 3, engine, start_from=begun), [], None)
    run(at_table(write, "three", 3, engine, other_table=True, start_from=begun), [], None)
    two = checkpoint.read_weights(checkpoint.latest(tmp_path / "two"))
    three = checkpoint.read_weights(tmp_path / "three" / "checkpoints" / f"{0:012d}")
    rows = (lambda weight: weight) if engine is TD else (lambda weight: weight.T)
    assert torch.equal(rows(three[first]), moved(rows(two[first]), places(FOR_TWO.features, FOR_THREE.features)))
    assert all(torch.equal(three[name], two[name]) for name in two if name != first)


@pytest.mark.parametrize("engine", [TD, DISTIL], ids=["td", "distil"])
def test_another_table_needs_something_to_start_from(write: Write, engine: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"{engine['engine']}.other_table: says where start_from may come from"):
        run(at_table(write, "none", 3, engine, other_table=True), [], None)


def test_agents_of_another_kind_game_or_network_are_refused(tmp_path: Path) -> None:
    network = Network.model_validate(ARCH)
    for name, of, message in (
        ("orbis", "reference-policy", "its network has shared"),
        ("orbis", "reference", "holds a learnt value; a policy was expected"),
    ):
        with pytest.raises(CheckpointError, match=message):
            weights_of_another_table(load_game(name).configure({"players": 3}), network, of)
    (tmp_path / "orbis").mkdir()
    game = load_game("orbis").configure({"players": 2})
    plant(tmp_path / "orbis", CheckpointHeader.of(game, network, 0), weights_of(make_policy(game, network)))
    with pytest.raises(CheckpointError, match="the agent plays orbis, not push_of_faith"):
        weights_of_another_table(FOR_THREE, network, str(tmp_path / "orbis"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda weights: weights["first"].__setitem__((0, 0), float("nan")), "first holds numbers that are not finite"),
        (
            lambda weights: weights.__setitem__("first", weights["first"][:-1].clone()),
            r"first is \(1014, 8\), the network has it \(1015, 8\)",
        ),
        (lambda weights: weights.__setitem__("gate", torch.zeros(2)), r"gate is \(2,\)"),
    ],
)
def test_damaged_weights_of_another_table_are_refused(write: Write, tmp_path: Path, change, message: str) -> None:
    training = TdTraining(loaded(TdConfig, at_table(write, "two", 2, TD)), tmp_path / "two")
    weights = dict(training.net.state_dict())
    change(weights)
    header = CheckpointHeader.of(FOR_TWO, training.network, 0)
    (tmp_path / "two").mkdir()
    plant(tmp_path / "two", header, weights)
    training.close()
    path = at_table(write, "three", 3, TD, other_table=True, start_from=str(tmp_path / "two"))
    with pytest.raises(CheckpointError, match=message):
        run(path, [], None)


def plant(folder: Path, header: CheckpointHeader, weights: dict[str, torch.Tensor]) -> None:
    """A checkpoint as a stranger may hand it over: with digests that are right, whatever it holds."""
    content = save_tensors(weights)
    (folder / checkpoint.POLICY).write_bytes(content)
    (folder / HEADER).write_bytes(header.sealed({checkpoint.POLICY: content}).as_bytes())
