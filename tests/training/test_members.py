"""Which numbers of an observation belong to which of a set of things; settings of earlier versions."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.parts import Write
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config
from theogony.training.config.sections import Network
from theogony.training.networks.members import member_entries
from theogony.training.networks.policy import make_policy
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader, read_header

LAYOUT = FeatureLayout(
    Feature("before", (2,), ""),  # entries 0, 1
    Feature("kind", (3, 2), ""),  # 2 to 7
    Feature("reach", (2, 3), ""),  # 8 to 13
    Feature("target", (3,), ""),  # 14, 15, 16
    Feature("grid", (2, 2, 3), ""),  # 17 to 28
)


# ---------------------------------------------------------------------------------------------------- whose numbers


def test_numbers_of_each_member() -> None:
    expected = [[2, 3, 8, 11, 14], [4, 5, 9, 12, 15], [6, 7, 10, 13, 16]]
    assert member_entries(LAYOUT, ["kind", "reach", "target"]).tolist() == expected


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (None, [[17, 20, 23, 26], [18, 21, 24, 27], [19, 22, 25, 28]]),  # the longest axis
        (2, [[17, 18, 19, 20, 21, 22], [23, 24, 25, 26, 27, 28]]),  # the first of this length
        (4, [[17, 18, 19], [20, 21, 22], [23, 24, 25], [26, 27, 28]]),  # the first two
        (6, [[17, 23], [18, 24], [19, 25], [20, 26], [21, 27], [22, 28]]),  # the last two
    ],
)
def test_one_axis_or_several_count_the_members(length: int | None, expected: list[list[int]]) -> None:
    assert member_entries(LAYOUT, ["grid"], length).tolist() == expected


def test_members_of_a_real_observation() -> None:
    game = load("terra_mystica").configure({"players": 2})
    observations = np.random.default_rng(0).integers(256, size=(1, game.features.length), dtype=np.uint8)
    record = game.features.records(observations)[0]
    entries = member_entries(game.features, ["owner", "reach", "sites"])
    for space in (0, 5, 76):
        found = observations[0, entries[space]]
        assert found.tolist() == [*record["owner"][space], *record["reach"][:, space], record["sites"][space]]


@pytest.mark.parametrize(
    ("features", "length", "expected"),
    [
        (["kind", "kinds"], None, r"there is no feature 'kinds'; expected some of before, kind, reach, target, grid"),
        (["before", "target"], None, r"no length in common, or only 1: before \(2,\), target \(3,\)"),
        (["kind", "target"], 2, r"no axes of the feature target \(3,\) have the length 2"),
    ],
)
def test_sets_that_cannot_be(features: list[str], length: int | None, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        member_entries(LAYOUT, features, length)


# ---------------------------------------------------------------------------------------------------- unknown settings


def test_a_header_with_a_setting_that_no_network_has_is_refused(tmp_path: Path, game: Game) -> None:
    network = Network(shared=[8], policy=[8], value=[8])
    path = checkpoint.save(
        tmp_path, CheckpointHeader.of(game, network, 5), weights_of(make_policy(game, network)), {}, {}, {}
    )
    rewritten(path, {"residual": 2})
    with pytest.raises(CheckpointError, match="residual"):
        read_header(path)


def rewritten(path: Path, part: dict[str, Any]) -> None:
    """Put entries into the network of a header, and seal it again."""
    header = json.loads((path / "header.json").read_text())
    header["network"] |= part
    content = {name: value for name, value in header.items() if name != "digest"}
    header["digest"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    (path / "header.json").write_text(json.dumps(header))


def test_a_file_with_a_setting_that_no_network_has_is_refused(write: Write) -> None:
    path = write(algorithm={"total_steps": 10, "n_steps": 128, "net_arch": {"residual": 2}})
    with pytest.raises(ConfigError, match=r"algorithm\.net_arch\.residual: there is no such key"):
        load_config(path)
