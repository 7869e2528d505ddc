"""Settings that no network has, in an agent and in a training file."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.training.parts import Write
from theogony.envs.core.game import Game
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config
from theogony.training.config.sections import Network
from theogony.training.networks.policy import make_policy
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader, read_header


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
